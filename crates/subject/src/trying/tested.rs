//! A test of a suite, recorded and judged.

use std::path::Path;

use budget::Budget;
use experiment::sandbox::Walls;
use experiment::{LabError, Limits, Test, Verdict};
use recording::Recording;
use replay::ReplayError;

use crate::error::RankError;

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
    let verdict = test.record(walls, limits, path, budget).map_err(|error| match error {
        LabError::Reference(error) => RankError::Reference { test: name(), error },
        error => RankError::Record { test: name(), error },
    })?;
    let recording = Recording::open(path).map_err(|error| RankError::Read { test: name(), error })?;
    let seen = look(&recording).map_err(|error| RankError::Replay { test: name(), error: Box::new(error) })?;
    drop(recording);
    // The folder goes with all that is in it; this only keeps it small meanwhile.
    let _ = std::fs::remove_file(path);
    Ok((verdict, seen))
}
