//! What techniques are given and what they share.
//!
//! In: a failing case in its lab. Out: a subject that knows the failure, its slice and its budget; experiments that several
//! techniques make (`trying`); claims and places that several tell (`telling`); and what a technique answers with (`found`).
//! Deliberately absent: any technique, and sentences.

pub mod asking;
pub mod error;
pub mod notebook;
pub mod right_lines;
pub mod telling;
pub mod trying;
mod found;
mod memo;
mod subject;

pub use error::{TechniqueError, departed};
pub use found::{Fineness, Found, Omitted, Passage, Passing, Remedy, RepairingEdit, Suspect};
pub use notebook::Notebook;
pub use subject::{Effort, Means, Progress, Quiet, Subject, with_subject};
pub use trying::repair::Repair;
