//! What a technique found, with the steps that stand behind it, so that a diagnosis can compare what several found.

use std::sync::Arc;
use std::time::Duration;

use abi::Edit;
use execution::dependence::Kind;
use experiment::{Input, Intervention, Ran};
use findings::{EvidenceKind, Finding, Findings, Limit, Link, Location, Narrowed, Tried};
use replay::Step;

#[derive(Default)]
pub struct Found {
    /// The best first.
    pub suspects: Vec<Suspect>,
    /// What could not be examined.
    pub limits: Vec<Limit>,
    /// What was tried and with what success.
    pub tried: Vec<Tried>,
    /// Runs that were made.
    pub experiments: u64,
    /// From a cause to the failure, if the technique knows the way.
    pub way: Vec<Passage>,
    /// What makes the run right, each by itself, the likeliest first; `None` if that was not looked for.
    pub remedies: Option<Vec<Remedy>>,
    pub narrowed: Option<Narrowed>,
    /// Code that did not run where it should have.
    pub omitted: Vec<Omitted>,
    /// Edits, each wherever its place is executed, that prevent the failure.
    pub edits: Vec<RepairingEdit>,
    /// Runs on other inputs that do not fail.
    pub passing: Vec<Passing>,
}

/// An edit that prevents the failure.
#[derive(Clone, Copy, Debug)]
pub struct RepairingEdit {
    /// The first step of its place.
    pub first: Step,
    pub edit: Edit,
}

/// A run on another input that does not fail.
#[derive(Clone, Debug)]
pub struct Passing {
    pub input: Arc<Input>,
    pub ran: Ran,
}

/// A line that did not run because of a condition at another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Omitted {
    pub location: Location,
    pub condition: u32,
}

/// A link of a chain, and the step it is about.
pub struct Passage {
    pub link: Link,
    pub step: Step,
    /// How it depends on the one before, if it is next to it.
    pub by: Option<Kind>,
}

/// Changes that make the run right.
#[derive(Clone, Debug)]
pub struct Remedy {
    pub changes: Vec<Intervention>,
    /// A step of the place that computes something else throughout, if that is the change.
    pub edited: Option<Step>,
}

/// A finding and what it is about.
#[derive(Clone)]
pub struct Suspect {
    pub finding: Finding,
    /// Steps of the failing run, the most telling first; none if only the line is known.
    pub steps: Vec<Step>,
    /// Of the change that stands behind it; without one it does not matter.
    pub fineness: Fineness,
    /// Suspects of the same tier are as good as each other to their technique; the lowest is the best.
    pub tier: u32,
}

/// How much of what is written a change leaves; the most first. A run that a fine change makes right tells more than one
/// that is made right by force.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fineness {
    /// Nothing is changed: a version that works has it so.
    Written,
    /// An operator or an operand is another, or one more or less.
    Fine,
    /// A condition goes the other way: once, always or never.
    Decided,
    /// Whatever was computed, there is another value.
    Crude,
}

impl Suspect {
    /// The strongest evidence for it.
    pub fn kind(&self) -> EvidenceKind {
        self.finding.evidence.iter().map(|evidence| evidence.kind).min().unwrap_or(EvidenceKind::Execution)
    }
}

impl Found {
    /// As an answer of its own, of a technique that makes experiments.
    pub fn into_findings(self, took: Duration) -> Findings {
        let mut findings = Findings {
            findings: self.suspects.into_iter().map(|suspect| suspect.finding).collect(),
            chain: self.way.into_iter().map(|passage| passage.link).collect(),
            tried: self.tried,
            caveats: Vec::new(),
            limits: self.limits,
            experiments: self.experiments,
            seconds: took.as_secs_f64(),
            narrowed: self.narrowed,
            unproven: false,
        };
        findings.unproven = !findings.is_shown();
        findings
    }
}
