//! What is claimed by a ranking of what tests did: a finding for each line.

use std::collections::BTreeMap;

use findings::{Claim, Evidence, EvidenceKind, Finding, Limit, Line, Location, Share, TestDeed, TestValue, Tried};
use source::lines::shown_path;
use spectrum::{Abstract, Counts, Did, Formula, Ranked, Tuple, rank};

use crate::measured::Measured;
use crate::{Fineness, Found, Suspect};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 4;

/// What was done at a line, the most suspicious first.
pub type Deeds<'m> = Vec<(&'m Tuple, Counts)>;

/// What a technique found by them.
pub fn found(measured: &Measured, formula: Formula, technique: &str) -> Found {
    let (failing, passing) = (measured.spectrum.failing, measured.spectrum.passing);
    let runs = u64::from(failing + passing) + measured.undecided.len() as u64;
    Found {
        suspects: suspects(measured, formula, technique),
        limits: limits(measured),
        tried: vec![Tried::Tests { run: runs, failing: failing.into(), passing: passing.into() }],
        experiments: runs,
        ..Found::default()
    }
}

/// Lines that a failing test executed, each with what was done there, the most suspicious first.
pub fn ranking(measured: &Measured, formula: Formula) -> Vec<Ranked<Deeds<'_>>> {
    let mut by_line: BTreeMap<&Line, Deeds<'_>> = BTreeMap::new();
    // What only passing tests did explains no failure.
    for (tuple, counts) in measured.spectrum.deeds().filter(|(_, counts)| counts.failing_with > 0) {
        by_line.entry(&tuple.line).or_default().push((tuple, counts));
    }
    for deeds in by_line.values_mut() {
        // As suspicious, an outcome or value says more than that the line was executed.
        deeds.sort_by(|(a, with_a), (b, with_b)| {
            let by_suspicion = formula.suspicion(*with_b).total_cmp(&formula.suspicion(*with_a));
            by_suspicion.then((a.did == Did::Executed).cmp(&(b.did == Did::Executed)))
        });
    }
    let lines = by_line.into_values().filter_map(|deeds| {
        let suspicion = formula.suspicion(deeds.first()?.1);
        Some((deeds, suspicion))
    });
    rank(lines)
}

fn suspects(measured: &Measured, formula: Formula, technique: &str) -> Vec<Suspect> {
    let ranking = ranking(measured, formula);
    let shown = ranking.iter().take(MOST).zip(1..);
    shown
        .filter_map(|(ranked, position)| {
            let finding =
                Finding { techniques: vec![technique.into()], ..finding(measured, formula, ranked, position)? };
            Some(Suspect { finding, steps: Vec::new(), fineness: Fineness::Crude, tier: *ranked.ranks.start() as u32 })
        })
        .collect()
}

fn finding(measured: &Measured, formula: Formula, ranked: &Ranked<Deeds<'_>>, rank: u32) -> Option<Finding> {
    let &(worst, counts) = ranked.what.first()?;
    let function = measured.functions.get(worst).cloned().unwrap_or_default();
    let Line { file, line } = &worst.line;
    let location = Location { file: shown_path(file), line: *line, column: worst.column, function };
    Some(Finding {
        rank,
        location,
        score: formula.score(counts),
        techniques: Vec::new(),
        claims: claims(worst, counts, formula, ranked),
        evidence: ranked.what.iter().take(MOST_EVIDENCE).map(|(tuple, counts)| evidence(tuple, *counts)).collect(),
    })
}

fn claims(worst: &Tuple, counts: Counts, formula: Formula, ranked: &Ranked<Deeds<'_>>) -> Vec<Claim> {
    let (first, last) = (*ranked.ranks.start() as u64, *ranked.ranks.end() as u64);
    let suspicion = Claim::Suspicion { formula: formula.name(), value: ranked.suspicion, first, last };
    vec![in_tests(worst, counts), suspicion]
}

fn evidence(tuple: &Tuple, counts: Counts) -> Evidence {
    Evidence { kind: EvidenceKind::Execution, claim: in_tests(tuple, counts) }
}

fn in_tests(tuple: &Tuple, counts: Counts) -> Claim {
    let Counts { failing_with, failing_without, passing_with, passing_without } = counts;
    let failing = Share { with: failing_with, of: failing_with + failing_without };
    let passing = Share { with: passing_with, of: passing_with + passing_without };
    Claim::InTests { deed: deed(&tuple.did), failing, passing }
}

fn deed(did: &Did) -> TestDeed {
    match did {
        Did::Executed => TestDeed::Executed,
        Did::Decided(outcome) => TestDeed::Decided { outcome: *outcome },
        Did::Chose(case) => TestDeed::Chose { case: *case },
        Did::Got { from, value } => {
            let value = match value {
                Abstract::Zero => TestValue::Zero,
                Abstract::NonZero => TestValue::NonZero,
                Abstract::Null => TestValue::Null,
                Abstract::NonNull => TestValue::NonNull,
                Abstract::True => TestValue::True,
                Abstract::False => TestValue::False,
                Abstract::Constant(value) => TestValue::Constant(*value),
                Abstract::EmptyText => TestValue::EmptyText,
                Abstract::Text => TestValue::Text,
            };
            TestDeed::Returned { function: from.as_str().into(), value }
        }
    }
}

fn limits(measured: &Measured) -> Vec<Limit> {
    let mut limits = Vec::new();
    if measured.spectrum.passing == 0 {
        limits.push(Limit::NoTestPasses);
    }
    if !measured.undecided.is_empty() {
        limits.push(Limit::UndecidedTests { names: measured.undecided.clone() });
    }
    if measured.not_run > 0 {
        limits.push(Limit::TestsNotRun { count: measured.not_run as u64 });
    }
    limits
}
