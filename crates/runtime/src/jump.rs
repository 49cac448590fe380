//! Arrivals that are not returns: `setjmp` returning, exceptions landing.

use core::sync::atomic::{Ordering, compiler_fence};

use abi::{Slot, Tag};

use crate::signals::Blocked;
use crate::slot::{get, is_idle, set};
use crate::{append, enter, shadow, slot};

/// The body of `__faultline_setjmp`.
pub unsafe extern "C" fn setjmp(slot: *mut Slot, frame: u64, instruction: u32, level: u32) {
    unsafe {
        if get!(slot.level) > level {
            abandon_handlers(slot, level);
        }
        arrive(slot, Tag::Setjmp, frame, instruction);
    }
}

/// The body of `__faultline_landed`.
pub unsafe extern "C" fn landed(slot: *mut Slot, frame: u64, instruction: u32) {
    unsafe { arrive(slot, Tag::Landed, frame, instruction) };
}

unsafe fn arrive(slot: *mut Slot, tag: Tag, frame: u64, instruction: u32) {
    unsafe {
        set!(slot.token, 0);
        compiler_fence(Ordering::SeqCst);
        append::arrived(slot, tag, frame, instruction);
    }
}

/// The jump left signal handlers without returning from them: ends their streams.
unsafe fn abandon_handlers(slot: *mut Slot, level: u32) {
    let _blocked = Blocked::new();
    unsafe {
        while get!(slot.level) > level {
            if !is_idle(slot) {
                append::left(slot);
            }
            enter::leave_handler(slot);
            forget(slot);
        }
    }
}

/// What a handler interrupted is left in the middle of a block, and nobody can tell how much of that was executed. So
/// the shadow may hold stores the replay does not know of: both sides forget it. And the last surprise may have been
/// logged without its clock being noted: the next one tells its own in full.
unsafe fn forget(slot: *mut Slot) {
    unsafe {
        let mask = get!(slot.shadow);
        if mask != 0 {
            shadow::forget(mask);
        }
        (&raw mut (*slot).surprises.clock).write_volatile(slot::clock(slot) ^ (1 << 63));
    }
}
