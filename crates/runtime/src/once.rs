//! What there is once in a process, however many copies of this runtime are in it.
//!
//! Every instrumented executable and shared library has a copy of the runtime's code, and uses only its own: no way of
//! linking or loading leaves it without, and none mixes two. What the copies must agree about lies in memory that
//! belongs to none of them, since a library that was loaded first may be closed first. The first copy maps it at an
//! address that all know and fills it with its own statics of the section below; from then on each copy's statics only
//! say where in that memory to look.

use core::ops::Deref;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use abi::VERSION;

use crate::syscall;

/// Statics of the process, all of them in one section.
///
/// The object code of all copies is the same, hence the order of their statics too; `VERSION` and the section's length
/// tell other builds apart.
macro_rules! of_process {
    ($($(#[$about:meta])* $visible:vis static $name:ident: $ty:ty = $value:expr;)+) => {$(
        $(#[$about])*
        #[unsafe(link_section = "faultline_process")]
        $visible static $name: $crate::once::OfProcess<$ty> = $crate::once::OfProcess::new($value);
    )+};
}
pub(crate) use of_process;

#[repr(transparent)]
pub struct OfProcess<T> {
    first: T,
}

impl<T: Sync> OfProcess<T> {
    pub const fn new(first: T) -> OfProcess<T> {
        OfProcess { first }
    }
}

impl<T> Deref for OfProcess<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let own = &raw const self.first;
        // SAFETY: zero, or what `join` has found: memory that stays and was laid out and filled as this copy's section is, of which
        // this static is a part.
        unsafe { &*own.byte_add(DISTANCE.load(Ordering::Relaxed)) }
    }
}

/// From this copy's section to the memory of the process; zero until it is known.
pub static DISTANCE: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    #[link_name = "__start_faultline_process"]
    static SECTION: [u64; 0];
    #[link_name = "__stop_faultline_process"]
    static SECTION_END: [u64; 0];
}

/// Aligned as strictly as any of the statics behind it.
#[repr(C, align(64))]
struct Header {
    magic: AtomicU64,
    version: AtomicU32,
    length: AtomicU32,
}

const MAGIC: u64 = u64::from_le_bytes(*b"FLTLPROC");

/// Where it is looked for: beside the runtime's areas, where no program is likely to map anything. A page table for
/// both costs a fork less than two.
const ADDRESSES: [usize; 3] = [0x11a5_9360_1000, 0x11e9_a47d_6000, 0x11d5_386b_9000];

/// Finds the memory of the process, or makes it. Signals must be blocked.
pub fn join() {
    if DISTANCE.load(Ordering::Acquire) != 0 {
        return;
    }
    let start = (&raw const SECTION) as usize;
    let length = (&raw const SECTION_END) as usize - start;
    // This copy was built by other tools than those that were here first: it stays alone, and is not recorded.
    let found = match ADDRESSES.into_iter().find_map(present) {
        Some(header) if header.version.load(Ordering::Relaxed) != VERSION => return,
        Some(header) if header.length.load(Ordering::Relaxed) as usize != length => return,
        Some(header) => header,
        None => match make(start, length) {
            Some(header) => header,
            None => return,
        },
    };
    let statics = (&raw const *found) as usize + size_of::<Header>();
    DISTANCE.store(statics.wrapping_sub(start), Ordering::Release);
}

/// Where that memory lies.
pub fn range() -> (usize, usize) {
    let start = ((&raw const SECTION) as usize).wrapping_add(DISTANCE.load(Ordering::Acquire));
    let length = (&raw const SECTION_END) as usize - (&raw const SECTION) as usize;
    (start - size_of::<Header>(), start + length)
}

/// The memory of the process, if it is there.
fn present(address: usize) -> Option<&'static Header> {
    if !syscall::is_readable(address) {
        return None;
    }
    // SAFETY: the page that begins there can be read, and a header is made of atomic numbers: whatever the program may have mapped
    // there instead has another magic number.
    let header = unsafe { &*(address as *const Header) };
    (header.magic.load(Ordering::Acquire) == MAGIC).then_some(header)
}

fn make(start: usize, length: usize) -> Option<&'static Header> {
    let address = ADDRESSES.into_iter().find(|&address| syscall::map_fixed(address, size_of::<Header>() + length))?;
    let statics = (address + size_of::<Header>()) as *mut u64;
    for word in 0..length / size_of::<u64>() {
        // Volatile, or this would become a call of memcpy, which may be the program's own and instrumented.
        // SAFETY: the section has so many words, and so many were mapped behind the header.
        unsafe { statics.add(word).write_volatile((start as *const u64).add(word).read_volatile()) };
    }
    // SAFETY: mapped and zeroed, aligned, and made of atomic numbers.
    let header = unsafe { &*(address as *const Header) };
    header.version.store(VERSION, Ordering::Relaxed);
    header.length.store(length as u32, Ordering::Relaxed);
    header.magic.store(MAGIC, Ordering::Release);
    Some(header)
}
