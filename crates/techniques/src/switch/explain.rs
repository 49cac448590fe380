//! What is claimed of critical predicates.

use std::collections::BTreeSet;

use experiment::Change;
use findings::{Also, Claim, Deed, Evidence, EvidenceKind, Experiments, Finding, Limit, Site, Tried};

use super::rank::CriticalSite;
use super::{Critical, Switched};
use subject::place::location;
use subject::telling::deed::deeds;
use subject::telling::outcome::{outcome, reaches_failure, success};
use subject::telling::value::OtherValues;
use subject::{Fineness, Subject, Suspect, TechniqueError};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 5;

pub fn suspects(subject: &Subject<'_, '_>, sites: &[CriticalSite]) -> Result<Vec<Suspect>, TechniqueError> {
    let shown = &sites[..sites.len().min(MOST)];
    let steps: BTreeSet<_> = shown.iter().flat_map(|site| site.critical.iter().map(|one| one.predicate.at)).collect();
    let did = deeds(subject.run, subject.sources, &steps)?;
    let cases = shown.iter().flat_map(|site| &site.critical).filter_map(|one| match one.change {
        Change::Replace(value) => Some((one.predicate.at, value)),
        _ => None,
    });
    let values = OtherValues::of(subject, cases)?;
    let mut suspects = Vec::new();
    for site in shown {
        let Some(nearest) = site.critical.first() else { continue };
        let Some(location) = location(subject.run, nearest.predicate.at) else { continue };
        let rank = suspects.len() as u32 + 1;
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["switch".into()],
            claims: claims(subject, nearest, did.get(&nearest.predicate.at), &values),
            evidence: evidence(subject, site, &values),
        };
        let steps = site.critical.iter().map(|one| one.predicate.at).collect();
        suspects.push(Suspect { finding, steps, fineness: Fineness::Decided, tier: rank });
    }
    Ok(suspects)
}

fn claims(subject: &Subject<'_, '_>, critical: &Critical, did: Option<&Deed>, values: &OtherValues) -> Vec<Claim> {
    let did = did.filter(|did| matches!(did, Deed::Decided { .. } | Deed::Chose { .. }));
    let did = did.map(|did| Claim::Did { deed: did.clone() });
    did.into_iter().chain([repairs(subject, critical, values)]).collect()
}

/// What the experiment changed, and what came of it.
fn repairs(subject: &Subject<'_, '_>, one: &Critical, values: &OtherValues) -> Claim {
    let also = one.with.map(|with| Also::Later { at: location(subject.run, with.at) });
    let evaluation = one.predicate.occurrence;
    let change = match &one.change {
        Change::Replace(value) => {
            findings::Change::Case { value: values.get(one.predicate.at, *value), evaluation, also }
        }
        _ => findings::Change::Condition { outcome: one.predicate.value == 0, evaluation, also },
    };
    Claim::Repairs { change, outcome: outcome(subject, one.repair) }
}

fn evidence(subject: &Subject<'_, '_>, site: &CriticalSite, values: &OtherValues) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    for one in site.critical.iter().take(MOST_EVIDENCE) {
        evidence.push(Evidence { kind: one.repair.evidence(), claim: repairs(subject, one, values) });
    }
    if let Some(more) = site.critical.len().checked_sub(MOST_EVIDENCE).filter(|&more| more > 0) {
        let claim = Claim::MoreEvaluations { count: more as u64 };
        evidence.push(Evidence { kind: site.critical[MOST_EVIDENCE].repair.evidence(), claim });
    }
    if site.critical.iter().any(|one| one.is_in_slice) {
        let claim = Claim::FailureDepends { distance: None };
        evidence.push(Evidence { kind: EvidenceKind::Dependence, claim });
    }
    evidence.extend(site.comes_back.then(|| reaches_failure(subject)));
    if site.explains > 0 {
        let claim = Claim::Explains { kind: Site::Condition, count: site.explains as u64 };
        evidence.push(Evidence { kind: EvidenceKind::Dependence, claim });
    }
    evidence
}

/// What was tried, and how much of it made the run right.
pub fn tried(switched: &Switched, sites: &[CriticalSite]) -> Tried {
    let repairs = |repair| switched.critical.iter().filter(|one| one.repair == repair).count() as u64;
    let places = |repair| sites.iter().filter(|site| site.critical[0].repair == repair).count() as u64;
    Tried::Switched {
        evaluations: switched.evaluations as u64,
        of: switched.total,
        // One evaluation of a switch can go several other ways.
        ways: (switched.tried > switched.evaluations).then_some(switched.tried as u64),
        pairs: switched.pairs_tried as u64,
        success: success(repairs, places),
    }
}

/// What was not tried.
pub fn limits(switched: &Switched) -> Vec<Limit> {
    if switched.tried >= switched.candidates || switched.is_settled {
        return Vec::new();
    }
    let (tried, of) = (switched.tried as u64, switched.candidates as u64);
    vec![Limit::NotAllTried { kind: Experiments::Switches, tried, of }]
}
