//! A ranking in sentences: a finding for each line.

use std::collections::BTreeMap;

use findings::{Evidence, EvidenceKind, Finding, Line, Location};
use source::lines::shown_path;
use spectrum::{Counts, Did, Formula, Ranked, Tuple, rank};

use super::Measured;
use crate::telling::wording::counted;
use crate::{Fineness, Found, Suspect};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 4;

/// What was done at a line, the most suspicious first.
type Deeds<'m> = Vec<(&'m Tuple, Counts)>;

pub fn found(measured: &Measured, formula: Formula) -> Found {
    let (failing, passing) = (measured.spectrum.failing, measured.spectrum.passing);
    let runs = u64::from(failing + passing) + measured.undecided.len() as u64;
    Found {
        suspects: suspects(measured, formula),
        limits: limits(measured),
        tried: vec![format!("ran {}: {failing} failed, {passing} passed", counted(runs, "test"))],
        experiments: runs,
        ..Found::default()
    }
}

fn suspects(measured: &Measured, formula: Formula) -> Vec<Suspect> {
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
    let ranking = rank(lines);
    let shown = ranking.iter().take(MOST).zip(1..);
    shown
        .filter_map(|(ranked, position)| {
            let finding = finding(measured, formula, ranked, position)?;
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
        techniques: vec!["rank".into()],
        message: message(worst, counts, formula, ranked),
        evidence: ranked.what.iter().take(MOST_EVIDENCE).map(|(tuple, counts)| evidence(tuple, *counts)).collect(),
    })
}

fn message(worst: &Tuple, counts: Counts, formula: Formula, ranked: &Ranked<Deeds<'_>>) -> String {
    let (best, last) = (ranked.ranks.start(), ranked.ranks.end());
    let ranks =
        if best == last { format!("rank {best}") } else { format!("ranks {best} to {last}, all as suspicious") };
    let (did, how) = (&worst.did, in_tests(counts));
    format!("{did} in {how}; {} {:.2}, {ranks}", formula.name(), ranked.suspicion)
}

fn evidence(tuple: &Tuple, counts: Counts) -> Evidence {
    Evidence { kind: EvidenceKind::Execution, text: format!("{} in {}", tuple.did, in_tests(counts)) }
}

fn in_tests(counts: Counts) -> String {
    let Counts { failing_with, failing_without, passing_with, passing_without } = counts;
    let (failing, passing) = (failing_with + failing_without, passing_with + passing_without);
    format!("{failing_with} of {failing} failing and {passing_with} of {passing} passing tests")
}

fn limits(measured: &Measured) -> Vec<String> {
    let mut limits = Vec::new();
    if measured.spectrum.passing == 0 {
        limits.push("no test passes: what failing tests have in common is all that can be told".into());
    }
    if !measured.undecided.is_empty() {
        limits.push(format!("of these tests the oracle could not tell: {}", measured.undecided.join(", ")));
    }
    if measured.not_run > 0 {
        let not_run = measured.not_run;
        limits.push(format!("there was no time to run {not_run} tests; a longer --budget allows more"));
    }
    limits
}
