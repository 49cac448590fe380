//! A run as its source has it: lines, variables, values, expressions.
//!
//! In: a run. Out: where its steps are in the source, what its variables held, how steps and operands are written there, which
//! lines and outcomes it covers.
//! Deliberately absent: dependences; running anything again; sentences for people.

pub mod lines;
pub mod sources;
pub mod source_line;
pub mod named;
pub mod state;
pub mod value;
pub mod history;
pub mod snapshot;
mod pointee;
pub mod told;
pub mod operands;
pub mod coverage;
