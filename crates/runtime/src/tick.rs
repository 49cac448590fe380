//! Ticks that were waited for: `remaining` fell below zero.
//!
//! Nothing is scheduled yet, so the next deadline is as far away as can be. A plan of interventions in shared memory
//! is to be obeyed here: `tick` asks it for the value to go on with, `arm` for the time of the next intervention.

use abi::Slot;

use crate::signals::Blocked;
use crate::slot::{clock, set};

/// The body of `__faultline_tick`.
pub unsafe extern "C" fn tick(slot: *mut Slot, value: u64) -> u64 {
    // Deadline and remaining change together, or a handler that jumps away would leave a wrong clock.
    let _blocked = Blocked::new();
    unsafe { arm(slot) };
    value
}

/// Sets the next deadline; the clock stays as it is.
pub unsafe fn arm(slot: *mut Slot) {
    unsafe {
        let now = clock(slot);
        set!(slot.deadline, now.wrapping_add(UNSCHEDULED as u64));
        set!(slot.remaining, UNSCHEDULED);
    }
}

const UNSCHEDULED: i64 = i64::MAX;
