//! What is claimed of implicit dependences and the final set.

use std::collections::{BTreeSet, HashMap, HashSet};

use experiment::Change;
use findings::{Also, Claim, Deed, Effect, Evidence, EvidenceKind, Finding, Limit, Location, Outcome, Revealed, Tried};
use replay::Step;
use source::named::Named;

use super::deciding::Deciding;
use super::expand::{Expanded, Proven};
use super::order::{Entry, Reason};
use super::switched::Shown;
use crate::effect::Righted;
use crate::missing::explain as missing;
use crate::pruning::Declared;
use subject::place::location;
use subject::telling::deed::{deeds, did};
use subject::telling::outcome::outcome;
use subject::telling::value::OtherValues;
use subject::trying::edited::edited;
use subject::{Fineness, Omitted, Repair, Subject, Suspect, TechniqueError};

pub fn suspects(
    subject: &Subject<'_, '_>,
    expanded: &Expanded,
    entries: &[Entry<'_>],
) -> Result<Vec<Suspect>, TechniqueError> {
    let mut steps: BTreeSet<Step> = entries.iter().map(|entry| entry.step).collect();
    steps.extend(expanded.deciding.iter().map(|one| one.predicate.at));
    steps.extend(expanded.proven.iter().map(|proven| proven.predicate.at));
    steps.extend(expanded.missing.stale.iter().map(|one| one.user));
    let known = deeds(subject.run, subject.sources, &steps)?;
    let suspects = entries.iter().zip(1..).map(|(entry, rank)| suspect(subject, expanded, entry, rank, &known));
    suspects.filter_map(Result::transpose).collect()
}

fn suspect(
    subject: &Subject<'_, '_>,
    expanded: &Expanded,
    entry: &Entry<'_>,
    rank: u32,
    known: &HashMap<Step, Deed>,
) -> Result<Option<Suspect>, TechniqueError> {
    let what = match &entry.began {
        Some(Declared { name, is_namesake, .. }) => {
            Claim::Initial { variable: name.as_str().into(), hides: *is_namesake }
        }
        None => did(known.get(&entry.step)),
    };
    let condition = |at: Step| location(subject.run, at);
    // What is said of it stands behind it, too.
    let alone = |claim: Claim| (vec![claim.clone()], vec![Evidence::by_dependence(claim)]);
    let after_what = |claim: Claim| (vec![what.clone(), claim.clone()], vec![Evidence::by_dependence(claim)]);
    let (claims, evidence) = match &entry.reason {
        Reason::Kept(one) => {
            let all: Vec<&Proven> =
                expanded.proven.iter().filter(|other| site(other.predicate.at) == site(one.predicate.at)).collect();
            let mut evidence: Vec<Evidence> = Vec::new();
            // Several uses of one line are one to the reader.
            for one in all {
                let shown = shown(subject, one)?;
                if !evidence.contains(&shown) {
                    evidence.push(shown);
                }
            }
            evidence.truncate(MOST_EVIDENCE);
            (kept(subject, one, known.get(&one.predicate.at))?, evidence)
        }
        Reason::Decided(one) => {
            let (kind, outcome) = match one.effect.righted {
                Righted::All => (EvidenceKind::Experiment, outcome(subject, Repair::All)),
                _ => (EvidenceKind::Dependence, Outcome::FirstWrong),
            };
            let claim = Claim::Repairs { change: change(subject, one, None)?, outcome };
            let claims = decided(known.get(&one.predicate.at)).into_iter().chain([claim.clone()]).collect();
            (claims, vec![Evidence { kind, claim }])
        }
        Reason::LeftAlone(one) => {
            let Some(condition) = condition(one.at) else { return Ok(None) };
            alone(Claim::LeftUnchanged { condition })
        }
        Reason::Beside(one) => {
            let Some(condition) = condition(one.at) else { return Ok(None) };
            after_what(Claim::SetOtherPart { condition })
        }
        Reason::Omitted(one) => {
            let Some(condition) = condition(one.at) else { return Ok(None) };
            alone(Claim::NotExecuted { condition })
        }
        Reason::UsedBy(one, _) => {
            let Some(condition) = condition(one.at) else { return Ok(None) };
            let effect = one.proven.map(|proven| effect(subject, proven));
            let uses = Claim::UsedBy { condition: condition.clone(), effect };
            (vec![what, uses], vec![Evidence::by_dependence(Claim::UsedBy { condition, effect: None })])
        }
        Reason::Behind(one, _) => {
            let Some(condition) = condition(one.at) else { return Ok(None) };
            after_what(Claim::DecidedWhatUsed { condition })
        }
        Reason::Ran(one) => {
            let Some(condition) = condition(one.at) else { return Ok(None) };
            alone(Claim::ExecutedBecause { condition })
        }
        Reason::Missing(suspicion) => missing::claims(subject, suspicion, &entry.location, what, known)?,
        Reason::Defined(Named { name, value, .. }, line) => {
            alone(Claim::NamedConstant { name: name.as_str().into(), value: value.as_str().into(), line: *line })
        }
        Reason::Failure(distance) => after_what(Claim::FailureDepends { distance: Some(*distance) }),
    };
    let finding = Finding {
        rank,
        location: entry.location.clone(),
        score: 1.0 / f64::from(rank),
        techniques: vec!["omission".into()],
        claims,
        evidence,
    };
    Ok(Some(Suspect { finding, steps: vec![entry.step], fineness: Fineness::Decided, tier: rank }))
}

/// Pieces of evidence for a condition.
const MOST_EVIDENCE: usize = 5;

fn site(at: Step) -> program::Site {
    at.site
}

/// What a condition brought about.
fn effect(subject: &Subject<'_, '_>, one: &Proven) -> Effect {
    match &one.shown {
        Shown::Redefined { by, .. } => Effect::Skipped { line: by.as_ref().map(|by| by.line) },
        Shown::Missing => Effect::Ran { line: user(subject, one).map(|user| user.line) },
        Shown::Righted => Effect::Failure,
        Shown::Unaffected => Effect::Nothing,
    }
}

fn user(subject: &Subject<'_, '_>, one: &Proven) -> Option<Location> {
    location(subject.run, one.user).filter(|_| !subject.run.functions.is_twin(one.user.site.function))
}

/// What a condition did, if it is known.
fn decided(deed: Option<&Deed>) -> Option<Claim> {
    let deed = deed.filter(|deed| matches!(deed, Deed::Decided { .. } | Deed::Chose { .. }))?;
    Some(Claim::Did { deed: deed.clone() })
}

fn kept(subject: &Subject<'_, '_>, one: &Proven, deed: Option<&Deed>) -> Result<Vec<Claim>, TechniqueError> {
    let mut claims: Vec<Claim> = decided(deed).into_iter().collect();
    claims.push(Claim::Effect { effect: effect(subject, one) });
    let outcome = match (one.passes(), one.is_strong()) {
        (true, _) => outcome(subject, Repair::All),
        (false, true) => Outcome::FirstWrong,
        (false, false) => {
            claims.push(Claim::FailureDepends { distance: None });
            return Ok(claims);
        }
    };
    claims.push(Claim::Repairs { change: proving(subject, one)?, outcome });
    Ok(claims)
}

/// The change that proved something of a condition.
fn proving(subject: &Subject<'_, '_>, one: &Proven) -> Result<findings::Change, TechniqueError> {
    let deciding = Deciding { predicate: one.predicate, experiment: one.experiment.clone(), effect: one.effect };
    let also = match (one.is_nested(), one.is_throughout()) {
        (true, _) => Some(Also::Inside),
        (_, true) => Some(Also::Always),
        _ => None,
    };
    change(subject, &deciding, also)
}

fn change(subject: &Subject<'_, '_>, one: &Deciding, also: Option<Also>) -> Result<findings::Change, TechniqueError> {
    let (at, evaluation) = (one.predicate.at, one.predicate.occurrence);
    Ok(match one.experiment.first().map(|first| &first.change) {
        Some(Change::Edit(edit)) => {
            findings::Change::Edit { edit: edited(subject, at, *edit)?, executions: None, also }
        }
        Some(Change::Replace(value)) => {
            let value = OtherValues::of(subject, [(at, *value)])?.get(at, *value);
            findings::Change::Case { value, evaluation, also }
        }
        _ => findings::Change::Condition { outcome: one.predicate.value == 0, evaluation, also },
    })
}

/// The experiment, and what it showed.
fn shown(subject: &Subject<'_, '_>, one: &Proven) -> Result<Evidence, TechniqueError> {
    let user = user(subject, one).map(|user| user.line);
    let revealed = match (&one.shown, user) {
        (Shown::Redefined { by, .. }, user) => Revealed::Runs { line: by.as_ref().map(|by| by.line), user },
        (Shown::Missing, Some(line)) => Revealed::DoesNotRun { line },
        (Shown::Missing | Shown::Righted | Shown::Unaffected, _) => Revealed::NoFailure,
    };
    let outcome = match (one.passes(), one.is_strong()) {
        (true, _) => Some(outcome(subject, Repair::All)),
        (false, true) => Some(Outcome::FirstWrong),
        (false, false) => None,
    };
    // What makes only the first wrong output right is a sign, not yet an answer.
    let kind = if one.passes() { EvidenceKind::Experiment } else { EvidenceKind::Dependence };
    Ok(Evidence { kind, claim: Claim::Reveals { change: proving(subject, one)?, revealed, outcome } })
}

/// Code that did not run, by the conditions that kept it from running.
pub fn omitted(subject: &Subject<'_, '_>, entries: &[Entry<'_>]) -> Vec<Omitted> {
    let of = |entry: &Entry<'_>| match entry.reason {
        Reason::Omitted(one) => {
            let condition = location(subject.run, one.at)?.line;
            Some(Omitted { location: entry.location.clone(), condition })
        }
        _ => None,
    };
    entries.iter().filter_map(of).collect()
}

/// What was tried, with what is left to examine.
pub fn tried(expanded: &Expanded, left: usize) -> Tried {
    let Expanded { explicit: (whole, unsure), candidates, proven, said, .. } = expanded;
    let conditions: HashSet<Step> = proven.iter().map(|one| one.predicate.at).collect();
    Tried::Omissions {
        steps: *whole as u64,
        unsure: *unsure as u64,
        conditions: *candidates as u64,
        effective: conditions.len() as u64,
        repairs: proven.iter().any(Proven::is_strong),
        left: left as u64,
        said: (said.0 as u64, said.1 as u64),
    }
}

pub fn limits(expanded: &Expanded) -> Vec<Limit> {
    let mut limits = Vec::new();
    if expanded.pruned.flow.is_cut {
        limits.push(Limit::LatestInstructions { count: expanded.pruned.flow.steps.len() as u64 });
    }
    if expanded.departed > 0 {
        limits.push(Limit::OmissionsNotReplayed { runs: expanded.departed });
    }
    if expanded.missing.are_uses_cut {
        limits.push(Limit::LikeliestUses);
    }
    if expanded.is_over {
        limits.push(Limit::OmissionsUnfinished);
    }
    limits
}
