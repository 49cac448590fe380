//! What techniques are given and what they share.
//!
//! In: a failing case in its lab. Out: a subject that knows the failure, its slice and its budget; experiments that several
//! techniques make (`trying`); where steps are (`place`); claims that several make (`telling`); and what a technique answers
//! with (`found`).
//! Deliberately absent: any technique, and sentences.

pub mod error;
pub mod place;
pub mod measured;
mod repair;
mod found;
pub mod notebook;
mod memo;
mod subject;
pub mod asking;
pub mod right_lines;
pub mod telling;
pub mod trying;

pub use error::{TechniqueError, departed};
pub use found::{Fineness, Found, Omitted, Passage, Passing, Remedy, RepairingEdit, Suspect};
pub use notebook::Notebook;
pub use repair::Repair;
pub use subject::{Effort, Means, Progress, Quiet, Subject, with_subject};
