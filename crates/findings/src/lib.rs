//! What was found about a failure.
//!
//! In: nothing. Out: plain data that techniques make and reports show.
//! Deliberately absent: sentences, which `report` makes; behaviour, but for questions that the plain data answers.

mod claim;
mod ordinal;
pub mod story;

use serde::Serialize;

pub use claim::{
    Also, Brink, Caveat, Change, Claim, Compared, Count, Deed, Difference, Doer, Edit, Effect, Experiments, Expression,
    Failure, Generation, InputChange, InputPlace, Limit, Near, Neighbouring, Note, OtherEnd, Outcome, OutputLine, Read,
    Remedy, Revealed, Share, Sign, Signal, Site, Spent, Success, TestDeed, TestValue, Tried, Unexamined, Untried,
    Value,
};
pub use ordinal::ordinal;

/// The answer to one question.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// The best first.
    pub findings: Vec<Finding>,
    /// From the cause to the failure.
    pub chain: Vec<Link>,
    /// What was tried and with what success.
    pub tried: Vec<Tried>,
    /// What must be known before anything of it is believed: the run that is explained may not be the one that was meant.
    pub caveats: Vec<Caveat>,
    /// What could not be examined.
    pub limits: Vec<Limit>,
    /// Runs that were made.
    pub experiments: u64,
    pub seconds: f64,
    /// How far what the failure depends on was narrowed down, if it was.
    pub narrowed: Option<Narrowed>,
    /// Experiments were made to show where the fault is, or should have been, and none has: what is in `findings` is only
    /// what the failure depends on.
    pub unproven: bool,
}

impl Findings {
    /// Whether an experiment stands behind any of the findings.
    pub fn is_shown(&self) -> bool {
        let is_experiment = |evidence: &Evidence| evidence.kind == EvidenceKind::Experiment;
        self.findings.iter().any(|finding| finding.evidence.iter().any(is_experiment))
    }
}

/// A line of the program's source.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Line {
    pub file: String,
    pub line: u32,
}

/// From all that a failure depends on to what is left to examine; in steps of the program's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Narrowed {
    /// What the failure depends on, as the run shows it.
    pub slice: u64,
    /// Of these, those that are not surely right.
    pub pruned: u64,
    /// Dependences that experiments have shown and the run does not.
    pub edges: u64,
    /// Experiments that were looked at for that.
    pub verifications: u64,
    /// What is left in the end.
    pub steps: u64,
    /// The lines of these.
    pub lines: u64,
}

/// A place that may be at fault.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// From 1 on.
    pub rank: u32,
    pub location: Location,
    /// Between 0 and 1; comparable only within one answer.
    pub score: f64,
    /// The techniques that found it.
    pub techniques: Vec<String>,
    /// What is said of it in one sentence, in this order.
    pub claims: Vec<Claim>,
    pub evidence: Vec<Evidence>,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Empty outside of functions.
    pub function: String,
}

impl Location {
    /// ` in` the function, if there is one.
    pub fn in_function(&self) -> String {
        if self.function.is_empty() { String::new() } else { format!(" in {}", self.function) }
    }
}

/// Why a place is among the findings.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    pub kind: EvidenceKind,
    pub claim: Claim,
}

impl Evidence {
    pub fn by_dependence(claim: Claim) -> Evidence {
        Evidence { kind: EvidenceKind::Dependence, claim }
    }
}

/// What stands behind a claim; the first weighs most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A run was made that shows it.
    Experiment,
    /// A solver says so; no run was made for each case.
    Solver,
    /// It agrees with how the failure came about.
    Dependence,
    /// It was executed.
    Execution,
}

/// One step of the way from the cause to the failure.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    pub location: Location,
    pub joint: Joint,
    pub claim: Claim,
    /// How often the way came back to the line; these rounds are left out.
    pub rounds: u32,
}

/// How a link hangs together with the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "joint", rename_all = "kebab-case")]
pub enum Joint {
    None,
    /// It uses what was made there.
    Data,
    /// What was decided there let it run.
    Control,
    /// Links between them are left out.
    LeftOut {
        steps: u64,
    },
}
