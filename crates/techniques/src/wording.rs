//! Sentences that several techniques say.

use execution::told::Told;

use crate::Subject;

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

/// What a right run does, as a consequence.
pub fn would_be_right(subject: &Subject<'_, '_>) -> &'static str {
    match subject.lab.oracle() {
        oracle if oracle.output.is_some() => "the output would have been right",
        oracle if oracle.status.is_some() => "the exit status would have been right",
        oracle if oracle.check.is_some() => "the check would have been content",
        _ => "the program would not have failed",
    }
}

pub fn is_right(subject: &Subject<'_, '_>) -> &'static str {
    match subject.lab.oracle() {
        oracle if oracle.output.is_some() => "the output is right",
        oracle if oracle.status.is_some() => "the exit status is right",
        oracle if oracle.check.is_some() => "the check is content",
        _ => "the program does not fail",
    }
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
