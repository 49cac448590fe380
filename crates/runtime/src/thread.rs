//! A thread gets a slot with its first instrumented function.

use abi::Slot;

use crate::current::{current_slot, set_current_slot};
use crate::signals::Blocked;
use crate::{claim, exit, plan, start, tick};

const _: abi::ThreadFn = thread;

/// The body of `__faultline_thread`.
pub extern "C" fn thread() -> *mut Slot {
    let _blocked = Blocked::new();
    start::start(|| {});
    if let Some(present) = current_slot() {
        return present.place();
    }
    let slot = claim::fresh();
    set_current_slot(Some(slot));
    plan::notice(slot);
    tick::arm(slot);
    exit::arm(slot.place(), 0);
    slot.place()
}
