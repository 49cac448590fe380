//! A test of a suite, recorded and judged.

use std::path::Path;

use budget::Budget;
use experiment::sandbox::Walls;
use experiment::{Limits, Test, Verdict, record_case};
use recording::Recording;
use replay::ReplayError;

use crate::rank::RankError;

/// Records a test to `path`, judges it, and looks at the recording, which is gone afterwards.
pub fn tested<T>(
    test: &Test,
    walls: Walls,
    limits: &Limits,
    path: &Path,
    budget: &Budget,
    look: impl FnOnce(&Recording) -> Result<T, ReplayError>,
) -> Result<(Verdict, T), RankError> {
    let name = || test.name.clone();
    let oracle = test.oracle(limits.time).map_err(|error| RankError::Reference { test: name(), error })?;
    // What a run does that comes to no end shows early, and all of it would take long to replay.
    let recorded = record_case(&test.case, walls, limits, path, budget);
    let (ran, _) = recorded.map_err(|error| RankError::Record { test: name(), error })?;
    let verdict = oracle.judge(&ran).map_err(|error| RankError::Record { test: name(), error: error.into() })?;
    let recording = Recording::open(path).map_err(|error| RankError::Read { test: name(), error })?;
    let seen = look(&recording).map_err(|error| RankError::Replay { test: name(), error: Box::new(error) })?;
    drop(recording);
    // The folder goes with all that is in it; this only keeps it small meanwhile.
    let _ = std::fs::remove_file(path);
    Ok((verdict, seen))
}
