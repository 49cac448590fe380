//! Ranking by spectra.
//!
//! # What it finds
//! Lines that failing tests have in common and passing tests do not.
//!
//! # How
//! Every test is recorded and judged. Its recording, replayed, gives what it did: the lines it executed, the outcomes of
//! their conditions, what their calls returned as far as a reader would tell values apart. A formula (Ochiai unless
//! another is asked for) weighs how many failing and passing tests did each thing; a line is as suspicious as the worst
//! that was done there.
//!
//! # Where it departs from the paper
//! Two conditions or calls of a line are told apart. A literal that a function returned (`return -1;`) is a value of its
//! own. Lines that are as suspicious share their ranks, from the best to the worst, and each is told with them.
//!
//! # What it misses
//! What tests do not tell apart: a line that all execute, failing or not, with the same outcomes.
//!
//! # Reference
//! Artzi, Dolby, Tip and Pistoia, *Directed Test Generation for Effective Fault Localization*; Abreu, Zoeteweij and van
//! Gemund, *An Evaluation of Similarity Coefficients for Software Fault Localization*.

mod run;
mod explain;

use std::time::Instant;

use execution::spectrum::Formula;
use experiment::sandbox::Walls;
use experiment::{LabError, Limits, ReferenceError, Test};
use findings::Findings;
use recording::ReadError;
use replay::ReplayError;

use crate::Progress;
pub use run::{Measured, measure};

#[derive(Debug, thiserror::Error)]
pub enum RankError {
    #[error("no test fails ({passing} of {passing} pass), so there is nothing to compare; add a test that fails")]
    NoneFails { passing: u32 },
    #[error("test {test}: {error}")]
    Record { test: String, error: LabError },
    #[error("test {test}: {error}")]
    Reference { test: String, error: ReferenceError },
    #[error("test {test}: {error}")]
    Read { test: String, error: ReadError },
    #[error("test {test}: {error}")]
    Replay { test: String, error: Box<ReplayError> },
    #[error(transparent)]
    Lab(#[from] LabError),
}

/// Runs the tests and ranks what they did.
pub fn find(tests: &[Test], formula: Formula, limits: &Limits, progress: &dyn Progress) -> Result<Findings, RankError> {
    let begun = Instant::now();
    let walls = Walls::needed().ok_or(LabError::NoWalls)?;
    let measured = measure(tests, walls, limits, progress)?;
    if measured.spectrum.failing == 0 {
        return Err(RankError::NoneFails { passing: measured.spectrum.passing });
    }
    let mut limits = explain::limits(&measured);
    limits.extend(walls.missing());
    Ok(Findings {
        findings: explain::findings(&measured, formula),
        chain: Vec::new(),
        limits,
        experiments: tests.len() as u64,
        seconds: begun.elapsed().as_secs_f64(),
    })
}
