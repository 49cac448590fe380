//! Constraints that are given up where they are in the way: an address that is assumed to stay what it was.

use super::question::{Place, Question};
use super::{Core, Found, Limits, Query, Solver, Why, core};
use crate::hash::Set;
use crate::model::Model;
use crate::symbols::Symbol;
use crate::term::{Term, Terms};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SoftAnswer {
    /// A model of all but the soft constraints that were dropped, as places among them.
    Yes {
        model: Model,
        dropped: Vec<usize>,
    },
    /// A contradiction without soft constraints.
    No(Core),
    Unknown(Why),
}

impl Solver {
    /// Asks with all soft constraints, and again without those that were part of the contradiction, until there is an answer
    /// that does not depend on one. What is dropped is enough, and more than needed at times. The limits are those of all
    /// attempts together, but for conflicts.
    pub fn ask_soft(
        &mut self,
        terms: &Terms,
        query: Query<'_>,
        soft: &[Term],
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> SoftAnswer {
        let begun = std::time::Instant::now();
        let mut dropped = Set::default();
        loop {
            let question = Question { known: query.known, soft, dropped: &dropped, wanted: query.wanted };
            let limits = Limits { time: limits.time.saturating_sub(begun.elapsed()), ..*limits };
            let places = match self.found(terms, &question, &limits, stop) {
                Found::Model(model) => {
                    let mut dropped: Vec<usize> = dropped.into_iter().collect();
                    dropped.sort_unstable();
                    return SoftAnswer::Yes { model, dropped };
                }
                Found::Stopped(why) => return SoftAnswer::Unknown(why),
                Found::Core(places) => places,
            };
            let before = dropped.len();
            dropped.extend(places.iter().filter_map(|place| match place {
                Place::Soft(at) => Some(*at),
                Place::Known(_) | Place::Wanted(_) => None,
            }));
            if dropped.len() == before {
                return SoftAnswer::No(core(places));
            }
        }
    }
}

impl Terms {
    /// Under any model in which this holds, one of these symbols differs from what it is under the given one: to ask for
    /// another answer.
    pub fn differs_from(&mut self, model: &Model, symbols: &[Symbol]) -> Term {
        let mut same = self.truth(true);
        for &symbol in symbols {
            let Some(term) = self.term_of(symbol) else { continue };
            let value = model.get(symbol).unwrap_or_else(|| self.value(term));
            let value = self.constant(self.width(term), value);
            let equal = self.equal(term, value);
            same = self.and(same, equal);
        }
        self.not(same)
    }
}
