//! Directed tests.
//!
//! # What it finds
//! Lines that runs near the failing one tell apart: there is no suite of tests, so the few tests that separate the fault are
//! made, and what they did is ranked.
//!
//! # How
//! The failing run is recorded and replayed with symbols for its input. Each condition of its path, reversed with all before it
//! kept, is a candidate; a solver finds an input for it, which becomes a test: run in the sandbox, recorded, and judged by
//! the oracle. Its path has candidates in turn. Which candidate comes next is a matter of selection. `pcs` takes the one
//! whose path, as it is predicted before anything is run, has most in common with the path of a failing run; `is` the one
//! whose input has; `coverage` one that goes a way nobody has gone; `base` does so too, but begins with an empty input. `near`
//! first makes the failing input as small as it can; then it searches, by halves and for each condition, for the place on the failing path where reversing it begins to prevent the
//! failure, and otherwise takes the most similar path of the kind, failing or passing, that there are fewer of. A test fails only if it fails in the same way
//! as the first: with the same signal at the same place, or as wrong with the same exit status. One that fails otherwise
//! passes as far as this fault is concerned, and is reported as another failure. After each test, what failing and passing
//! tests did is ranked by Ochiai; when ten tests in a row have changed nothing about the first ten lines, the ranking has
//! settled. `why` generates tests where runs on other inputs can be judged and there are neither tests nor a version that works. It
//! also tries on them, and on parts of the failing input that do not fail, what prevents the failure: an edit that changes what
//! they do is not told before what the failure depends on.
//!
//! # Where it departs from the paper
//! `near` is not the paper's. Paths of unequal length are compared by their share of the longer one. A condition is a place in
//! the program and the way control went there, whichever evaluation it was. A loop makes one condition many times, and the
//! paper's order would reverse them all, or follow one into ever longer inputs; here `pcs` and `is` reverse each condition
//! once before they reverse any again. Now and then they keep the path of a failing run and give a byte of its input another
//! value, since failing may be a matter of values that no condition asks about (a divisor). An argument is one input; so is
//! each byte of standard input or of a file. The paper solves all candidates before it chooses; here `is` alone must. An empty
//! input has as many arguments as the failing one, all empty. Two runs on the same path may differ in what they compute, so
//! both count as tests. Where the oracle cannot tell what is right on another input, a person can be asked: first about the
//! test that did half of what is most suspicious.
//!
//! # What it misses
//! What no solved condition reaches: input that went through floating point, or through code that is not instrumented. A
//! fault that all tests execute alike. Without an oracle for other inputs, and without a person, it can do nothing.
//!
//! # Reference
//! Artzi, Dolby, Tip and Pistoia, *Directed Test Generation for Effective Fault Localization*.

mod similarity;
mod path;
mod candidates;
mod run;
mod settled;
mod parts;
mod search;
mod ask;
mod written;
mod explain;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use experiment::{End, Input, Lab, Ran};
use findings::{Limit, Line, Location};
use spectrum::Formula;

use crate::exploring::Reading;
use ask::Pending;
pub use ask::{Person, Said, Shown};
pub use explain::found;
use search::Search;
pub use similarity::Compared;
use subject::measured::Measured;
use subject::telling::suspicion::ranking;
use subject::{Found, Passing, Progress, Subject, TechniqueError};
pub use written::{Written, write};

/// Which candidate comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Near the places where the given path's turns begin to fail.
    Near,
    /// Whose path is most like that of a failing run.
    PathConstraints(Compared),
    /// Whose input is most like that of a failing run.
    Inputs,
    /// That goes a new way.
    Coverage,
    /// The same, from an empty input.
    Base,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub selection: Selection,
    /// Tests made at most.
    pub most: usize,
    /// Stop when the ranking has settled.
    pub until_settled: bool,
    /// A person will judge what the oracle cannot.
    pub asks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { selection: Selection::Near, most: 200, until_settled: true, asks: false }
    }
}

/// What tests are made with.
pub struct Means<'a> {
    pub lab: &'a Lab,
    pub options: Options,
    pub budget: &'a Budget,
    pub progress: &'a dyn Progress,
}

/// What was generated.
pub struct Generated {
    pub selection: Selection,
    /// The failing one first.
    pub tests: Vec<Test>,
    pub measured: Measured,
    /// Failures that are not the one that is asked about.
    pub others: Vec<OtherFailure>,
    pub ended: Ended,
    /// How many tests there were, besides the failing one, when the ranking had settled.
    pub settled: Option<usize>,
    /// Since the budget began.
    pub seconds: f64,
    /// Runs that made the failing input smaller.
    pub shrinking: u64,
    /// Questions that a person answered.
    pub questions: u64,
    /// Inputs that could not be run, or whose run could not be replayed.
    pub not_run: u64,
    /// Turns of which it was not found out in time whether an input makes them.
    pub unknown: u64,
    /// Turns left out, since many like them were tried.
    pub alike: u64,
    /// Conditions that were left out of paths, since there were too many.
    pub beyond: u64,
    /// Functions and lines where input was no longer followed, and in how many runs.
    pub lost: BTreeMap<(String, u32), u64>,
}

/// A test, and what it showed.
pub struct Test {
    pub input: Arc<Input>,
    pub ran: Ran,
    pub verdict: Verdict,
    /// When it was done, since the budget began.
    pub seconds: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passes,
    /// In the same way as the first.
    Fails,
    /// It counts as passing.
    FailsOtherwise,
    /// A person is to judge it.
    Pending,
    /// Nobody can tell; it does not count.
    Undecided,
}

impl Test {
    fn fails(&self) -> bool {
        self.verdict == Verdict::Fails
    }
}

impl Verdict {
    /// Whether it counts as failing or as passing, if it counts.
    fn fails(self) -> Option<bool> {
        match self {
            Verdict::Fails => Some(true),
            Verdict::Passes | Verdict::FailsOtherwise => Some(false),
            Verdict::Pending | Verdict::Undecided => None,
        }
    }
}

/// Another failure, found on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherFailure {
    pub end: End,
    pub location: Option<Location>,
    /// Positions of the tests that show it.
    pub tests: Vec<usize>,
}

/// Why no more tests were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Settled,
    /// There is no condition left to turn.
    Exhausted,
    /// As many as there should be at most.
    Enough,
    Spent,
    /// Whoever listens wanted no more.
    Stopped,
}

/// Makes tests for a subject, and ranks what they did.
pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    if let Some(why) = why_not(subject.lab) {
        return Ok(Found { limits: vec![Limit::Stated { text: why.into() }], ..Found::default() });
    }
    let Subject { lab, budget, progress, .. } = *subject;
    let passing = parts::passing_parts(lab, budget)?;
    let means = Means { lab, options: Options::default(), budget, progress };
    let generated = match generate(&means, None, |_| ControlFlow::Continue(())) {
        Err(error) if error.spent().is_some() => {
            let limit =
                Limit::Stated { text: "In the time for it, no test near the failing one was generated.".into() };
            return Ok(Found { passing, limits: vec![limit], ..Found::default() });
        }
        other => other?,
    };
    let mut found = found(&generated);
    if generated.measured.spectrum.passing == 0 {
        // What failing tests alone have in common is all that the failing run executed.
        found.suspects.clear();
        found.limits.retain(|limit| *limit != Limit::NoTestPasses);
    }
    let tests = generated.tests.into_iter().filter(|test| test.verdict == Verdict::Passes);
    found.passing = passing;
    found.passing.extend(tests.map(|Test { input, ran, .. }| Passing { input, ran }));
    Ok(found)
}

/// Makes tests. `each` hears of every one and may break off.
pub fn generate(
    means: &Means<'_>,
    person: Option<&dyn Person>,
    each: impl FnMut(&Generated) -> ControlFlow<()>,
) -> Result<Generated, TechniqueError> {
    let mut search = Search::new(means, Reading::of(means.lab, symbol_limits(), question_limits()));
    let ended = match search.go(each) {
        // What was found until then stands.
        Err(error) if error.spent().is_some() && search.generated.made() > 0 => Ended::Spent,
        other => other?,
    };
    let Search { mut generated, pending, .. } = search;
    generated.ended = ended;
    if let Some(person) = person {
        ask::ask(&mut generated, means.lab.case(), pending, person);
    }
    Ok(generated)
}

/// Lines that a failing test executed, the most suspicious first, each with the ranks that it shares.
pub fn ranked_lines(generated: &Generated) -> Vec<(Line, RangeInclusive<usize>)> {
    let ranking = ranking(&generated.measured, Formula::Ochiai);
    let lines = ranking.into_iter().filter_map(|one| Some((one.what.first()?.0.line.clone(), one.ranks)));
    lines.collect()
}

/// Why tests cannot be judged, if they cannot, and what would help.
pub fn why_not(lab: &Lab) -> Option<&'static str> {
    lab.oracle().on_other_inputs().why_not()
}

fn symbol_limits() -> symbolic::Limits {
    symbolic::Limits { terms: 1 << 28, ..symbolic::Limits::default() }
}

/// A hard question is not worth waiting for while there are others.
fn question_limits() -> smt::Limits {
    smt::Limits { conflicts: 4_000, time: Duration::from_millis(100), ..smt::Limits::default() }
}

impl Generated {
    fn new(selection: Selection) -> Generated {
        Generated {
            selection,
            tests: Vec::new(),
            measured: Measured::default(),
            others: Vec::new(),
            ended: Ended::Spent,
            settled: None,
            seconds: 0.0,
            shrinking: 0,
            questions: 0,
            not_run: 0,
            unknown: 0,
            alike: 0,
            beyond: 0,
            lost: BTreeMap::new(),
        }
    }

    /// Tests besides the failing one.
    pub fn made(&self) -> usize {
        self.tests.len().saturating_sub(1)
    }

    /// Of those, how many have this verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.tests.iter().skip(1).filter(|test| test.verdict == verdict).count() as u64
    }

    /// Tests that fail in the same way, with the first; that pass; that fail otherwise.
    pub fn counts(&self) -> (u64, u64, u64) {
        let first = u64::from(!self.tests.is_empty());
        (first + self.count(Verdict::Fails), self.count(Verdict::Passes), self.count(Verdict::FailsOtherwise))
    }

    /// What a test is called.
    pub fn name(position: usize) -> String {
        if position == 0 { "failing".into() } else { format!("{position:03}") }
    }
}

impl OtherFailure {
    fn note(all: &mut Vec<OtherFailure>, end: End, location: Option<Location>, test: usize) {
        match all.iter_mut().find(|known| known.end == end && known.location == location) {
            Some(known) => known.tests.push(test),
            None => all.push(OtherFailure { end, location, tests: vec![test] }),
        }
    }
}
