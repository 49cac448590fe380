//! Memory that the program maps where it wants it.
//!
//! Programs that are not told where to map get memory in windows that have a shadow anyhow. Others ask for an address,
//! or for more than a window holds: such a range gets a shadow of its own. Where it lies in a window that we use, we go out
//! of the way, as long as we keep nothing just there; otherwise the program is refused, and that is told.

use core::sync::atomic::{AtomicBool, Ordering};

use abi::{PROGRAM_WINDOWS, WINDOW};

use crate::lock::lock;
use crate::once::{self, of_process};
use crate::ranges::{FURTHER, YIELDED};
use crate::signals::Blocked;
use crate::{experiment, scratch, shadow, shared, syscall};

of_process! {
    static LOCK: AtomicBool = AtomicBool::new(false);
}

const PAGE: usize = 4096;

/// The parts of a range that lie outside of the program's windows; each lies in one window, so that its shadow is of a
/// piece.
fn outside_windows(start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    let windows = (start / WINDOW)..end.div_ceil(WINDOW);
    let is_outside = |window: &usize| !PROGRAM_WINDOWS.contains(&(*window as u64));
    windows.filter(is_outside).map(move |window| (start.max(window * WINDOW), end.min((window + 1) * WINDOW)))
}

/// The program is about to map memory there. Zero: it cannot, since we need the place.
#[unsafe(no_mangle)]
extern "C" fn __faultline_before_mapping(start: usize, length: usize) -> i32 {
    let Some(shared) = experiment::shared() else { return 1 };
    let end = start.saturating_add(length.next_multiple_of(PAGE));
    let _blocked = Blocked::new();
    let _locked = lock(&LOCK);
    let is_ours = |(first, last): (usize, usize)| start < last && first < end;
    let own = [(shared.base(), shared.base() + shared.length()), scratch::areas(), scratch::stacks(), once::range()];
    let makes_way = !own.into_iter().any(is_ours) && make_way(start, end);
    if !makes_way {
        shared.header().refused_mapping.store(start as u64, Ordering::Relaxed);
    }
    i32::from(makes_way)
}

/// Takes our shadows away from where the program wants memory, if what they would shadow is not there.
fn make_way(start: usize, end: usize) -> bool {
    for (first, last, mask) in shadow::places() {
        let (first, last) = (first.max(start), last.min(end));
        if first >= last {
            continue;
        }
        let shadowed = first ^ mask as usize;
        if !syscall::is_free(shadowed, last - first) || !YIELDED.add(first, last) {
            return false;
        }
        // SAFETY: a shadow of ours, of addresses where the program has nothing: nobody has looked there, nor will.
        unsafe { syscall::unmap(first, last - first) };
    }
    true
}

/// The program has mapped memory there. Zero: it must do without, since there is no place for its shadow.
#[unsafe(no_mangle)]
extern "C" fn __faultline_mapped(start: usize, length: usize) -> i32 {
    let Some(shared) = shared::shared() else { return 1 };
    let end = start.saturating_add(length.next_multiple_of(PAGE));
    let _blocked = Blocked::new();
    let _locked = lock(&LOCK);
    for (start, end) in outside_windows(start, end) {
        if FURTHER.iter().any(|(first, last)| first <= start && end <= last) {
            continue;
        }
        if !shadow::extend(start, end) || !FURTHER.add(start, end) {
            shared.header().refused_mapping.store(start as u64, Ordering::Relaxed);
            return 0;
        }
    }
    1
}
