//! Critical predicates in sentences.

use std::collections::BTreeSet;

use execution::told::{Told, tell};
use experiment::Change;
use findings::{Evidence, EvidenceKind, Finding};

use super::rank::Site;
use super::{Critical, Switched};
use crate::place::location;
use crate::{Subject, TechniqueError};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 5;

pub fn findings(subject: &Subject<'_, '_>, sites: &[Site]) -> Result<Vec<Finding>, TechniqueError> {
    let shown = &sites[..sites.len().min(MOST)];
    let steps: BTreeSet<_> = shown.iter().flat_map(|site| site.critical.iter().map(|one| one.predicate.at)).collect();
    let told = tell(subject.run, subject.sources, &steps)?;
    let mut findings = Vec::new();
    for site in shown {
        let Some(nearest) = site.critical.first() else { continue };
        let Some(location) = location(subject.run, nearest.predicate.at) else { continue };
        let rank = findings.len() as u32 + 1;
        let what = told.get(&nearest.predicate.at);
        findings.push(Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["switch".into()],
            message: message(subject, nearest, what),
            evidence: evidence(subject, site),
        });
    }
    Ok(findings)
}

fn message(subject: &Subject<'_, '_>, critical: &Critical, told: Option<&Told>) -> String {
    let right = right(subject);
    let and = if critical.with.is_some() { ", together with a later condition," } else { "" };
    match told {
        Some(Told::Decides { condition, outcome }) => {
            format!("`{condition}` was {outcome} here; had it been {}{and} {right}", !outcome)
        }
        Some(Told::Chooses { of, value }) => {
            format!("the switch on `{of}` went by {value} here; had it gone another way{and} {right}")
        }
        _ => format!("had this condition gone the other way{and} {right}"),
    }
}

fn evidence(subject: &Subject<'_, '_>, site: &Site) -> Vec<Evidence> {
    let right = right_now(subject);
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
        let text = format!("with this condition {how} on its {which} evaluation{with}, {right}");
        evidence.push(Evidence { kind: EvidenceKind::Experiment, text });
    }
    if let Some(more) = site.critical.len().checked_sub(MOST_EVIDENCE).filter(|&more| more > 0) {
        let text = format!("so it is with {more} more of its evaluations");
        evidence.push(Evidence { kind: EvidenceKind::Experiment, text });
    }
    if site.critical.iter().any(|one| one.is_in_slice) {
        let text = "the failure depends on it".to_owned();
        evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
    }
    if site.explains > 0 {
        let conditions = if site.explains == 1 { "condition depends" } else { "conditions depend" };
        let text = format!("{} more critical {conditions} on it", site.explains);
        evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
    }
    evidence
}

/// What a right run does, as a consequence.
fn right(subject: &Subject<'_, '_>) -> &'static str {
    match subject.lab.oracle() {
        oracle if oracle.output.is_some() => "the output would have been right",
        oracle if oracle.status.is_some() => "the exit status would have been right",
        oracle if oracle.check.is_some() => "the check would have been content",
        _ => "the program would not have failed",
    }
}

fn right_now(subject: &Subject<'_, '_>) -> &'static str {
    match subject.lab.oracle() {
        oracle if oracle.output.is_some() => "the output is right",
        oracle if oracle.status.is_some() => "the exit status is right",
        oracle if oracle.check.is_some() => "the check is content",
        _ => "the program does not fail",
    }
}

fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// What was tried, and what was not.
pub fn limits(switched: &Switched) -> Vec<String> {
    let mut limits = Vec::new();
    if switched.tried < switched.candidates {
        limits.push(format!(
            "time was up after {} of {} switches; a longer --budget allows more",
            switched.tried, switched.candidates
        ));
    }
    if switched.critical.is_empty() {
        let pairs = match switched.pairs_tried {
            0 => String::new(),
            count => format!(", nor any of {count} pairs"),
        };
        limits.push(format!("none of {} single switches made the run right{pairs}", switched.tried));
    }
    limits
}
