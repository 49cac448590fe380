//! Which addresses are entries of instrumented functions.
//!
//! One hash table for each registered object, in memory of our own: the object's descriptors vanish with it when a
//! shared library is closed, and lookups happen in signal handlers at any time. Tables are never changed or removed.

use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use abi::{ADDRESS_MASK, FunctionDescriptor};

use crate::once::of_process;
use crate::scratch;

/// Functions of objects beyond this many are not known; signals that interrupt their entry are taken for callbacks.
const OBJECTS: usize = 512;

/// Open addressing; zero marks an empty place. At most half of the places are taken.
struct Table {
    places: AtomicPtr<u64>,
    /// Number of places, a power of two.
    size: AtomicUsize,
}

of_process! {
    static TABLES: [Table; OBJECTS] =
        [const { Table { places: AtomicPtr::new(core::ptr::null_mut()), size: AtomicUsize::new(0) } }; OBJECTS];
    static COUNT: AtomicUsize = AtomicUsize::new(0);
}

/// The caller holds the lock of the directory.
pub fn remember(functions: &[FunctionDescriptor]) {
    let index = COUNT.load(Ordering::Relaxed);
    if index >= OBJECTS || functions.is_empty() {
        return;
    }
    let size = (functions.len() * 2).next_power_of_two();
    let places = scratch::map_area(size * size_of::<u64>()) as *mut u64;
    for function in functions {
        let entry = function.entry & ADDRESS_MASK;
        unsafe { find(places, size, entry).write(entry) };
    }
    TABLES[index].size.store(size, Ordering::Relaxed);
    TABLES[index].places.store(places, Ordering::Relaxed);
    COUNT.store(index + 1, Ordering::Release);
}

pub fn is_instrumented(address: u64) -> bool {
    let count = COUNT.load(Ordering::Acquire);
    TABLES.iter().take(count).any(|table| unsafe {
        let place = find(table.places.load(Ordering::Relaxed), table.size.load(Ordering::Relaxed), address);
        place.read() == address && address != 0
    })
}

/// The place where the address is, or would go.
unsafe fn find(places: *mut u64, size: usize, address: u64) -> *mut u64 {
    let mut position = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
    loop {
        let place = unsafe { places.add(position & (size - 1)) };
        let found = unsafe { place.read() };
        if found == address || found == 0 {
            return place;
        }
        position += 1;
    }
}
