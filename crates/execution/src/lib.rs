//! The model of a run that all techniques read.
//!
//! In: a recording, replayed as often as needed. Out: dependences and slices; which steps, sites and predicates there were, and
//! the values they had.
//! Deliberately absent: running anything again; LLVM; names and lines of the source; text for users.
//!
//! [`Run`] cuts a run into windows; `trace` is what is kept of one while it is examined; [`dependence`] walks traces
//! backwards from a [`criterion`].

pub mod library_call;
mod uses;
mod functions;
pub mod allocations;
mod trace;
mod run;
pub mod dependence;
pub mod criterion;
pub mod slice;
pub mod steps;
pub mod sites;
pub mod first_difference;
pub mod predicates;
pub mod assignments;
pub mod noted;
pub mod origin;
pub mod nearness;
pub mod unexamined;

pub use functions::{Functions, Table};
pub use run::{Run, Window};
pub use uses::{Action, Area, LIST, Register, Uses, register};
