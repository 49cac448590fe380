//! What is known so far, for an answer that must be given before the search has come to its end.
//!
//! Whoever searches writes down what is found when it is found, in a form that needs no further work: places and
//! claims. Somebody else can read that at any time, even if whoever searches never comes back.

use std::sync::{Mutex, MutexGuard};

use budget::Budget;
use findings::{Change, Claim, Evidence, Finding, Findings, Limit, Location, Outcome, Spent, Tried};

use crate::found::Found;
use crate::{Fineness, Repair, Suspect};

#[derive(Default)]
pub struct Notebook(Mutex<Notes>);

#[derive(Default)]
struct Notes {
    /// What is being done.
    doing: String,
    limits: Vec<Limit>,
    tried: Vec<Tried>,
    experiments: u64,
    /// Of techniques that have come to their end.
    settled: Vec<Suspect>,
    /// Of the one that is at work.
    noted: Vec<Suspect>,
}

/// Findings told of an answer that was not put together.
const MOST: usize = 50;

impl Notebook {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What is begun now, as in "the time budget ran out while …".
    pub fn doing(&self, what: impl Into<String>) {
        self.notes().doing = what.into();
    }

    /// A technique begins.
    pub fn begin(&self, technique: &str) {
        let mut notes = self.notes();
        notes.doing = format!("{technique} was at work");
        notes.noted.clear();
    }

    /// An experiment was made, and this is what it showed, if it showed anything.
    pub fn note(&self, suspect: Option<Suspect>) {
        let mut notes = self.notes();
        notes.experiments += 1;
        notes.noted.extend(suspect);
    }

    pub fn limit(&self, limit: Limit) {
        self.notes().limits.push(limit);
    }

    /// What a technique found in the end stands in place of what was noted meanwhile.
    pub fn settle(&self, found: &Found) {
        let mut notes = self.notes();
        notes.noted.clear();
        notes.settled.extend(found.suspects.iter().cloned());
        notes.limits.extend(found.limits.iter().cloned());
        notes.tried.extend(found.tried.iter().cloned());
    }

    /// What was noted of a technique that had to be given up.
    pub fn given_up(&self) -> Found {
        let mut notes = self.notes();
        Found { suspects: std::mem::take(&mut notes.noted), ..Found::default() }
    }

    /// The answer as far as it is known. Places come by the kind of their evidence, and otherwise as they were found.
    pub fn answer(&self, budget: &Budget) -> Findings {
        let notes = self.notes();
        let mut suspects: Vec<&Suspect> = notes.settled.iter().chain(&notes.noted).collect();
        suspects.sort_by_key(|suspect| (suspect.kind(), suspect.fineness));
        let mut findings: Vec<Finding> = Vec::new();
        for Suspect { finding, .. } in suspects {
            let (file, line) = (&finding.location.file, finding.location.line);
            let is_here = |known: &&mut Finding| known.location.file == *file && known.location.line == line;
            match findings.iter_mut().find(is_here) {
                Some(known) => {
                    let new = |technique: &&String| !known.techniques.contains(technique);
                    let more: Vec<String> = finding.techniques.iter().filter(new).cloned().collect();
                    known.techniques.extend(more);
                }
                None => findings.push(finding.clone()),
            }
        }
        findings.truncate(MOST);
        for (finding, rank) in findings.iter_mut().zip(1_u32..) {
            (finding.rank, finding.score) = (rank, 1.0 / f64::from(rank));
        }
        let mut limits = notes.limits.clone();
        let doing = if notes.doing.is_empty() { "the search was begun" } else { &notes.doing };
        limits.push(Limit::Unfinished { spent: spent(budget), doing: doing.into() });
        let (tried, experiments, seconds) = (notes.tried.clone(), notes.experiments, budget.elapsed().as_secs_f64());
        Findings { findings, tried, limits, experiments, seconds, ..Findings::default() }
    }
}

/// Why a search has come to an end before its time.
pub fn spent(budget: &Budget) -> Spent {
    match (budget.spent(), budget.was_interrupted()) {
        (_, true) => Spent::Interrupted,
        (Some(spent), _) => as_claimed(spent),
        (None, false) if budget.was_short_of_memory() => Spent::Memory,
        (None, false) => Spent::Time,
    }
}

pub fn as_claimed(spent: budget::Spent) -> Spent {
    match spent {
        budget::Spent::Time => Spent::Time,
        budget::Spent::Memory => Spent::Memory,
        budget::Spent::Interrupted => Spent::Interrupted,
    }
}

/// A place where a change repairs the run; no more is said of it.
pub fn noted(technique: &str, location: Location, repair: Repair, fineness: Fineness) -> Suspect {
    let outcome = match repair {
        Repair::All => Outcome::Run,
        Repair::First => Outcome::FirstWrong,
    };
    let claim = Claim::Repairs { change: Change::Something, outcome };
    let evidence = vec![Evidence { kind: repair.evidence(), claim: claim.clone() }];
    let (techniques, claims) = (vec![technique.into()], vec![claim]);
    let finding = Finding { rank: 1, location, score: 1.0, techniques, claims, evidence };
    Suspect { finding, steps: Vec::new(), fineness, tier: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location { file: "a.c".into(), line, column: 1, function: "f".into() }
    }

    #[test]
    fn what_was_noted_is_there_until_it_is_told_better() {
        let (notebook, budget) = (Notebook::default(), Budget::unlimited());
        notebook.begin("switch");
        notebook.note(None);
        notebook.note(Some(noted("switch", at(3), Repair::All, Fineness::Decided)));
        let first = notebook.answer(&budget);
        assert_eq!((first.findings.len(), first.experiments), (1, 2));
        let unfinished = |spent, doing: &str| Limit::Unfinished { spent, doing: doing.into() };
        assert_eq!(first.limits, [unfinished(Spent::Time, "switch was at work")]);
        let mut told = noted("switch", at(3), Repair::All, Fineness::Decided);
        told.finding.claims = vec![Claim::Executed];
        notebook.settle(&Found { suspects: vec![told], ..Found::default() });
        notebook.begin("replace");
        notebook.note(Some(noted("replace", at(9), Repair::All, Fineness::Crude)));
        notebook.note(Some(noted("replace", at(3), Repair::First, Fineness::Crude)));
        budget.interrupt();
        let second = notebook.answer(&budget);
        let lines: Vec<(u32, u32)> = second.findings.iter().map(|one| (one.rank, one.location.line)).collect();
        assert_eq!(lines, [(1, 3), (2, 9)]);
        assert_eq!(second.findings[0].claims, [Claim::Executed]);
        assert_eq!(second.findings[0].techniques, ["switch", "replace"]);
        assert_eq!(second.limits, [unfinished(Spent::Interrupted, "replace was at work")]);
        assert_eq!(notebook.given_up().suspects.len(), 2);
        assert_eq!(notebook.answer(&budget).findings.len(), 1);
    }
}
