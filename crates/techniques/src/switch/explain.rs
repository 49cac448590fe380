//! Critical predicates in sentences.

use std::collections::BTreeSet;

use experiment::Change;
use findings::{Evidence, EvidenceKind, Finding};
use source::told::{Told, tell};

use super::rank::CriticalSite;
use super::{Critical, Switched};
use crate::telling::place::location;
use crate::telling::wording::{comes_back, counted, is_right, ordinal, success, would_be_right};
use crate::{Fineness, Subject, Suspect, TechniqueError};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 5;

pub fn suspects(subject: &Subject<'_, '_>, sites: &[CriticalSite]) -> Result<Vec<Suspect>, TechniqueError> {
    let shown = &sites[..sites.len().min(MOST)];
    let steps: BTreeSet<_> = shown.iter().flat_map(|site| site.critical.iter().map(|one| one.predicate.at)).collect();
    let told = tell(subject.run, subject.sources, &steps)?;
    let mut suspects = Vec::new();
    for site in shown {
        let Some(nearest) = site.critical.first() else { continue };
        let Some(location) = location(subject.run, nearest.predicate.at) else { continue };
        let rank = suspects.len() as u32 + 1;
        let what = told.get(&nearest.predicate.at);
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["switch".into()],
            message: message(subject, nearest, what),
            evidence: evidence(subject, site),
        };
        let steps = site.critical.iter().map(|one| one.predicate.at).collect();
        suspects.push(Suspect { finding, steps, fineness: Fineness::Decided, tier: rank });
    }
    Ok(suspects)
}

fn message(subject: &Subject<'_, '_>, critical: &Critical, told: Option<&Told>) -> String {
    let right = would_be_right(subject, critical.repair);
    let and = if critical.with.is_some() { ", together with a later condition" } else { "" };
    match told {
        Some(Told::Decides { condition, outcome }) => {
            format!("`{condition}` was {outcome} here; had it been {}{and}, {right}", !outcome)
        }
        Some(Told::Chooses { of, value }) => {
            format!("the switch on `{of}` went by {value} here; had it gone another way{and}, {right}")
        }
        _ => format!("had this condition gone the other way{and}, {right}"),
    }
}

fn evidence(subject: &Subject<'_, '_>, site: &CriticalSite) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    for one in site.critical.iter().take(MOST_EVIDENCE) {
        let how = match (&one.change, one.predicate.value) {
            (Change::Replace(value), _) => format!("by {value}"),
            (_, 0) => "true".into(),
            _ => "false".into(),
        };
        let which = ordinal(one.predicate.occurrence);
        let with = match one.with {
            Some(with) => match location(subject.run, with.at) {
                Some(place) => format!(" and the condition at {}:{} reversed", place.file, place.line),
                None => " and a later condition reversed".into(),
            },
            None => String::new(),
        };
        let right = is_right(subject, one.repair);
        let text = format!("with this condition {how} on its {which} evaluation{with}, {right}");
        evidence.push(Evidence { kind: one.repair.evidence(), text });
    }
    if let Some(more) = site.critical.len().checked_sub(MOST_EVIDENCE).filter(|&more| more > 0) {
        let text = format!("so it is with {more} more of its evaluations");
        evidence.push(Evidence { kind: site.critical[MOST_EVIDENCE].repair.evidence(), text });
    }
    if site.critical.iter().any(|one| one.is_in_slice) {
        let text = "the failure depends on it".to_owned();
        evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
    }
    evidence.extend(site.comes_back.then(|| comes_back(subject)));
    if site.explains > 0 {
        let conditions = if site.explains == 1 { "condition depends" } else { "conditions depend" };
        let text = format!("{} more {conditions} on it that would make the run right", site.explains);
        evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
    }
    evidence
}

/// What was tried, and how much of it made the run right.
pub fn tried(switched: &Switched, sites: &[CriticalSite]) -> String {
    let pairs = match switched.pairs_tried {
        0 => String::new(),
        count => format!(", and {}", counted(count as u64, "pair")),
    };
    let repairs = |repair| switched.critical.iter().filter(|one| one.repair == repair).count() as u64;
    let places = |repair| sites.iter().filter(|site| site.critical[0].repair == repair).count() as u64;
    let success = success(repairs, places);
    let evaluations = counted(switched.total, "evaluation");
    // One evaluation of a switch can go several other ways.
    let ways = if switched.tried > switched.evaluations { format!(", {} ways", switched.tried) } else { String::new() };
    format!("switched {} of {evaluations} of conditions{ways}{pairs}: {success}", switched.evaluations)
}

/// What was not tried.
pub fn limits(switched: &Switched) -> Vec<String> {
    if switched.tried >= switched.candidates || switched.is_settled {
        return Vec::new();
    }
    let (tried, candidates) = (switched.tried, switched.candidates);
    vec![format!("time was up after {tried} of {candidates} switches; a longer --budget allows more")]
}
