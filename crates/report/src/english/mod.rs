//! Claims in English: the one place where sentences are made. A file for each kind of thing.
//!
//! Sentences have no full stop and no capital; code stands between backquotes.

mod change;
mod claim;
mod deed;
mod difference;
mod failure;
mod limit;
mod link;
mod neighbour;
mod story;
mod tried;

use findings::{Location, Value};

pub use claim::{evidence, evidence_of, message};
pub use deed::deed;
pub use failure::failure;
pub use limit::{caveat, limit};
pub use link::link;
pub use story::{changed, oracle, other_run, vertex};
pub use tried::tried;

/// That nothing was shown, and what would help: an answer that is none must not look like one.
pub const UNPROVEN: &str = "Not found: no experiment shows where the fault is. The places below are only those the failure \
                            depends on, and the fault may be elsewhere.";
pub const WHAT_WOULD_HELP: &str = "What may help: an oracle that says more (--expect FILE, --check CMD), a version that works \
                                   (--reference PROG), other tests (--tests FILE), a longer --budget; and see the limits.";

/// `1 test`, `2 tests`.
fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// A condition, by its line, and by its file where that is not the one that is spoken of.
fn condition(at: &Location, beside: &Location) -> String {
    format!("the condition at {}", line_of(at, beside))
}

/// A place as someone says it who is at another one.
fn line_of(place: &Location, beside: &Location) -> String {
    if place.file == beside.file { format!("line {}", place.line) } else { format!("{}:{}", place.file, place.line) }
}

fn instead(value: Option<&Value>) -> String {
    value.map_or_else(String::new, |Value(value)| format!(" instead of {value}"))
}

#[cfg(test)]
mod tests;
