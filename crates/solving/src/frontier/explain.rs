//! What is claimed of polluted states.

use std::collections::{BTreeSet, HashMap};

use execution::dependence::Kind;
use experiment::Change;
use findings::{Claim, Deed, Evidence, EvidenceKind, Finding, Joint, Link, Tried, Value};
use graph::VertexId;
use replay::Step;
use source::told::value_in;

use super::member::State;
use super::search::{Cause, Searched};
use subject::Passage;
use subject::place::location;
use subject::telling::deed::{deeds, did};
use subject::telling::failure;
use subject::telling::outcome::outcome;
use subject::telling::value::OtherValues;
use subject::{Fineness, Found, Subject, Suspect, TechniqueError};

/// Links of the chain.
const MOST_LINKS: usize = 12;

pub fn found(subject: &Subject<'_, '_>, searched: &Searched) -> Result<Found, TechniqueError> {
    let steps: BTreeSet<Step> = searched.causes.iter().chain(&searched.passed).map(|cause| cause.member.at).collect();
    let known = deeds(subject.run, subject.sources, &steps)?;
    let stored =
        searched.causes.iter().chain(&searched.passed).filter_map(|cause| Some((cause.member.at, stored(cause)?)));
    let others = OtherValues::of(subject, stored)?;
    let mut suspects: Vec<Suspect> = Vec::new();
    for (cause, tier) in
        searched.causes.iter().map(|cause| (cause, 1)).chain(searched.passed.iter().rev().map(|c| (c, 2)))
    {
        let Some(place) = location(subject.run, cause.member.at) else { continue };
        let is_known = |suspect: &&mut Suspect| {
            (&suspect.finding.location.file, suspect.finding.location.line) == (&place.file, place.line)
        };
        let what = known.get(&cause.member.at);
        let evidence = evidence(subject, cause, what, tier, &others);
        if let Some(suspect) = suspects.iter_mut().find(is_known) {
            suspect.steps.push(cause.member.at);
            continue;
        }
        let rank = suspects.len() as u32 + 1;
        let finding = Finding {
            rank,
            location: place,
            score: 1.0 / f64::from(rank),
            techniques: vec!["frontier".into()],
            claims: claims(subject, cause, what, &others),
            evidence,
        };
        let fineness = if cause.member.is_decision() { Fineness::Decided } else { Fineness::Crude };
        suspects.push(Suspect { finding, steps: vec![cause.member.at], fineness, tier });
    }
    let way = way(subject, searched, &known)?;
    let polluted = searched.turns.iter().map(|turn| turn.polluted.len() as u64).sum();
    let tried = Tried::Cut {
        steps: searched.states.steps,
        turns: searched.turns.len() as u64,
        states: searched.states.altered,
        combinations: searched.states.combinations,
        polluted,
        said: searched.states.said,
    };
    let limits = searched.limits.clone();
    Ok(Found { suspects, limits, tried: vec![tried], experiments: searched.states.runs, way, ..Found::default() })
}

fn claims(subject: &Subject<'_, '_>, cause: &Cause, what: Option<&Deed>, others: &OtherValues) -> Vec<Claim> {
    let mut claims = vec![did(what), repairs(subject, cause, what, Values::All, others)];
    claims.extend(together(subject, cause));
    claims
}

fn together(subject: &Subject<'_, '_>, cause: &Cause) -> Option<Claim> {
    let places: Vec<_> = cause.with.iter().filter_map(|step| location(subject.run, *step)).collect();
    (!places.is_empty()).then_some(Claim::Together { places })
}

/// What an experiment put in place of the value of its own step.
fn stored(cause: &Cause) -> Option<u64> {
    let own = cause.proof.experiment.iter().find(|change| change.clock == cause.member.at.clock)?;
    match own.change {
        Change::Replace(value) => Some(value),
        _ => None,
    }
}

/// Which values of an assignment are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// That of the run that was made.
    One,
    /// All that would do, if they are known.
    All,
}

/// The change, and what came of it.
fn repairs(
    subject: &Subject<'_, '_>,
    cause: &Cause,
    what: Option<&Deed>,
    values: Values,
    others: &OtherValues,
) -> Claim {
    let outcome = outcome(subject, cause.proof.repair);
    let change = match &cause.member.state {
        State::Decided(predicate, _) => {
            let own = cause.proof.experiment.iter().find(|change| change.clock == cause.member.at.clock);
            match own.map(|change| &change.change) {
                Some(Change::Replace(value)) => findings::Change::Case {
                    value: others.get(cause.member.at, *value),
                    evaluation: predicate.occurrence,
                    also: None,
                },
                _ => findings::Change::Condition {
                    outcome: predicate.value == 0,
                    evaluation: predicate.occurrence,
                    also: None,
                },
            }
        }
        State::Assigned(assignment) => {
            let value = |word: u64| Value(value_in(subject.sources, &assignment.ty, &[word]));
            match (&cause.proof.range, stored(cause)) {
                (Some(range), _) if values == Values::All => {
                    let of = match what {
                        Some(Deed::Assigned { place, .. }) => Some(place.clone()),
                        _ => None,
                    };
                    findings::Change::Values { of, least: value(range.least), most: value(range.most) }
                }
                (_, Some(word)) => findings::Change::Assignment {
                    value: others.get(cause.member.at, word),
                    instead: what.and_then(Deed::value),
                    is_former: false,
                },
                _ => findings::Change::Something,
            }
        }
    };
    Claim::Repairs { change, outcome }
}

fn evidence(
    subject: &Subject<'_, '_>,
    cause: &Cause,
    what: Option<&Deed>,
    tier: u32,
    others: &OtherValues,
) -> Vec<Evidence> {
    let kind = cause.proof.repair.evidence();
    let mut all = vec![Evidence { kind, claim: repairs(subject, cause, what, Values::One, others) }];
    if cause.proof.range.as_ref().is_some_and(|range| range.least != range.most) {
        all.push(Evidence { kind: EvidenceKind::Solver, claim: repairs(subject, cause, what, Values::All, others) });
    }
    if tier > 1 {
        all.push(Evidence::by_dependence(Claim::WrongAlready));
    }
    all
}

/// From the first cause over what was polluted in earlier turns to the failure.
fn way(
    subject: &Subject<'_, '_>,
    searched: &Searched,
    known: &HashMap<Step, Deed>,
) -> Result<Vec<Passage>, TechniqueError> {
    let Some(first) = searched.causes.first() else { return Ok(Vec::new()) };
    let mut stations: Vec<&Cause> = vec![first];
    let mut later: Vec<&Cause> = searched.passed.iter().filter(|cause| cause.member.at > first.member.at).collect();
    later.sort_by_key(|cause| cause.member.at);
    for cause in later {
        // Only what the one before leads to.
        let before = stations[stations.len() - 1];
        if stations.len() < MOST_LINKS && searched.far(before.member.vertex, cause.member.vertex).is_some() {
            stations.push(cause);
        }
    }
    let mut way: Vec<Passage> = Vec::new();
    for (position, cause) in stations.iter().enumerate() {
        let Some(place) = location(subject.run, cause.member.at) else { continue };
        let before = position.checked_sub(1).map(|before| stations[before]);
        let (joint, by) = before.map_or((Joint::None, None), |before| joint(searched, before, cause.member.vertex));
        let link = Link { location: place, joint, claim: did(known.get(&cause.member.at)), rounds: 0 };
        way.push(Passage { link, step: cause.member.at, by });
    }
    if let Some(mut end) = failure::link(subject)? {
        let (joint, by) = joint(searched, stations[stations.len() - 1], VertexId(0));
        (end.link.joint, end.by) = (joint, by);
        way.push(end);
    }
    Ok(way)
}

fn joint(searched: &Searched, from: &Cause, to: VertexId) -> (Joint, Option<Kind>) {
    match searched.far(from.member.vertex, to) {
        None => (Joint::None, None),
        Some(0 | 1) if from.member.is_decision() => (Joint::Control, Some(Kind::Control)),
        Some(0 | 1) => (Joint::Data, Some(Kind::Data)),
        Some(far) => (Joint::LeftOut { steps: u64::from(far) - 1 }, None),
    }
}
