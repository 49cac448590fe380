//! The model of a run that all techniques read.
//!
//! In: a recording, replayed as often as needed. Out: dependences and slices, regions, index and alignment, values of
//! variables over time, the failure as a criterion.
//! Deliberately absent: running anything again; LLVM; output for people.
//!
//! [`Run`] cuts a run into windows; `trace` is what is kept of one while it is looked at; [`dependence`] walks traces
//! backwards from a [`criterion`].

pub mod library_call;
mod uses;
mod functions;
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
pub mod output;
mod spelled;
pub mod failure;
pub mod failure_text;
pub mod unexamined;
pub mod told;
pub mod operands;
pub mod region;
pub mod index;
pub mod align;
pub mod sources;
pub mod source_line;
pub mod lines;
pub mod named;
pub mod state;
pub mod value;
pub mod history;
pub mod snapshot;
pub mod difference;
pub mod coverage;
pub mod spectrum;

pub use functions::Functions;
pub use run::{Run, Window};
pub use trace::FunctionKey;
pub use uses::{Action, Area, LIST, Register, Uses, register};
