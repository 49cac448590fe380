//! A run recorded to its end, if it has one.
//!
//! Recording slows a program down, and so does a budget that leaves little time; that a recording had to be broken off
//! does not mean that the run hangs. So the program is then run as it is, and only if that comes to no end, either, is the
//! beginning taken for the whole.

use std::path::Path;
use std::time::{Duration, Instant};

use budget::Budget;
use recording::plan::Plan;

use crate::case::Case;
use crate::lab::{ENDLESS, LabError, Limits, record_run};
use crate::outcome::{End, Ran};
use crate::sandbox::Walls;
use crate::server::RunLimits;
use crate::workers::{Batch, Workers};

/// How much of a run is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Whole,
    /// It had not ended after so long, recorded or not, so there is its beginning only.
    Beginning(Duration),
}

/// Of a run that was not waited for this long, nobody can say that it does not end.
const SHORTEST: Duration = Duration::from_secs(1);

/// A run that ends is recorded for at most so many times as long as a run may take, whatever the budget.
const MOST_TIMES: u32 = 10;

/// Records a case as it is. What is known of a run that comes to no end is how it was when it was broken off.
pub fn record_whole(
    case: &Case,
    walls: Walls,
    limits: &Limits,
    epoch: u64,
    to: &Path,
    budget: &Budget,
) -> Result<(Ran, Extent), LabError> {
    let record = |time: Duration, ticks: Option<u64>| {
        let (limits, plan) = (Limits { time, ..*limits }, Plan::new(Vec::new(), ticks, epoch));
        record_run(case, walls, &limits, plan, to.to_path_buf(), budget)
    };
    // A quarter for each: recording, running, examining what they did, and experiments.
    let patience = limits.time.min(budget.left() / 4);
    let recorded = record(patience, None)?;
    if recorded.end != End::TooLong {
        return Ok((recorded, Extent::Whole));
    }
    let patience = limits.time.min(budget.left() / 3);
    let (ran, took) = run_plainly(case, walls, limits, epoch, patience, budget)?;
    if ran.end == End::TooLong {
        if patience < limits.time.min(SHORTEST) {
            return Err(LabError::StillRunning(patience));
        }
        return Ok((record(limits.time, Some(ENDLESS))?, Extent::Beginning(patience)));
    }
    let longer = (limits.time * MOST_TIMES).min(budget.left() / 2);
    if longer > patience {
        let recorded = record(longer, None)?;
        if recorded.end != End::TooLong {
            return Ok((recorded, Extent::Whole));
        }
    }
    Err(LabError::TooSlow { took, recorded: longer.max(patience) })
}

/// The run without a recording, and how long it takes.
fn run_plainly(
    case: &Case,
    walls: Walls,
    limits: &Limits,
    epoch: u64,
    patience: Duration,
    budget: &Budget,
) -> Result<(Ran, Duration), LabError> {
    let run_limits = RunLimits { patience, file: limits.file, memory: limits.memory, forks: limits.forks };
    let worker = Workers::start(case, walls, 1);
    let begun = Instant::now();
    let ran = worker.one(Batch::of(Plan::new(Vec::new(), None, epoch), run_limits), budget);
    budget.go_on()?;
    Ok((ran?, begun.elapsed()))
}
