//! Path generation.
//!
//! # What it finds
//! The nearest run of the same program that succeeds, with an input that makes it, and the conditions of the failing run that
//! go the other way in it. There is no need for a suite of tests, or for anybody to choose a run to compare with.
//!
//! # How
//! Two runs are compared by their branches: those that correspond (they are at the same place, and what they depend on
//! corresponds) and have different outcomes are the distance. Of two distances the one with the later branches is the nearer.
//! Paths are made in this order: the last branch of the failing run is reversed, then the last and the one before it, and so
//! on, each path being made of one that was made before. What a reversed branch leads to is found out by a run in which it is
//! reversed; conditions nested in there may go several ways, so there are several paths for the same reversed branches. Then
//! come the other branches of the failing run as they were, up to the failure. The failing run is forced along the path,
//! recorded, and replayed with symbols for its input. What held of them is the path's condition. A solver finds inputs of
//! which it holds, the program is run on them, and the first that goes the path and that the oracle calls right ends the search.
//! If the condition contradicts itself, all paths with the same beginning are left out; if it does so whatever came before
//! the first reversed branch, then so are all that end like it.
//!
//! # Where it departs from the paper
//! The paper compares whole statements; here only branches of the program's own code count. Those of library code go as they
//! go, so a number that is printed may have another number of digits. Where a condition hangs on library code (the length of a
//! string), the program is run with what was found, and the path is forced on that input once more. An input is tried where the
//! paper asks a person; several are tried for one path. Loop conditions are reversed only with `--loops`, as in the paper, which
//! never does. A third of the time is for the paper's order. If that does not suffice, paths with one reversed branch come
//! first, then those with two, and so on. The answer says so. Where the oracle cannot judge another input, the failing input is
//! forced along each path, and that run is judged.
//!
//! # What it misses
//! Faults that no condition guards, such as a wrong initial value: then some other path succeeds, and its conditions say
//! little. Inputs behind operations that the solver does not follow. A contradiction between conditions may be one only as
//! long as library code goes as it went; the answer says how often that was so.
//!
//! # Reference
//! Wang and Roychoudhury, *Automated Path Generation for Software Fault Localization*.

mod distance;
mod generate;
#[cfg(test)]
mod model;
#[cfg(test)]
mod theorem;
mod course;
mod guide;
mod condition;
mod candidates;
mod changed;
mod explain;

use std::time::Duration;

use budget::Budget;
use experiment::{Input, OnOtherInputs};
use findings::InputChange;
use replay::Step;

use crate::exploring::Reading;
use candidates::Candidates;
use course::Course;
use distance::distance;
pub use explain::found;
use generate::generate;
use subject::{Found, Subject, TechniqueError};

#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// Conditions of loops that may be reversed inside of one region; zero: none at all.
    pub loops: usize,
    /// Branches that may be reversed in one path; none: first any number, then few.
    pub most: Option<usize>,
}

/// What is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// Runs on inputs that go a path by themselves.
    OtherInputs,
    /// The failing input's run, forced along a path.
    SameInput,
}

/// What became of paths.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Paths that were examined.
    pub paths: u64,
    /// Paths whose conditions contradict each other.
    pub contradictory: u64,
    /// Of these, those where that need not be so if library code goes another way.
    pub inexact: u64,
    /// Paths that were left out since they begin as one of those.
    pub pruned: u64,
    /// Paths whose end is possible in no state, so that all with this end were left out.
    pub impossible: u64,
    /// Paths that were gone and failed.
    pub failing: u64,
    /// Paths for which no input was found, though nothing speaks against it.
    pub undecided: u64,
    /// Paths that a forced run could not be kept on.
    pub lost: u64,
    /// Paths that were left out since there were too many for the same reversed branches.
    pub beyond: u64,
    /// Inputs that were run.
    pub inputs: u64,
    /// Runs that went the path they were made for.
    pub followed: u64,
}

/// A branch that goes the other way in the run that succeeds.
#[derive(Clone, Copy, Debug)]
pub struct Reversed {
    pub at: Step,
    /// What it branched on there.
    pub value: u64,
    /// The how-manieth execution of its site it is.
    pub occurrence: u64,
}

/// The nearest run that succeeds.
pub struct Neighbour {
    /// As they come in the failing run.
    pub reversed: Vec<Reversed>,
    /// `None`: the failing input, forced.
    pub input: Option<Input>,
    /// Where the input differs from that of the failing run.
    pub changes: Vec<InputChange>,
}

/// What a search found.
pub struct Searched {
    pub neighbour: Option<Neighbour>,
    pub judged: Judged,
    pub counts: Counts,
    /// Branches of the failing run that could be reversed.
    pub branches: u64,
    /// Those that could not, since they are conditions of loops.
    pub of_loops: u64,
    /// So many branches were reversed at most, when the neighbour was found.
    pub at_most: Option<u64>,
    pub runs: u64,
    /// Runs that could not be made or replayed.
    pub failed: u64,
    /// Everything there is was tried, or something was found.
    pub is_complete: bool,
    /// The failing run has more choices than were looked at.
    pub is_cut: bool,
}

/// Searches a subject for the nearest run that succeeds.
pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    found(subject, &search(subject, Options::default())?)
}

/// What can be judged with the oracle of a subject.
pub fn judged(subject: &Subject<'_, '_>) -> Judged {
    match subject.lab.oracle().on_other_inputs() {
        OnOtherInputs::WrongEnding => Judged::SameInput,
        OnOtherInputs::Reference | OnOtherInputs::Check | OnOtherInputs::Status | OnOtherInputs::Ending => {
            Judged::OtherInputs
        }
    }
}

pub fn search(subject: &Subject<'_, '_>, options: Options) -> Result<Searched, TechniqueError> {
    let judged = judged(subject);
    let mut failing = Course::of_image(subject.run.image(), &subject.run.functions)?;
    let is_cut = failing.is_cut;
    if let Some(end) = subject.question.criterion.step(subject.run) {
        // What comes after the failure does not matter.
        failing.choices.retain(|choice| choice.at.clock <= end.clock);
    }
    let reading = Reading::of(subject.lab, symbol_limits(), question_limits());
    let all = subject.budget;
    let third = all.part(all.left() / 3);
    // The paper's order first; then paths with few reversed branches, if there was no time for all.
    let rounds: Vec<(Option<usize>, &Budget)> = match options.most {
        Some(most) => vec![(Some(most), all)],
        None => std::iter::once((None, &third)).chain((1..=MOST_REVERSED).map(|most| (Some(most), all))).collect(),
    };
    let mut searched = Searched {
        neighbour: None,
        judged,
        counts: Counts::default(),
        branches: 0,
        of_loops: 0,
        at_most: None,
        runs: 0,
        failed: 0,
        is_complete: false,
        is_cut,
    };
    for (most, budget) in rounds {
        let within = subject.within(budget);
        let mut candidates = Candidates::new(&within, options, judged, reading.clone(), failing.clone())?;
        let route = candidates.failing_route();
        (searched.branches, searched.of_loops) = candidates.reversible();
        let result = generate(&mut candidates, route, most.unwrap_or(usize::MAX));
        let (runs, failed) = candidates.runs();
        searched.runs += runs;
        searched.failed += failed;
        searched.counts.add(&candidates.counts);
        match result {
            Err(error) if error.spent().is_some() => {
                if all.is_over() {
                    break;
                }
            }
            Err(error) => return Err(error),
            Ok(Some(_)) => {
                searched.neighbour = neighbour(&candidates, subject)?;
                searched.at_most = most.map(|most| most as u64);
                searched.is_complete = true;
                break;
            }
            Ok(None) if most.is_none() || most.is_some_and(|most| most as u64 >= searched.branches) => {
                searched.is_complete = true;
                break;
            }
            Ok(None) => {}
        }
    }
    Ok(searched)
}

fn neighbour(
    candidates: &Candidates<'_, '_, '_>,
    subject: &Subject<'_, '_>,
) -> Result<Option<Neighbour>, TechniqueError> {
    let Some(success) = &candidates.success else { return Ok(None) };
    let failing = candidates.failing();
    // By definition, whatever the search meant to reverse.
    let branches = distance(&failing.events(), &success.course.events()).branches();
    let reversed = branches.iter().filter_map(|&branch| {
        let choice = failing.choices.get(branch)?;
        Some(Reversed { at: choice.at, value: choice.value, occurrence: failing.occurrence(branch) })
    });
    let reading = Reading::of(subject.lab, symbol_limits(), question_limits());
    let own = reading.first(subject.lab)?;
    let changes = success.input.as_ref().map_or_else(Vec::new, |input| changed::changes(&own, input));
    Ok(Some(Neighbour { reversed: reversed.collect(), input: success.input.clone(), changes }))
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.paths += other.paths;
        self.contradictory += other.contradictory;
        self.inexact += other.inexact;
        self.pruned += other.pruned;
        self.impossible += other.impossible;
        self.failing += other.failing;
        self.undecided += other.undecided;
        self.lost += other.lost;
        self.beyond += other.beyond;
        self.inputs += other.inputs;
        self.followed += other.followed;
    }
}

/// Branches that are reversed in one path at most, where there is no time for all.
const MOST_REVERSED: usize = 8;

fn symbol_limits() -> symbolic::Limits {
    symbolic::Limits { terms: 1 << 28, ..symbolic::Limits::default() }
}

/// A hard question is not worth waiting for while there are other paths.
fn question_limits() -> smt::Limits {
    smt::Limits { conflicts: 10_000, time: Duration::from_millis(500), ..smt::Limits::default() }
}
