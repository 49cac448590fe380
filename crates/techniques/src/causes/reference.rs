//! Where a reference run comes from: another version of the program, or the failing program repaired by a switched
//! predicate.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use abi::StreamId;
use comparison::{Pair, Sides, site_map};
use execution::Run;
use execution::dependence::Follow;
use execution::predicates::predicates;
use execution::slice::Request;
use experiment::{Counterpart, Outcome};
use findings::Limit;
use replay::Step;
use source::sources::Sources;

use super::again::Again;
use super::differences::Differences;
use subject::trying::switches::{Candidate, candidates};
use subject::{Remedy, Subject, TechniqueError};

/// Predicates looked at, at most; the latest of a long run.
const MOST_PREDICATES: usize = 200_000;
/// Steps of the slice that are remembered one by one.
const MOST_STEPS: usize = 4_000_000;

/// Switches that make the run right.
pub struct Repairs {
    /// Those that the failure depends on first, and of these the nearest to it.
    pub all: Vec<Remedy>,
    pub runs: u64,
}

/// Looks for switches that repair the run, until there are `wanted`.
pub fn repairs(subject: &Subject<'_, '_>, wanted: usize) -> Result<Repairs, TechniqueError> {
    let found = predicates(subject.run, MOST_PREDICATES)?;
    let depended = Request::of(&subject.question.criterion).slice(subject.run, Follow::DataAndControl, MOST_STEPS)?;
    let in_slice: HashSet<Step> = depended.listed.iter().copied().collect();
    let all = candidates(subject.run, &found.steps, &in_slice, &[]);
    let experiments: Vec<_> = all.iter().map(Candidate::experiment).collect();
    let mut repairing = Vec::new();
    let mut done = 0;
    let tried = subject.lab.try_all(&experiments, |position, outcome| {
        done += 1;
        subject.progress.tried("conditions reversed, for a run to compare with", done, experiments.len());
        if outcome == Outcome::Passes {
            repairing.push(position);
        }
        let is_enough = repairing.len() >= wanted || subject.is_over();
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    repairing.sort_unstable();
    let remedy = |position: usize| Remedy { changes: experiments[position].clone(), edited: None };
    let all = repairing.into_iter().map(remedy).collect();
    Ok(Repairs { all, runs: tried.runs as u64 })
}

/// What came of opening a reference.
pub enum Compared<T> {
    Done(T),
    /// Why not.
    Limit(Limit),
}

/// Compares the failing run with itself, repaired.
pub fn with_repaired<T>(
    subject: &Subject<'_, '_>,
    by: &Remedy,
    look: impl FnOnce(&Differences<'_, '_>, &Again<'_>) -> Result<T, TechniqueError>,
) -> Result<Compared<T>, TechniqueError> {
    with_reference(subject, &Again::Repaired { lab: subject.lab, by }, look)
}

/// Compares the failing run with that of another version.
pub fn with_version<T>(
    subject: &Subject<'_, '_>,
    program: &Path,
    look: impl FnOnce(&Differences<'_, '_>, &Again<'_>) -> Result<T, TechniqueError>,
) -> Result<Compared<T>, TechniqueError> {
    let counterpart = Counterpart::open(subject.lab, program)?;
    match with_reference(subject, &Again::Version(&counterpart), look) {
        // It was not built by us, or by an older faultline-cc.
        Err(TechniqueError::Lab(experiment::LabError::Record(error))) => {
            Ok(Compared::Limit(Limit::ReferenceNotRecorded { error: error.to_string() }))
        }
        other => other,
    }
}

fn with_reference<T>(
    subject: &Subject<'_, '_>,
    again: &Again<'_>,
    look: impl FnOnce(&Differences<'_, '_>, &Again<'_>) -> Result<T, TechniqueError>,
) -> Result<Compared<T>, TechniqueError> {
    again.examine(&[], &subject.run.image().budget, |ran, image| {
        if (ran.obeyed as usize) < again.own_changes() || ran.was_refused {
            return Ok(Compared::Limit(Limit::NotDeterministic { which: again.compared() }));
        }
        let run = Run::new(image, StreamId::MAIN)?;
        let sources = Sources::new(image)?;
        let map = site_map(image, subject.run.image())?;
        let pair = Pair {
            runs: Sides { left: &run, right: subject.run },
            sources: Sides { left: &sources, right: subject.sources },
            map: map.as_ref(),
        };
        Ok(match Differences::of(pair, again.edited())? {
            Some(differences) => Compared::Done(look(&differences, again)?),
            None => Compared::Limit(Limit::NothingDiffers { which: again.compared() }),
        })
    })
}
