//! A run recorded to its end, if it has one.
//!
//! Recording slows a program down, and the budget may leave little time. So an unfinished recording does not mean that the
//! run hangs: the program is then run without recording, and only if that does not end either is the run treated as a hang.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use budget::{Budget, Spent};
use recording::plan::{Plan, Steady};

use crate::case::Case;
use crate::error::LabError;
use crate::limits::Limits;
use crate::outcome::{End, Ran};
use crate::recorded_run::{Surroundings, record_run};
use crate::sandbox::{Notes, Noting, Readable, Walls};
use crate::server::RunLimits;
use crate::timeouts::{self, ENDLESS};
use crate::workers::{Batch, Workers};

/// A run, recorded.
pub struct Whole {
    pub ran: Ran,
    /// What it did with files.
    pub notes: Notes,
    pub extent: Extent,
    /// Of a run that waits for something without end: how long it computes before.
    pub waits_after: Option<Duration>,
}

/// How much of a run is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Whole,
    /// It had not ended after so long, recorded or not, so there is its beginning only.
    Beginning(Duration),
}

/// Records a case as it is, behind walls, whether it fails or not.
pub fn record_case(
    case: &Case,
    walls: Walls,
    limits: &Limits,
    to: &Path,
    budget: &Budget,
) -> Result<(Ran, Extent), LabError> {
    let (readable, noting) = (&Readable::Everything, Noting::Needed);
    let surroundings = Surroundings { walls, readable, noting, limits, spending: budget };
    record_whole(case, surroundings, Steady::at(now()), to).map(|whole| (whole.ran, whole.extent))
}

/// Records a case as it is. What is known of a run that comes to no end is how it was when it was broken off.
pub fn record_whole(case: &Case, surroundings: Surroundings<'_>, steady: Steady, to: &Path) -> Result<Whole, LabError> {
    let Surroundings { limits, spending: budget, .. } = surroundings;
    let record = |time: Duration, ticks: Option<u64>| {
        let (limits, plan) = (Limits { time, ..*limits }, Plan::new(Vec::new(), ticks, steady));
        record_run(case, Surroundings { limits: &limits, ..surroundings }, plan, to.to_path_buf())
    };
    // A quarter for each: recording, running, examining what they did, and experiments.
    let patience = limits.time.min(budget.left() / 4);
    let (ran, notes) = record(patience, None)?;
    if ran.end != End::TooLong {
        return Ok(Whole { ran, notes, extent: Extent::Whole, waits_after: None });
    }
    let patience = limits.time.min(budget.left() / 3);
    let (plain, took) = run_plainly(case, surroundings, steady, patience)?;
    if plain.end == End::TooLong {
        if patience < limits.time.min(timeouts::SHORTEST_HANG) {
            return Err(LabError::StillRunning(patience));
        }
        if plain.processor_time < took / WAITING {
            // It waits for something, so what was recorded is all there is.
            let waits_after = Some(plain.processor_time);
            return Ok(Whole { ran, notes, extent: Extent::Beginning(patience), waits_after });
        }
        let (ran, notes) = record(patience, Some(ENDLESS))?;
        return Ok(Whole { ran, notes, extent: Extent::Beginning(patience), waits_after: None });
    }
    let longer = timeouts::of_recording(limits.time).min(budget.left() / 2);
    if longer > patience {
        let (ran, notes) = record(longer, None)?;
        if ran.end != End::TooLong {
            return Ok(Whole { ran, notes, extent: Extent::Whole, waits_after: None });
        }
    }
    // Without time, nothing can be said of how slow it is.
    if budget.is_over() {
        return Err(LabError::Spent(budget.spent().unwrap_or(Spent::Time)));
    }
    Err(LabError::TooSlow { took, recorded: longer.max(patience) })
}

/// A run that computes for less than this part of the time waits.
const WAITING: u32 = 20;

/// The run without a recording, and how long it takes.
fn run_plainly(
    case: &Case,
    surroundings: Surroundings<'_>,
    steady: Steady,
    patience: Duration,
) -> Result<(Ran, Duration), LabError> {
    let Surroundings { walls, readable, limits, spending: budget, .. } = surroundings;
    let run_limits = RunLimits { patience, file: limits.file, memory: limits.memory, forks: limits.forks };
    let worker = Workers::start(case, walls, &Arc::new(readable.clone()), 1);
    let begun = Instant::now();
    let ran = worker.one(Batch::of(Plan::new(Vec::new(), None, steady), run_limits), budget);
    budget.go_on()?;
    Ok((ran?, begun.elapsed()))
}

/// Nanoseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}
