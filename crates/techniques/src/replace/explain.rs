//! What is claimed of repairing values.

use std::collections::BTreeSet;

use findings::{Change, Claim, Deed, Evidence, EvidenceKind, Experiments, Finding, Limit, Site, Tried};

use super::{Candidate, Made, Repairing, RepairingSite};
use subject::place::location;
use subject::telling::deed::{deeds, did};
use subject::telling::outcome::{outcome, success};
use subject::telling::value::OtherValues;
use subject::trying::alternatives::Reason;
use subject::{Fineness, Subject, Suspect, TechniqueError};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 3;

pub fn suspects(subject: &Subject<'_, '_>, sites: &[RepairingSite]) -> Result<Vec<Suspect>, TechniqueError> {
    let shown = &sites[..sites.len().min(MOST)];
    let steps: BTreeSet<_> =
        shown.iter().flat_map(|site| site.repairs.iter().map(|one| one.candidate.assignment.at)).collect();
    let known = deeds(subject.run, subject.sources, &steps)?;
    let told = shown.iter().flat_map(|site| site.repairs.iter().take(MOST_EVIDENCE));
    let told = told.map(|one| (one.candidate.assignment.at, one.candidate.value));
    let values = OtherValues::of(subject, told)?;
    let mut suspects = Vec::new();
    for site in shown {
        let Some(best) = site.repairs.first() else { continue };
        let Some(location) = location(subject.run, best.candidate.assignment.at) else { continue };
        let rank = suspects.len() as u32 + 1;
        let what = known.get(&best.candidate.assignment.at);
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["replace".into()],
            claims: vec![did(what), repairs(subject, best, what, &values)],
            evidence: evidence(subject, site, |one| known.get(&one.candidate.assignment.at), &values),
        };
        let mut steps: Vec<_> = site.repairs.iter().map(|one| one.candidate.assignment.at).collect();
        steps.dedup();
        suspects.push(Suspect { finding, steps, fineness: Fineness::Crude, tier: rank });
    }
    Ok(suspects)
}

/// What the experiment stored, and what came of it.
fn repairs(subject: &Subject<'_, '_>, one: &Repairing, did: Option<&Deed>, values: &OtherValues) -> Claim {
    let Candidate { assignment, value, reason } = &one.candidate;
    let change = Change::Assignment {
        value: values.get(assignment.at, *value),
        instead: did.and_then(Deed::value),
        is_former: *reason == Reason::Before,
    };
    Claim::Repairs { change, outcome: outcome(subject, one.repair) }
}

fn evidence<'t>(
    subject: &Subject<'_, '_>,
    site: &RepairingSite,
    did: impl Fn(&Repairing) -> Option<&'t Deed>,
    values: &OtherValues,
) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    for one in site.repairs.iter().take(MOST_EVIDENCE) {
        evidence.push(Evidence { kind: one.repair.evidence(), claim: repairs(subject, one, did(one), values) });
    }
    if site.explains > 0 {
        let claim = Claim::Explains { kind: Site::Assignment, count: site.explains as u64 };
        evidence.push(Evidence { kind: EvidenceKind::Dependence, claim });
    }
    evidence
}

pub fn tried(tried: &Made, sites: &[RepairingSite]) -> Tried {
    let repairs = |repair| {
        sites.iter().flat_map(|site| &site.repairs).filter(|repairing| repairing.repair == repair).count() as u64
    };
    let places = |repair| sites.iter().filter(|site| site.repairs[0].repair == repair).count() as u64;
    Tried::Replaced {
        values: tried.experiments as u64,
        assignments: tried.assignments as u64,
        success: success(repairs, places),
    }
}

pub fn limits(tried: &Made) -> Vec<Limit> {
    if tried.experiments >= tried.candidates || tried.is_settled {
        return Vec::new();
    }
    let (tried, of) = (tried.experiments as u64, tried.candidates as u64);
    vec![Limit::NotAllTried { kind: Experiments::Values, tried, of }]
}
