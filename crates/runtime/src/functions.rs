//! Which addresses are entries of instrumented functions.
//!
//! One hash table for each registered object, in memory of our own: the object's descriptors vanish with it when a
//! shared library is closed, and lookups happen in signal handlers at any time. Tables are never changed or removed.

use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use abi::{ADDRESS_MASK, FunctionDescriptor};

use crate::once::of_process;
use crate::scratch;

/// Functions of objects beyond this many are not known; signals that interrupt their entry are taken for callbacks.
const OBJECTS: usize = 512;

/// Open addressing; zero marks an empty place. At most half of the places are taken.
struct Table {
    places: AtomicPtr<AtomicU64>,
    /// Number of places, a power of two.
    size: AtomicUsize,
}

of_process! {
    static TABLES: [Table; OBJECTS] =
        [const { Table { places: AtomicPtr::new(core::ptr::null_mut()), size: AtomicUsize::new(0) } }; OBJECTS];
    static COUNT: AtomicUsize = AtomicUsize::new(0);
}

impl Table {
    fn places(&self) -> &[AtomicU64] {
        let (places, size) = (self.places.load(Ordering::Relaxed), self.size.load(Ordering::Relaxed));
        // SAFETY: asked of tables that `remember` has made, or is making: it maps as many zeroed words, and they stay. Others learn
        // of a table by `COUNT`, which is raised after both were set.
        unsafe { core::slice::from_raw_parts(places, size) }
    }
}

/// The caller holds the lock of the directory.
pub fn remember(functions: &[FunctionDescriptor]) {
    let index = COUNT.load(Ordering::Relaxed);
    let Some(table) = TABLES.get(index) else { return };
    if functions.is_empty() {
        return;
    }
    let size = (functions.len() * 2).next_power_of_two();
    let places = scratch::map_area(size * size_of::<AtomicU64>()) as *mut AtomicU64;
    table.size.store(size, Ordering::Relaxed);
    table.places.store(places, Ordering::Relaxed);
    for function in functions {
        let entry = function.entry & ADDRESS_MASK;
        if let Some(place) = find(table.places(), entry) {
            place.store(entry, Ordering::Relaxed);
        }
    }
    COUNT.store(index + 1, Ordering::Release);
}

pub fn is_instrumented(address: u64) -> bool {
    let count = COUNT.load(Ordering::Acquire);
    let has = |table: &Table| find(table.places(), address).is_some_and(|at| at.load(Ordering::Relaxed) == address);
    address != 0 && TABLES.iter().take(count).any(has)
}

/// The place where the address is, or would go.
fn find(places: &[AtomicU64], address: u64) -> Option<&AtomicU64> {
    let mut position = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
    loop {
        let place = places.get(position & places.len().wrapping_sub(1))?;
        let found = place.load(Ordering::Relaxed);
        if found == address || found == 0 {
            return Some(place);
        }
        position += 1;
    }
}
