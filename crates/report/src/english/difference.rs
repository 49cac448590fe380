//! The failing run beside another.

use findings::{Compared, Deed, Difference, Doer, Expression, Note, Value};

use super::deed::beside;
use super::{counted, instead};

/// What the failing run is compared with.
pub fn other(compared: Compared) -> &'static str {
    match compared {
        Compared::Reference => "the reference",
        Compared::Repaired => "the repaired run",
    }
}

pub fn difference(found: &Difference) -> String {
    let text = statement(found);
    match (found.by, &found.alone) {
        (Doer::Failing, None) => text,
        (Doer::Failing, Some(alone)) => {
            let by = match alone.by {
                Doer::Other(by) | Doer::OtherElsewhere(by) => other(by),
                Doer::Failing => "the other run",
            };
            format!("{text}; in {by}, {}", statement(alone))
        }
        (Doer::Other(by), _) => format!("only {} does this: {text}", other(by)),
        (Doer::OtherElsewhere(by), _) => format!("here {} continues differently: {text}", other(by)),
    }
}

fn statement(found: &Difference) -> String {
    let mut text = match (&found.failing, &found.other) {
        (Some(failing), reference) => {
            let other =
                reference.as_ref().and_then(Deed::value).filter(|other| Some(other) != failing.value().as_ref());
            beside(failing, other.as_ref())
        }
        (None, Some(reference)) => beside(reference, None),
        (None, None) => "the runs differ".into(),
    };
    if found.more > 0 {
        let valued = |(Value(is), other): &(Value, Option<Value>)| format!("{is}{}", instead(other.as_ref()));
        let first = found.failing.as_ref().and_then(Deed::value);
        let first = first.map(|value| valued(&(value, found.other.as_ref().and_then(Deed::value))));
        let last = found.last.as_ref().map(valued);
        text += &match (found.more, last) {
            (1, None) => ", twice".into(),
            (1, Some(last)) if Some(&last) == first.as_ref() => ", twice".into(),
            (1, Some(last)) => format!(", then once more, with {last}"),
            (more, None) => format!(", then {more} more times"),
            (more, Some(last)) => format!(", then {more} more times, the last with {last}"),
        };
    }
    text += match found.note {
        None => "",
        Some(Note::Reworded) => "; the reference has a different statement here",
        Some(Note::Changed) => "; this is what the repair changes",
        Some(Note::ByDependence) => " (inferred, not tested)",
    };
    text
}

pub fn begins_otherwise(
    variable: Option<&Expression>,
    failing: Option<&Value>,
    reference: Option<&Value>,
    more: u64,
) -> String {
    let name = variable.map_or_else(|| "an initial value".into(), |Expression(name)| format!("`{name}`"));
    let text = match (failing, reference) {
        (Some(failing), Some(reference)) => {
            format!("{name} is {} instead of {} from the start", failing.0, reference.0)
        }
        (Some(failing), None) => format!("{name} is {} from the start; the reference has nothing there", failing.0),
        (None, Some(reference)) => format!("{name} is missing from the start; in the reference it is {}", reference.0),
        (None, None) => format!("{name} differs from the start"),
    };
    match more {
        0 => text,
        more => format!("{text}; the same holds for {}", counted(more, "more place")),
    }
}
