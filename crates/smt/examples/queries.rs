//! What typical questions cost: `cargo run --release -p faultline-smt --example queries`. Each is asked several times with a
//! new arena and solver, and the fastest and the median are shown.

use std::time::{Duration, Instant};

use faultline_smt::{Answer, Limits, Query, Solver, Term, Terms};

fn main() {
    repeated("magic: 8 bytes compared with constants", 21, magic);
    repeated("crc32 of 4 bytes, table, inverted", 5, |timed| crc(timed, Crc::Table));
    repeated("crc32 of 4 bytes, bit by bit, inverted", 5, |timed| crc(timed, Crc::Bits));
    repeated("FNV-1a of 4 bytes, inverted", 5, fnv);
    repeated("djb2 of 4 letters, inverted", 5, djb2);
    repeated("atoi: 5 digits equal 31337", 11, atoi);
    repeated("atoi: 5 digits, % 1000 == 337, / 1000 == 31", 11, atoi_divided);
    repeated("a product of two 16-bit numbers", 5, product);
    parser();
    long_path();
}

/// Questions that were timed.
#[derive(Default)]
struct Timed {
    times: Vec<Duration>,
}

impl Timed {
    fn ask(&mut self, solver: &mut Solver, terms: &Terms, known: &[Term], wanted: &[Term]) -> Answer {
        let limits = Limits { time: Duration::from_secs(100), ..Limits::default() };
        let begun = Instant::now();
        let answer = solver.ask(terms, Query { known, wanted }, &limits, &|| false);
        self.times.push(begun.elapsed());
        if let Answer::Yes(model) = &answer {
            let all = known.iter().chain(wanted);
            assert!(all.into_iter().all(|constraint| terms.evaluate(*constraint, model) == 1));
        }
        answer
    }

    fn show(mut self, what: &str) {
        self.times.sort();
        let of = |share: usize| self.times[(self.times.len() - 1) * share / 100];
        let total: Duration = self.times.iter().sum();
        println!(
            "{what:<48} {:>4} questions: fastest {:>9.3?}, median {:>9.3?}, 95 % {:>9.3?}, all {:>9.3?}",
            self.times.len(),
            of(0),
            of(50),
            of(95),
            total
        );
    }
}

fn repeated(what: &str, times: u32, question: impl Fn(&mut Timed)) {
    let mut timed = Timed::default();
    for _ in 0..times {
        question(&mut timed);
    }
    timed.show(what);
}

/// Asks once, with a new solver; it must be possible.
fn possible(timed: &mut Timed, terms: &Terms, wanted: &[Term]) {
    let answer = timed.ask(&mut Solver::new(), terms, &[], wanted);
    assert!(matches!(answer, Answer::Yes(_)), "{answer:?}");
}

fn equals(terms: &mut Terms, term: Term, value: u128) -> Term {
    let constant = terms.constant(terms.width(term), value);
    terms.equal(term, constant)
}

fn bytes(terms: &mut Terms, count: usize) -> Vec<Term> {
    (0..count).map(|_| terms.symbol(8, b'a'.into())).collect()
}

fn magic(timed: &mut Timed) {
    let mut terms = Terms::new();
    let bytes = bytes(&mut terms, 8);
    let mut word = bytes[0];
    for &byte in &bytes[1..] {
        word = terms.concat(byte, word);
    }
    let wanted = equals(&mut terms, word, 0x0123_4567_89ab_cdef);
    possible(timed, &terms, &[wanted]);
}

enum Crc {
    Table,
    Bits,
}

const POLYNOMIAL: u32 = 0xedb8_8320;

fn crc_of_byte(byte: u32) -> u32 {
    (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 })
}

fn crc(timed: &mut Timed, kind: Crc) {
    let mut terms = Terms::new();
    let table: Vec<u128> = (0..256).map(|byte| crc_of_byte(byte).into()).collect();
    let bytes = bytes(&mut terms, 4);
    let (eight, one, mask) = (terms.constant(32, 8), terms.constant(32, 1), terms.constant(32, 0xff));
    let polynomial = terms.constant(32, POLYNOMIAL.into());
    let mut crc = terms.constant(32, 0xffff_ffff);
    for byte in bytes {
        let extended = terms.zero_extend(byte, 32);
        let mixed = terms.xor(crc, extended);
        match kind {
            Crc::Table => {
                let index = terms.and(mixed, mask);
                let entry = terms.table(index, &table, 32);
                let shifted = terms.shift_right_logical(crc, eight);
                crc = terms.xor(entry, shifted);
            }
            Crc::Bits => {
                crc = mixed;
                for _ in 0..8 {
                    let is_odd = terms.extract(crc, 0, 1);
                    let shifted = terms.shift_right_logical(crc, one);
                    let changed = terms.xor(shifted, polynomial);
                    crc = terms.choose(is_odd, changed, shifted);
                }
            }
        }
    }
    let crc = terms.not(crc);
    let wanted = equals(&mut terms, crc, 0x1234_5678);
    possible(timed, &terms, &[wanted]);
}

fn fnv(timed: &mut Timed) {
    let mut terms = Terms::new();
    let prime = terms.constant(32, 16_777_619);
    let mut hash = terms.constant(32, 2_166_136_261);
    let mut expected: u32 = 2_166_136_261;
    for (byte, value) in bytes(&mut terms, 4).into_iter().zip(*b"key!") {
        let extended = terms.zero_extend(byte, 32);
        let mixed = terms.xor(hash, extended);
        hash = terms.multiply(mixed, prime);
        expected = (expected ^ u32::from(value)).wrapping_mul(16_777_619);
    }
    let wanted = equals(&mut terms, hash, expected.into());
    possible(timed, &terms, &[wanted]);
}

fn djb2(timed: &mut Timed) {
    let mut terms = Terms::new();
    let factor = terms.constant(32, 33);
    let mut hash = terms.constant(32, 5381);
    let mut expected: u32 = 5381;
    let mut wanted = Vec::new();
    for (byte, value) in bytes(&mut terms, 4).into_iter().zip(*b"lock") {
        let extended = terms.zero_extend(byte, 32);
        let scaled = terms.multiply(hash, factor);
        hash = terms.add(scaled, extended);
        expected = expected.wrapping_mul(33).wrapping_add(value.into());
        wanted.push(within(&mut terms, byte, b'a', b'z'));
    }
    wanted.push(equals(&mut terms, hash, expected.into()));
    possible(timed, &terms, &wanted);
}

/// A byte between two others.
fn within(terms: &mut Terms, byte: Term, first: u8, last: u8) -> Term {
    // As compilers have it: `(unsigned)(c - first) <= last - first`.
    let extended = terms.zero_extend(byte, 32);
    let (first, count) = (terms.constant(32, first.into()), terms.constant(32, u128::from(last - first) + 1));
    let distance = terms.subtract(extended, first);
    terms.less_unsigned(distance, count)
}

/// The digits of a number, and its value.
fn number(terms: &mut Terms, digits: usize) -> (Vec<Term>, Term) {
    let (ten, zero) = (terms.constant(32, 10), terms.constant(32, b'0'.into()));
    let mut value = terms.constant(32, 0);
    let mut constraints = Vec::new();
    for byte in bytes(terms, digits) {
        constraints.push(within(terms, byte, b'0', b'9'));
        let extended = terms.sign_extend(byte, 32);
        let digit = terms.subtract(extended, zero);
        let shifted = terms.multiply(value, ten);
        value = terms.add(shifted, digit);
    }
    (constraints, value)
}

fn atoi(timed: &mut Timed) {
    let mut terms = Terms::new();
    let (mut wanted, value) = number(&mut terms, 5);
    wanted.push(equals(&mut terms, value, 31337));
    possible(timed, &terms, &wanted);
}

fn atoi_divided(timed: &mut Timed) {
    let mut terms = Terms::new();
    let (mut wanted, value) = number(&mut terms, 5);
    let thousand = terms.constant(32, 1000);
    let (rest, quotient) = (terms.remainder_signed(value, thousand), terms.divide_signed(value, thousand));
    wanted.push(equals(&mut terms, rest, 337));
    wanted.push(equals(&mut terms, quotient, 31));
    possible(timed, &terms, &wanted);
}

fn product(timed: &mut Timed) {
    let mut terms = Terms::new();
    let (a, b) = (terms.symbol(16, 1), terms.symbol(16, 1));
    let (x, y) = (terms.zero_extend(a, 32), terms.zero_extend(b, 32));
    let product = terms.multiply(x, y);
    let wanted = equals(&mut terms, product, 40093 * 60037);
    possible(timed, &terms, &[wanted]);
}

/// The branches that a parser of expressions takes on its input, each with those before it: is it a digit, a space, an
/// operator, and how great is the number.
fn parser() {
    let text = b"12+(345*6) - 78/(9+1) *2024 + ((33-4)*5)";
    let mut terms = Terms::new();
    let bytes: Vec<Term> = text.iter().map(|byte| terms.symbol(8, u128::from(*byte))).collect();
    let mut path = Vec::new();
    let mut value = terms.constant(32, 0);
    let (ten, zero, most) = (terms.constant(32, 10), terms.constant(32, 48), terms.constant(32, 1000));
    for &byte in &bytes {
        let extended = terms.sign_extend(byte, 32);
        let is_digit = within(&mut terms, byte, b'0', b'9');
        let mut branches = vec![equals(&mut terms, extended, b' '.into()), is_digit];
        if terms.holds(is_digit) {
            let digit = terms.subtract(extended, zero);
            let shifted = terms.multiply(value, ten);
            value = terms.add(shifted, digit);
            branches.push(terms.less_signed(most, value));
        } else {
            value = terms.constant(32, 0);
            for operator in b"+-*/()" {
                let branch = equals(&mut terms, extended, u128::from(*operator));
                branches.push(branch);
                if terms.holds(branch) {
                    break;
                }
            }
        }
        for branch in branches {
            let taken = if terms.holds(branch) { branch } else { terms.not(branch) };
            if terms.as_constant(taken).is_none() {
                path.push(taken);
            }
        }
    }
    negated("a parser's branches, each negated", &mut terms, &path);
}

/// Sums over a long input, each compared: slices do not help.
fn long_path() {
    let mut terms = Terms::new();
    let bytes = bytes(&mut terms, 200);
    let mut sum = terms.constant(32, 0);
    let mut path = Vec::new();
    for byte in bytes {
        let extended = terms.zero_extend(byte, 32);
        sum = terms.add(sum, extended);
        let bound = terms.constant(32, terms.value(sum) + 100);
        path.push(terms.less_unsigned(sum, bound));
    }
    negated("200 sums of bytes, each compared, negated", &mut terms, &path);
}

fn negated(what: &str, terms: &mut Terms, path: &[Term]) {
    let wanted: Vec<Term> = path.iter().map(|taken| terms.not(*taken)).collect();
    let mut timed = Timed::default();
    let mut solver = Solver::new();
    for (at, wanted) in wanted.into_iter().enumerate() {
        timed.ask(&mut solver, terms, &path[..at], &[wanted]);
    }
    timed.show(what);
    println!("    {:?}", solver.statistics());
}
