//! What was found about a failure.
//!
//! In: nothing. Out: plain data that techniques make and reports show; serialised, it is the JSON that scripts read.
//! Deliberately absent: behaviour, but for questions that the plain data answers.

pub mod story;

use serde::Serialize;

/// The answer to one question.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Findings {
    /// The best first.
    pub findings: Vec<Finding>,
    /// From the cause to the failure.
    pub chain: Vec<Link>,
    /// What was tried and with what success, in sentences.
    pub tried: Vec<String>,
    /// What must be known before anything of it is believed, in sentences: the run that is explained may not be the one that
    /// was meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<String>,
    /// What could not be looked at, in sentences.
    pub limits: Vec<String>,
    /// Runs that were made.
    pub experiments: u64,
    pub seconds: f64,
    /// How far what the failure depends on was narrowed down, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrowed: Option<Narrowed>,
    /// Experiments were made to show where the fault is, or should have been, and none has: what is in `findings` is only
    /// what the failure depends on.
    #[serde(skip_serializing_if = "is_false")]
    pub unproven: bool,
}

/// That nothing was shown, and what would help, in sentences: an answer that is none must not look like one.
pub const UNPROVEN: &str = "Not found: no experiment shows where the fault is. The places below are only those the failure \
                            depends on, and the fault may be elsewhere.";
pub const WHAT_WOULD_HELP: &str = "What may help: an oracle that says more (--expect FILE, --check CMD), a version that works \
                                   (--reference PROG), other tests (--tests FILE), a longer --budget; and see the limits.";

fn is_false(value: &bool) -> bool {
    !value
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

/// From all that a failure depends on to what is left to look at; in steps of the program's own code.
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
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// From 1 on.
    pub rank: u32,
    #[serde(flatten)]
    pub location: Location,
    /// Between 0 and 1; comparable only within one answer.
    pub score: f64,
    /// The techniques that found it.
    pub techniques: Vec<String>,
    /// A sentence.
    pub message: String,
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evidence {
    pub kind: EvidenceKind,
    /// A sentence.
    pub text: String,
}

/// What stands behind a sentence; the first weighs most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A run was made that shows it.
    Experiment,
    /// It agrees with how the failure came about.
    Dependence,
    /// It was executed.
    Execution,
}

/// One step of the way from the cause to the failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Link {
    #[serde(flatten)]
    pub location: Location,
    /// A sentence.
    pub text: String,
}
