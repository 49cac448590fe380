//! Ticks that were waited for: `remaining` fell below zero.

use abi::{AtHand, Slot, TickKind};

use crate::mapped::{Mapped, get, set};
use crate::plan;
use crate::signals::Blocked;
use crate::slot::clock;

const _: abi::TickFn = tick;

/// The body of `__faultline_tick`.
///
/// # Safety
///
/// The slot is this thread's. `site` is null, or points to the byte that stands for the place.
pub unsafe extern "C" fn tick(
    slot: *mut Slot,
    value: u64,
    site: *const u8,
    first: u64,
    second: u64,
    before: u64,
) -> u64 {
    // SAFETY: the caller vouches for the slot.
    let slot = unsafe { Mapped::at(slot) };
    let at_hand = AtHand { value, first, second, before };
    // An edited place may be executed millions of times, and changes nothing but the value.
    if let Some(value) = plan::only_edited(slot, at_hand, site) {
        return value;
    }
    // Deadline and remaining change together, or a handler that jumps away would leave a wrong clock.
    let _blocked = Blocked::new();
    // SAFETY: the caller vouches for the place.
    let kind = unsafe { site.as_ref() }.map_or(TickKind::Other, |&kind| TickKind::from_number(kind));
    let value = plan::due(slot, at_hand, site, kind);
    arm(slot);
    value
}

/// Clock and hash at zero, nothing scheduled.
pub fn reset(slot: Mapped<Slot>) {
    set!(slot.deadline, 0);
    set!(slot.remaining, 0);
    arm(slot);
    set!(slot.hash, 0);
}

/// Sets the next deadline; the clock stays as it is.
pub fn arm(slot: Mapped<Slot>) {
    let now = clock(slot);
    let wait = plan::wait(slot, now).min(UNSCHEDULED);
    set!(slot.deadline, now.wrapping_add(wait));
    set!(slot.remaining, wait as i64);
}

/// From here on nothing is due, whatever the plan says; the clock stays as it is.
pub fn disarm(slot: Mapped<Slot>) {
    let shift = UNSCHEDULED.wrapping_sub(get!(slot.remaining) as u64);
    set!(slot.deadline, get!(slot.deadline).wrapping_add(shift));
    set!(slot.remaining, UNSCHEDULED as i64);
}

const UNSCHEDULED: u64 = i64::MAX as u64;
