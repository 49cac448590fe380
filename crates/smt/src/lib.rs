//! Terms over bits, and the question whether constraints on them can hold together.
//!
//! In: terms, made of symbols and operations, each with the value it has under the *seed* (the values that symbols had in a
//! run); constraints, which are terms of one bit. Out: values of symbols under which all constraints hold, or constraints
//! that contradict each other, or the limit that was reached.
//! Deliberately absent: programs, processes, languages; floats and strings, too: whoever has them makes bits of them.
//!
//! `term` is the arena of terms and `simplify` how they are made; `evaluate` computes a term under a model. `ask` answers,
//! with the cheapest of its layers that can; the last of them is `blast`, which makes gates of terms, over `sat`, the one
//! file that knows the SAT solver. `text` writes a question as SMT-LIB, for readers and for other solvers.

pub mod hash;
mod operation;
mod symbols;
mod bounds;
mod term;
mod simplify;
mod model;
mod evaluate;
mod clock;
mod sat;
mod blast;
mod ask;
pub mod text;
#[cfg(test)]
mod tests;

pub use ask::{Answer, Core, Layer, Layers, Limits, Query, SoftAnswer, Solver, Statistics, Why};
pub use evaluate::Evaluation;
pub use model::Model;
pub use operation::{Operation, WIDEST};
pub use simplify::Replacing;
pub use symbols::Symbol;
pub use term::{TableId, Term, Terms};
