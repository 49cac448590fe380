//! The model of a run that all techniques read.
//!
//! In: a recording, replayed as often as needed. Out: dependences and slices, regions, index and alignment, values of
//! variables over time, the failure as a criterion.
//! Deliberately absent: running anything again; LLVM; output for people.

mod functions;
mod uses;
mod trace;

pub use functions::Functions;
pub use trace::FunctionKey;
pub use uses::Uses;
