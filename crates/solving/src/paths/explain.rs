//! What is claimed of the nearest run that succeeds.

use std::collections::BTreeSet;

use findings::{Claim, Evidence, EvidenceKind, Finding, Limit, Near, Neighbouring, Tried, Unexamined};

use super::{Counts, Judged, Neighbour, Searched};
use subject::place::location;
use subject::telling::deed::deeds;
use subject::{Fineness, Found, Subject, Suspect, TechniqueError};

pub fn found(subject: &Subject<'_, '_>, searched: &Searched) -> Result<Found, TechniqueError> {
    let mut found = Found { experiments: searched.runs, limits: limits(searched), ..Found::default() };
    if let Some(neighbour) = &searched.neighbour {
        found.suspects = suspects(subject, neighbour)?;
    }
    let Counts { paths, contradictory, pruned, failing, undecided, .. } = searched.counts;
    found.tried = vec![Tried::Paths {
        judged: judged(searched.judged),
        paths,
        impossible: contradictory + pruned,
        failing,
        undecided: undecided + searched.counts.lost,
        reversed: searched.neighbour.as_ref().map(|one| one.reversed.len() as u64),
        at_most: searched.at_most,
    }];
    Ok(found)
}

fn judged(judged: Judged) -> Neighbouring {
    match judged {
        Judged::OtherInputs => Neighbouring::OtherInput,
        Judged::SameInput => Neighbouring::SameInput,
    }
}

/// The conditions that go the other way; those nearest to the failure first.
fn suspects(subject: &Subject<'_, '_>, neighbour: &Neighbour) -> Result<Vec<Suspect>, TechniqueError> {
    let steps: BTreeSet<_> = neighbour.reversed.iter().map(|one| one.at).collect();
    let did = deeds(subject.run, subject.sources, &steps)?;
    let mut suspects: Vec<Suspect> = Vec::new();
    for one in neighbour.reversed.iter().rev() {
        let Some(location) = location(subject.run, one.at) else { continue };
        if let Some(known) = suspects.iter_mut().find(|known| known.finding.location == location) {
            known.steps.push(one.at);
            continue;
        }
        let rank = suspects.len() as u32 + 1;
        let near = Near {
            is_same_input: neighbour.input.is_none(),
            changes: neighbour.changes.clone(),
            conditions: neighbour.reversed.len() as u64,
        };
        let nearby = Claim::Neighbour { near, evaluation: one.occurrence };
        let did = did.get(&one.at).map(|did| Claim::Did { deed: did.clone() });
        let evidence = vec![Evidence { kind: EvidenceKind::Experiment, claim: nearby.clone() }];
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["paths".into()],
            claims: did.into_iter().chain([nearby]).collect(),
            evidence,
        };
        suspects.push(Suspect { finding, steps: vec![one.at], fineness: Fineness::Decided, tier: 1 });
    }
    Ok(suspects)
}

pub(super) fn limits(searched: &Searched) -> Vec<Limit> {
    let counts = &searched.counts;
    let mut limits = Vec::new();
    if searched.judged == Judged::SameInput {
        limits.push(Limit::OtherInputsNotJudged);
    }
    for (kind, count) in [
        (Unexamined::Undecided, counts.undecided),
        (Unexamined::Lost, counts.lost),
        (Unexamined::TooMany, counts.beyond),
        (Unexamined::AsFarAsLibrary, if counts.inexact > 0 { counts.inexact + counts.pruned } else { 0 }),
        (Unexamined::NotRun, searched.failed),
        (Unexamined::OfLoops, searched.of_loops),
    ] {
        if count > 0 {
            limits.push(Limit::PathsNotExamined { kind, count });
        }
    }
    if searched.is_cut {
        limits.push(Limit::PathCut);
    }
    if !searched.is_complete {
        limits.push(Limit::PathsUnfinished { branches: searched.branches });
    }
    limits
}
