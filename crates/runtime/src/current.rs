//! Which slot is this thread's: a pointer in a word that every thread has.

use core::arch::asm;

use abi::{SLOT_PLACE, Slot};

use crate::mapped::Mapped;

/// This thread's slot; none if it has none yet.
pub fn current_slot() -> Option<Mapped<Slot>> {
    let slot: *mut Slot;
    // SAFETY: every thread has that word.
    unsafe {
        asm!(
            "mov {slot}, qword ptr fs:[{place}]",
            slot = out(reg) slot,
            place = const SLOT_PLACE,
            options(nostack, readonly, preserves_flags),
        );
    }
    // SAFETY: what is there `set_current_slot` has put there.
    (!slot.is_null()).then(|| unsafe { Mapped::at(slot) })
}

pub fn set_current_slot(slot: Option<Mapped<Slot>>) {
    let slot = slot.map_or(core::ptr::null_mut(), Mapped::place);
    // SAFETY: every thread has that word, and nobody else uses it.
    unsafe {
        asm!(
            "mov qword ptr fs:[{place}], {slot}",
            place = const SLOT_PLACE,
            slot = in(reg) slot,
            options(nostack, preserves_flags),
        );
    }
}
