//! Arrivals that are not returns: `setjmp` returning, exceptions landing.

use core::sync::atomic::{Ordering, compiler_fence};

use abi::{Slot, Tag};

use crate::mapped::{Mapped, get, set};
use crate::signals::Blocked;
use crate::slot::is_idle;
use crate::{append, enter, shadow, slot};

const _: (abi::SetjmpFn, abi::LandedFn) = (setjmp, landed);

/// The body of `__faultline_setjmp`.
///
/// # Safety
///
/// The slot is this thread's.
pub unsafe extern "C" fn setjmp(slot: *mut Slot, frame: u64, instruction: u32, level: u32) {
    // SAFETY: the caller vouches for the slot.
    let slot = unsafe { Mapped::at(slot) };
    if get!(slot.level) > level {
        abandon_handlers(slot, level);
    }
    arrive(slot, Tag::Setjmp, frame, instruction);
}

/// The body of `__faultline_landed`.
///
/// # Safety
///
/// The slot is this thread's.
pub unsafe extern "C" fn landed(slot: *mut Slot, frame: u64, instruction: u32) {
    // SAFETY: the caller vouches for the slot.
    arrive(unsafe { Mapped::at(slot) }, Tag::Landed, frame, instruction);
}

fn arrive(slot: Mapped<Slot>, tag: Tag, frame: u64, instruction: u32) {
    set!(slot.token, 0);
    compiler_fence(Ordering::SeqCst);
    append::arrived(slot, tag, frame, instruction);
}

/// The jump left signal handlers without returning from them: ends their streams.
fn abandon_handlers(slot: Mapped<Slot>, level: u32) {
    let _blocked = Blocked::new();
    while get!(slot.level) > level {
        if !is_idle(slot) {
            append::left(slot);
        }
        enter::leave_handler(slot);
        forget(slot);
    }
}

/// What a handler interrupted is left in the middle of a block, and nobody can tell how much of that was executed. So
/// the shadow may hold stores the replay does not know of: both sides forget it. And the last surprise may have been
/// logged without its clock being noted: the next one tells its own in full.
fn forget(slot: Mapped<Slot>) {
    let mask = get!(slot.shadow);
    if mask != 0 {
        shadow::forget(mask);
    }
    set!(slot.surprises.clock, slot::clock(slot) ^ (1 << 63));
}
