//! Ticks that were waited for: `remaining` fell below zero.

use abi::{AtHand, Slot, TickKind};

use crate::plan;
use crate::signals::Blocked;
use crate::slot::{clock, get, set};

/// The body of `__faultline_tick`. `site` points to the byte that stands for the place; null: nothing can be replaced.
pub unsafe extern "C" fn tick(
    slot: *mut Slot,
    value: u64,
    site: *const u8,
    first: u64,
    second: u64,
    before: u64,
) -> u64 {
    let at_hand = AtHand { value, first, second, before };
    // An edited place may be executed millions of times, and changes nothing but the value.
    if let Some(value) = unsafe { plan::only_edited(slot, at_hand, site) } {
        return value;
    }
    // Deadline and remaining change together, or a handler that jumps away would leave a wrong clock.
    let _blocked = Blocked::new();
    let kind = if site.is_null() { TickKind::Other } else { TickKind::from_number(unsafe { site.read() }) };
    let value = unsafe { plan::due(slot, at_hand, site, kind) };
    unsafe { arm(slot) };
    value
}

/// Sets the next deadline; the clock stays as it is.
pub unsafe fn arm(slot: *mut Slot) {
    unsafe {
        let now = clock(slot);
        let wait = plan::wait(slot, now).min(UNSCHEDULED);
        set!(slot.deadline, now.wrapping_add(wait));
        set!(slot.remaining, wait as i64);
    }
}

/// From here on nothing is due, whatever the plan says; the clock stays as it is.
pub unsafe fn disarm(slot: *mut Slot) {
    unsafe {
        let shift = UNSCHEDULED.wrapping_sub(get!(slot.remaining) as u64);
        set!(slot.deadline, get!(slot.deadline).wrapping_add(shift));
        set!(slot.remaining, UNSCHEDULED as i64);
    }
}

const UNSCHEDULED: u64 = i64::MAX as u64;
