//! What a term costs, all tables included, counted where memory is allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use faultline_smt::{Term, Terms};

struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does everything; here it is only counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller vouches for the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller vouches for both.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const MOST: usize = 64;

/// What a program does with a megabyte of input: bytes put together, sums, a checksum, comparisons, a table.
fn as_a_program_does(terms: &mut Terms, count: usize) {
    let entries: Vec<u128> = (0..256u128).map(|entry| entry * 2_654_435_761 % (1 << 32)).collect();
    let table = terms.keep_table(&entries, 32);
    let mut sum = terms.constant(32, 1);
    let mut last: Option<Term> = None;
    while terms.count() < count {
        let byte = terms.symbol(8, 7);
        let broad = terms.zero_extend(byte, 32);
        let letter = terms.constant(8, 97);
        terms.less_unsigned(byte, letter);
        let entry = terms.entry_of(byte, table, 32);
        let factor = terms.constant(32, 31);
        sum = terms.multiply(sum, factor);
        sum = terms.add(sum, broad);
        let mixed = terms.xor(sum, entry);
        let limit = terms.constant(32, 1000);
        terms.less_signed(mixed, limit);
        if let Some(last) = last {
            let pair = terms.concat(last, byte);
            let zero = terms.constant(16, 0);
            terms.equal(pair, zero);
        }
        last = Some(byte);
    }
}

/// One test, so that nobody else allocates beside it.
#[test]
fn a_term_takes_no_more_than_is_said() {
    for count in [200_000, 700_000, 2_000_000] {
        let before = ALLOCATED.load(Ordering::Relaxed);
        let mut terms = Terms::with_limit(1 << 32);
        as_a_program_does(&mut terms, count);
        let taken = ALLOCATED.load(Ordering::Relaxed) - before;
        let each = taken as f64 / terms.count() as f64;
        println!(
            "{} terms: {each:.1} bytes each, estimated {:.1}",
            terms.count(),
            terms.bytes() as f64 / terms.count() as f64
        );
        assert!(each <= MOST as f64, "{each:.1} bytes each of {} terms", terms.count());
        assert!(terms.bytes() >= taken * 4 / 5, "the estimate {} of {taken} is what limits go by", terms.bytes());
    }
    // A limit holds: what is over becomes constants, and is counted.
    let before = ALLOCATED.load(Ordering::Relaxed);
    let mut terms = Terms::with_limit(16 << 20);
    let mut word = terms.symbol(32, 5);
    for at in 0..2_000_000u128 {
        let constant = terms.constant(32, at << 1 | 1);
        word = terms.multiply(word, constant);
        word = terms.add(word, constant);
        if terms.is_full() {
            word = terms.symbol(32, 5);
            if terms.concretised() > 1000 {
                break;
            }
        }
    }
    assert!(terms.concretised() > 0);
    let taken = ALLOCATED.load(Ordering::Relaxed) - before;
    assert!(taken <= 24 << 20, "{taken} bytes, where 16 MiB are the limit");
}
