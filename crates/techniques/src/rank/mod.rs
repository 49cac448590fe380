//! Ranking by spectra.
//!
//! # What it finds
//! Lines that failing tests have in common and passing tests do not.
//!
//! # How
//! Every test is recorded and judged. Its recording, replayed, gives what it did: the lines it executed, the outcomes of
//! their conditions, what their calls returned, as far as a reader would distinguish the values. A formula (Ochiai unless
//! another is asked for) weighs how many failing and passing tests did each thing; a line is as suspicious as the
//! most suspicious thing done there.
//!
//! # Where it departs from the paper
//! Two conditions or calls of a line are distinguished. A literal that a function returned (`return -1;`) is a value of its
//! own. Lines that are equally suspicious share their ranks, from the best to the worst, and each is reported with both.
//!
//! # What it misses
//! What tests do not distinguish: a line that all execute, failing or not, with the same outcomes.
//!
//! # Reference
//! Artzi, Dolby, Tip and Pistoia, *Directed Test Generation for Effective Fault Localization*; Abreu, Zoeteweij and van
//! Gemund, *An Evaluation of Similarity Coefficients for Software Fault Localization*.

mod run;

use budget::Budget;
use experiment::sandbox::Walls;
use experiment::{LabError, Limits, Test};
use findings::{Findings, Limit};
use source::coverage::coverage;
use spectrum::{Formula, Group};

pub use run::measure;
pub use subject::error::RankError;
pub use subject::measured::Measured;
use subject::telling::suspicion;
use subject::{Found, Progress, Subject, TechniqueError};

/// Runs the tests and ranks what they did.
pub fn find(
    tests: &[Test],
    formula: Formula,
    limits: &Limits,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Findings, RankError> {
    let walls = Walls::needed().ok_or(LabError::NoWalls)?;
    let measured = measure(tests, walls, limits, budget, progress)?;
    // Of tests that were not run nothing is known.
    if measured.spectrum.failing == 0 && measured.not_run == 0 {
        return Err(RankError::NoneFails { passing: measured.spectrum.passing });
    }
    let mut found = suspicion::found(&measured, formula, "rank");
    found.limits.extend(walls.missing().into_iter().map(|text| Limit::Stated { text }));
    // Tests were run; no experiment had to show anything.
    Ok(Findings { unproven: false, ..found.into_findings(budget.elapsed()) })
}

/// Runs the tests of a subject; its failing run is one more of them.
pub fn find_with_case(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    let walls = Walls::needed().ok_or(LabError::NoWalls)?;
    let limits = Limits { time: subject.lab.patience(), ..Limits::default() };
    let mut measured = measure(subject.tests, walls, &limits, subject.budget, subject.progress)?;
    let case = subject.lab.case();
    let is_case = |test: &Test| test.case.arguments == case.arguments && test.case.input == case.input;
    if !subject.tests.iter().any(is_case) {
        let done = coverage(subject.run.image().recording, &subject.run.image().budget)?;
        measured.add(Group::Failing, done);
    }
    Ok(suspicion::found(&measured, Formula::Ochiai, "rank"))
}
