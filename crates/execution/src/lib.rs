//! The model of a run that all techniques read.
//!
//! In: a recording, replayed as often as needed. Out: dependences and slices, regions, index and alignment, values of
//! variables over time, the failure as a criterion.
//! Deliberately absent: running anything again; LLVM; output for people.

pub mod sources;
pub mod source_line;
pub mod state;
pub mod value;
pub mod history;
pub mod snapshot;
