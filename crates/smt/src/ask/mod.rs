//! The question: can constraints hold together? It is cut into slices that have no symbol in common, and layers answer each
//! slice, cheapest first: one that does not know leaves it to the next.
//!
//! 1. `slices`: what is not connected with the question, and holds under the seed, is left as it was under the seed.
//! 2. `remembered`: the seed and the last models, evaluated; contradictions found before, of which a slice may have all
//!    parts.
//! 3. `exhaust`: a single symbol of a byte has 256 values.
//! 4. `contexts`: gates and a SAT solver, kept from question to question.
//!
//! What cannot be answered within limits is unknown, which is never taken for No.

mod question;
mod slices;
mod remembered;
mod exhaust;
mod contexts;
mod soft;
mod statistics;

use std::time::{Duration, Instant};

use self::contexts::{Contexts, Searched};
use self::exhaust::{Exhaust, Exhausted};
use self::question::{Place, Question};
use self::remembered::Remembered;
use self::slices::Slices;
pub use self::soft::SoftAnswer;
pub use self::statistics::{Layer, Statistics};
use crate::clock;
use crate::hash::Set;
use crate::model::Model;
use crate::sat::{Patience, Reached};
use crate::symbols::Symbol;
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
    /// For which it computes.
    pub time: Duration,
    /// Roughly what gates and clauses may take, those of earlier questions included.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { conflicts: 1 << 20, time: Duration::from_secs(10), bytes: 1 << 29 }
    }
}

/// More than this the SAT solver cannot address.
const MOST_BYTES: usize = 1 << 33;

/// Which layers may answer, besides the SAT solver. An answer is Yes or No with them exactly if it is without them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layers {
    pub slices: bool,
    pub models: bool,
    pub cores: bool,
    pub exhaust: bool,
}

impl Layers {
    pub const ALL: Layers = Layers { slices: true, models: true, cores: true, exhaust: true };
    pub const NONE: Layers = Layers { slices: false, models: false, cores: false, exhaust: false };
}

/// Answers questions about the terms of one arena, and remembers what it found.
pub struct Solver {
    layers: Layers,
    slices: Slices,
    remembered: Remembered,
    exhaust: Exhaust,
    contexts: Contexts,
    statistics: Statistics,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    pub fn new() -> Solver {
        Solver::with_layers(Layers::ALL)
    }

    pub fn with_layers(layers: Layers) -> Solver {
        Solver {
            layers,
            slices: Slices::default(),
            remembered: Remembered::default(),
            exhaust: Exhaust::default(),
            contexts: Contexts::default(),
            statistics: Statistics::default(),
        }
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// `stop` is asked now and then; if it says so, the answer is unknown.
    pub fn ask(&mut self, terms: &Terms, query: Query<'_>, limits: &Limits, stop: &dyn Fn() -> bool) -> Answer {
        let question = Question { known: query.known, soft: &[], dropped: &Set::default(), wanted: query.wanted };
        match self.found(terms, &question, limits, stop) {
            Found::Model(model) => Answer::Yes(model),
            Found::Core(places) => Answer::No(core(places)),
            Found::Stopped(why) => Answer::Unknown(why),
        }
    }

    fn found(&mut self, terms: &Terms, question: &Question<'_>, limits: &Limits, stop: &dyn Fn() -> bool) -> Found {
        let begun = Instant::now();
        let patience = Patience {
            conflicts: limits.conflicts,
            until: clock::used().checked_add(limits.time),
            bytes: limits.bytes.min(MOST_BYTES),
            stop,
        };
        let found = self.all_slices(terms, question, patience);
        self.statistics.count(&found, begun.elapsed());
        found
    }

    fn all_slices(&mut self, terms: &Terms, question: &Question<'_>, mut patience: Patience<'_>) -> Found {
        if let Some(place) = question.never_satisfied(terms) {
            self.statistics.answered_by(Layer::Seed);
            return Found::Core(vec![place]);
        }
        let slices =
            if self.layers.slices { self.slices.of(terms, question) } else { vec![question.places().collect()] };
        let mut model = Model::new();
        let mut unknown = None;
        for slice in slices {
            match self.slice(terms, question, &slice, &mut patience) {
                Found::Model(found) => model.extend(found.iter()),
                Found::Core(core) => return Found::Core(core),
                // Another slice may still contradict itself.
                Found::Stopped(why) => unknown = Some(why),
            }
        }
        match unknown {
            Some(why) => Found::Stopped(why),
            None => Found::Model(model),
        }
    }

    fn slice(&mut self, terms: &Terms, question: &Question<'_>, slice: &[Place], patience: &mut Patience<'_>) -> Found {
        let constraints: Vec<Term> = slice.iter().map(|place| question.constraint(*place)).collect();
        let core = |places: &[usize]| Found::Core(places.iter().map(|place| slice[*place]).collect());
        if constraints.iter().rev().all(|constraint| terms.holds(*constraint)) {
            self.statistics.answered_by(Layer::Seed);
            return Found::Model(Model::new());
        }
        let symbols = symbols(terms, &constraints);
        if self.layers.cores
            && let Some(places) = self.remembered.core(&constraints)
        {
            self.statistics.answered_by(Layer::Cores);
            return core(&places);
        }
        if self.layers.models
            && let Some(model) = self.remembered.model(terms, &constraints, &symbols)
        {
            self.statistics.answered_by(Layer::Models);
            return Found::Model(model);
        }
        if self.layers.exhaust
            && let [symbol] = symbols[..]
            && let Some(found) = self.exhaust.answer(terms, symbol, &constraints)
        {
            self.statistics.answered_by(Layer::Exhaust);
            return match found {
                Exhausted::Value(value) => Found::Model([(symbol, value)].into_iter().collect()),
                Exhausted::None(places) => core(&places),
            };
        }
        let (searched, conflicts) = self.contexts.answer(terms, &constraints, &symbols, *patience);
        patience.conflicts = patience.conflicts.saturating_sub(conflicts);
        self.statistics.searched(conflicts);
        match searched {
            Searched::Model(model) => {
                self.remembered.add_model(model.clone());
                Found::Model(model)
            }
            Searched::Core(places) => {
                self.remembered.add_core(places.iter().map(|place| constraints[*place]).collect());
                core(&places)
            }
            Searched::Stopped(reached) => Found::Stopped(match reached {
                Reached::Conflicts => Why::Conflicts,
                Reached::Time => Why::Time,
                Reached::Memory => Why::Memory,
                Reached::Asked => Why::Stopped,
            }),
        }
    }
}

/// An answer, with the places of soft constraints, too.
enum Found {
    Model(Model),
    Core(Vec<Place>),
    Stopped(Why),
}

/// What remains of a contradiction without soft constraints.
fn core(places: Vec<Place>) -> Core {
    let mut core = Core::default();
    for place in places {
        match place {
            Place::Known(at) => core.known.push(at),
            Place::Soft(_) => {}
            Place::Wanted(at) => core.wanted.push(at),
        }
    }
    core
}

/// Of all constraints, in order.
fn symbols(terms: &Terms, constraints: &[Term]) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for &constraint in constraints {
        symbols.extend_from_slice(&terms.symbols_of(constraint));
    }
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}
