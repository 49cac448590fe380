//! Sentences that several techniques say.

use failure::Failure;
use findings::{Evidence, EvidenceKind};
use source::told::Told;

use crate::{Repair, Subject};

/// What a step did, as the main clause of a sentence in the past.
pub fn happened(told: &Told) -> String {
    match told {
        // As a place without a name of the source's is told.
        Told::Assigns { place, value } if place == "(return value)" => format!("{value} was to be returned"),
        Told::Assigns { place, value } => format!("`{place}` became {value}"),
        Told::Decides { condition, outcome } => format!("`{condition}` was {outcome}"),
        Told::Chooses { value, of } => format!("the switch on `{of}` went by {value}"),
        Told::Calls { name, arguments } => format!("`{name}({})` was called", arguments.join(", ")),
        Told::Returns { function, value: Some(value) } => format!("`{function}` returned {value}"),
        Told::Returns { function, value: None } => format!("`{function}` returned"),
        Told::Has { expression, value } => format!("`{expression}` was {value}"),
    }
}

/// What a repaired run does, as a consequence.
pub fn would_be_right(subject: &Subject<'_, '_>, repair: Repair) -> String {
    if repair == Repair::First {
        return format!("{} would have been right", first_wrong(subject));
    }
    let text = match subject.lab.oracle() {
        oracle if oracle.output.is_some() => "the output would have been right",
        oracle if oracle.status.is_some() => "the exit status would have been right",
        oracle if oracle.check.is_some() => "the check would have been content",
        _ => "the program would not have failed",
    };
    text.into()
}

pub fn is_right(subject: &Subject<'_, '_>, repair: Repair) -> String {
    if repair == Repair::First {
        return format!("{} is right", first_wrong(subject));
    }
    let text = match subject.lab.oracle() {
        oracle if oracle.output.is_some() => "the output is right",
        oracle if oracle.status.is_some() => "the exit status is right",
        oracle if oracle.check.is_some() => "the check is content",
        _ => "the program does not fail",
    };
    text.into()
}

/// That a run comes to where the failing one failed, and goes on.
pub fn comes_back(subject: &Subject<'_, '_>) -> Evidence {
    let there = match subject.question.failure {
        Failure::Assertion { .. } => "the condition that fails",
        _ => "the place of the crash",
    };
    let text = format!("the program then comes to {there} again, and goes on");
    Evidence { kind: EvidenceKind::Experiment, text }
}

/// The first line of the output that is not as expected.
fn first_wrong(subject: &Subject<'_, '_>) -> String {
    let found = &subject.lab.baseline().ran.output;
    let expected = subject.lab.oracle().output.as_deref().unwrap_or_default();
    let same = found.iter().zip(expected).take_while(|(found, expected)| found == expected);
    let line = same.filter(|(found, _)| **found == b'\n').count() + 1;
    format!("line {line} of the output")
}

/// How many experiments made a run better, and at how many places of the source.
pub fn success(repairs: impl Fn(Repair) -> u64, places: impl Fn(Repair) -> u64) -> String {
    let made = |repair: Repair, what: &str| match repairs(repair) {
        0 => None,
        1 => Some(format!("1 made {what} right")),
        count => Some(format!("{count} made {what} right, at {}", counted(places(repair), "place"))),
    };
    let said: Vec<String> =
        [made(Repair::All, "the run"), made(Repair::First, "what was first wrong")].into_iter().flatten().collect();
    if said.is_empty() { "none made the run right".into() } else { said.join("; ") }
}

/// `1 test`, `2 tests`.
pub fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

pub fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
