//! How long things may take, in one place. What a changed run may take follows from what the unchanged one took.
//!
//! Whatever stands here, no wait is longer than the budget leaves.

use std::time::Duration;

/// A run, as long as nothing is known of it.
pub const RUN: Duration = Duration::from_secs(10);
/// A check of the user's.
pub const CHECK: Duration = Duration::from_secs(10);
/// A program until it comes to its first instruction.
pub const LOADING: Duration = Duration::from_secs(30);
/// How much later than a run's end its server may answer: the run may have stopped the checkpoint it came from.
pub const LATE_ANSWER: Duration = Duration::from_secs(5);
/// Of a run that was not waited for this long, nobody can say that it does not end.
pub const SHORTEST_HANG: Duration = Duration::from_secs(1);
/// However fast the failing run is, a changed one has this much time: the machine may be busy.
const SHORTEST_CHANGED: Duration = Duration::from_secs(2);
/// So many times as long as the failing run.
const TIMES_CHANGED: u32 = 20;
/// Likewise in ticks, and these in addition: a run of a few ticks may become one of many that ends.
const TIMES_TICKS: u64 = 10;
const MORE_TICKS: u64 = 1_000_000;
/// A run that a busy machine kept from coming to its first intervention has so many times as long when it is made again.
pub const TIMES_HELD_UP: u32 = 2;
/// Ticks that are kept of a run that comes to no end.
pub const ENDLESS: u64 = 1_000_000;
/// A run that ends is recorded for at most so many times as long as a run may take, whatever the budget.
const TIMES_RECORDED: u32 = 10;

/// For a changed run, where the failing one took this long and no run may take longer than `most`.
pub fn of_changed_run(failing: Duration, most: Duration) -> Duration {
    (failing * TIMES_CHANGED).min(most).max(SHORTEST_CHANGED)
}

/// Ticks for a changed run, where the failing one had so many.
pub fn ticks_of_changed_run(failing: u64) -> u64 {
    failing.saturating_mul(TIMES_TICKS).saturating_add(MORE_TICKS)
}

/// For recording a run that is known to end, where no other run may take longer than `most`.
pub fn of_recording(most: Duration) -> Duration {
    most * TIMES_RECORDED
}
