//! Two switches in one run, where no single one repairs it.
//!
//! After the first switch the run is on its own, so what can be switched then is found by looking at that run.

use std::ops::ControlFlow;

use abi::StreamId;
use execution::Run;
use execution::predicates::{Predicate, predicates};
use experiment::Outcome;

use super::{Critical, Switched};
use subject::trying::other_ways::other_ways;
use subject::trying::switches::Candidate;
use subject::{Effort, Repair, Subject, TechniqueError};

/// How many first switches are tried with others, and second switches for each, the nearest to the end first.
fn most(effort: Effort) -> (usize, usize) {
    match effort {
        Effort::Everything => (64, 2000),
        Effort::UntilSettled => (12, 300),
    }
}

pub fn switch_pairs(
    subject: &Subject<'_, '_>,
    candidates: &[Candidate],
    switched: &mut Switched,
) -> Result<(), TechniqueError> {
    let firsts: Vec<&Candidate> =
        candidates.iter().filter(|candidate| candidate.is_in_slice).take(most(subject.effort).0).collect();
    for (position, &first) in firsts.iter().enumerate() {
        if subject.is_over() || switched.critical.iter().any(|one| one.with.is_some()) {
            break;
        }
        subject.progress.tried("pairs of conditions reversed", position, firsts.len());
        let found = with_first(subject, first, switched)?;
        switched.critical.extend(found);
    }
    Ok(())
}

/// Tries what can be switched after this.
fn with_first(
    subject: &Subject<'_, '_>,
    first: &Candidate,
    switched: &mut Switched,
) -> Result<Vec<Critical>, TechniqueError> {
    let seconds: Vec<(Predicate, _)> = subject.examine(&first.experiment(), |_, image| {
        let run = Run::new(image, StreamId::MAIN)?;
        let found = predicates(&run, most(subject.effort).1)?.steps.into_iter().rev();
        let later = found.filter(|predicate| predicate.at.clock > first.predicate.at.clock);
        Ok(later.flat_map(|p| other_ways(&run, &p).into_iter().map(move |change| (p, change))).collect())
    })?;
    switched.runs += 1;
    let experiments: Vec<_> = seconds
        .iter()
        .map(|(predicate, change)| {
            let second = experiment::Intervention { clock: predicate.at.clock, change: change.clone() };
            vec![first.intervention(), second]
        })
        .collect();
    let mut critical = Vec::new();
    let tried = subject.lab.try_all(&experiments, |position, outcome| {
        if outcome == Outcome::Passes {
            critical.push(position);
        }
        if subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    switched.pairs_tried += tried.count;
    switched.runs += tried.runs as u64;
    critical.sort_unstable();
    Ok(critical.into_iter().map(|position| Critical::of(first, Repair::All, Some(seconds[position].0))).collect())
}
