//! Fault localization.
//!
//! In: a failing case in its lab. Out: findings, and limits of what could be looked at.
//! Deliberately absent: output; knowledge of each other. What two techniques need lies in `execution` or `experiment`.

mod subject;
mod place;
pub mod switch;
pub mod rank;

pub use subject::{Progress, Quiet, Subject, TechniqueError, with_subject};

use findings::Findings;

/// One technique, as the command line and the documentation list it.
pub struct Technique {
    pub name: &'static str,
    /// What it answers.
    pub summary: &'static str,
    pub find: fn(&Subject<'_, '_>) -> Result<Findings, TechniqueError>,
}

pub const TECHNIQUES: &[Technique] = &[Technique {
    name: "switch",
    summary: "which condition, had it gone the other way, would have made the run right",
    find: switch::find,
}];
