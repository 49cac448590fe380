//! Repairing values in sentences.

use std::collections::BTreeSet;

use findings::{Evidence, EvidenceKind, Finding};
use source::told::{Told, tell, value_in};

use super::{Candidate, Repairing, RepairingSite, Tried};
use crate::telling::place::location;
use crate::telling::wording::{counted, happened, is_right, success, would_be_right};
use crate::trying::alternatives::Reason;
use crate::{Fineness, Subject, Suspect, TechniqueError};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 3;

pub fn suspects(subject: &Subject<'_, '_>, sites: &[RepairingSite]) -> Result<Vec<Suspect>, TechniqueError> {
    let shown = &sites[..sites.len().min(MOST)];
    let steps: BTreeSet<_> =
        shown.iter().flat_map(|site| site.repairs.iter().map(|one| one.candidate.assignment.at)).collect();
    let told = tell(subject.run, subject.sources, &steps)?;
    let mut suspects = Vec::new();
    for site in shown {
        let Some(best) = site.repairs.first() else { continue };
        let Some(location) = location(subject.run, best.candidate.assignment.at) else { continue };
        let rank = suspects.len() as u32 + 1;
        let what = told.get(&best.candidate.assignment.at).map_or_else(|| "a value was stored".into(), happened);
        let right = would_be_right(subject, best.repair);
        let message = format!("{what}; had it become {}, {right}", other(subject, &best.candidate));
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["replace".into()],
            message,
            evidence: evidence(subject, site, |one| told.get(&one.candidate.assignment.at)),
        };
        let mut steps: Vec<_> = site.repairs.iter().map(|one| one.candidate.assignment.at).collect();
        steps.dedup();
        suspects.push(Suspect { finding, steps, fineness: Fineness::Crude, tier: rank });
    }
    Ok(suspects)
}

fn other(subject: &Subject<'_, '_>, candidate: &Candidate) -> String {
    let value = value_in(subject.sources, &candidate.assignment.ty, &[candidate.value]);
    match candidate.reason {
        Reason::Before => format!("{value} as it was before"),
        _ => value,
    }
}

fn evidence<'t>(
    subject: &Subject<'_, '_>,
    site: &RepairingSite,
    told: impl Fn(&Repairing) -> Option<&'t Told>,
) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    for one in site.repairs.iter().take(MOST_EVIDENCE) {
        let instead = match told(one) {
            Some(Told::Assigns { value, .. }) => format!(" instead of {value}"),
            _ => String::new(),
        };
        let right = is_right(subject, one.repair);
        let text = format!("with {} stored here{instead}, {right}", other(subject, &one.candidate));
        evidence.push(Evidence { kind: one.repair.evidence(), text });
    }
    if site.explains > 0 {
        let assignments = if site.explains == 1 { "assignment depends" } else { "assignments depend" };
        let text = format!("{} more {assignments} on it that could make the run right", site.explains);
        evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
    }
    evidence
}

pub fn tried(tried: &Tried, sites: &[RepairingSite]) -> String {
    let repairs = |repair| {
        sites.iter().flat_map(|site| &site.repairs).filter(|repairing| repairing.repair == repair).count() as u64
    };
    let places = |repair| sites.iter().filter(|site| site.repairs[0].repair == repair).count() as u64;
    let success = success(repairs, places);
    let assignments = counted(tried.assignments as u64, "assignment");
    format!("tried {} for {assignments}: {success}", counted(tried.experiments as u64, "other value"))
}

pub fn limits(tried: &Tried) -> Vec<String> {
    if tried.experiments >= tried.candidates || tried.is_settled {
        return Vec::new();
    }
    let (done, of) = (tried.experiments, tried.candidates);
    vec![format!("time was up after {done} of {of} other values; a longer --budget allows more")]
}
