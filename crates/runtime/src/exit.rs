//! A thread gives its slot back when it ends.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use abi::Slot;

use crate::claim::give_back;
use crate::current::set_current_slot;
use crate::mapped::Mapped;
use crate::once::of_process;
use crate::signals::Blocked;

const NO_KEY: u32 = u32::MAX;
of_process! {
    static KEY: AtomicU32 = AtomicU32::new(NO_KEY);
}

/// Rounds of destructors a thread runs at its end. Instrumented code may run in each, so we give the slot back in
/// the last.
const ROUNDS: usize = 4;

/// Makes the key whose destructor sees threads end.
pub fn prepare() {
    let mut key: libc::pthread_key_t = 0;
    // SAFETY: the key is written; the destructor is there until `forget`.
    if unsafe { libc::pthread_key_create(&mut key, Some(exit_round)) } == 0 {
        KEY.store(key, Ordering::Release);
    }
}

/// The destructor's code is about to be gone. Threads that have a slot end without it.
pub fn forget() {
    let key = KEY.swap(NO_KEY, Ordering::AcqRel);
    if key != NO_KEY {
        // SAFETY: a key that was made, and is nobody's any more.
        unsafe { libc::pthread_key_delete(key) };
    }
}

/// The key's value is the slot's address; its alignment leaves room for the round.
pub fn arm(slot: *mut Slot, round: usize) {
    let key = KEY.load(Ordering::Acquire);
    if key != NO_KEY {
        // SAFETY: a key that was made; the value is a number to everybody but `exit_round`.
        unsafe { libc::pthread_setspecific(key, (slot as usize | round) as *const c_void) };
    }
}

/// # Safety
///
/// The value is one that `arm` set in this thread.
unsafe extern "C" fn exit_round(value: *mut c_void) {
    let round = (value as usize % align_of::<Slot>()) + 1;
    let slot = (value as usize / align_of::<Slot>() * align_of::<Slot>()) as *mut Slot;
    if round < ROUNDS {
        arm(slot, round);
        return;
    }
    let _blocked = Blocked::new();
    set_current_slot(None);
    // SAFETY: the slot was this thread's, which has none any more and runs no more instrumented code.
    unsafe { give_back(Mapped::at(slot)) };
}
