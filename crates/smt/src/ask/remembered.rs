//! What earlier questions found out: models, which may satisfy later ones, and contradictions, all parts of which later
//! ones may have.

use std::collections::VecDeque;

use crate::evaluate::Evaluation;
use crate::hash::{Map, Set};
use crate::model::Model;
use crate::symbols::Symbol;
use crate::term::{Term, Terms};

const MOST_MODELS: usize = 8;
const MOST_CORES: usize = 4096;
/// A longer contradiction is hardly met again.
const LONGEST_CORE: usize = 256;

#[derive(Default)]
pub(super) struct Remembered {
    /// The last one first.
    models: VecDeque<Model>,
    /// By the newest term of each: a question without it need not be compared.
    cores: Map<Term, Vec<Box<[Term]>>>,
    count: usize,
}

impl Remembered {
    pub fn add_model(&mut self, model: Model) {
        self.models.retain(|known| *known != model);
        self.models.truncate(MOST_MODELS - 1);
        self.models.push_front(model);
    }

    /// A remembered model under which the constraints hold, as far as it is about their symbols.
    pub fn model(&self, terms: &Terms, constraints: &[Term], symbols: &[Symbol]) -> Option<Model> {
        self.models.iter().find_map(|model| {
            let restricted: Model = if symbols.len() < 16 {
                symbols.iter().filter_map(|symbol| Some((*symbol, model.get(*symbol)?))).collect()
            } else {
                model.iter().filter(|(symbol, _)| symbols.binary_search(symbol).is_ok()).collect()
            };
            if restricted.is_empty() {
                return None;
            }
            let mut evaluation = Evaluation::new(&restricted);
            // What is wanted comes last, and is what most models lack.
            let holds = constraints.iter().rev().all(|constraint| evaluation.holds(terms, *constraint));
            holds.then_some(restricted)
        })
    }

    pub fn add_core(&mut self, mut core: Vec<Term>) {
        core.sort_unstable();
        core.dedup();
        let Some(&newest) = core.last() else { return };
        if core.len() > LONGEST_CORE {
            return;
        }
        if self.count >= MOST_CORES {
            self.cores.clear();
            self.count = 0;
        }
        let with_it = self.cores.entry(newest).or_default();
        if !with_it.iter().any(|known| **known == *core) {
            with_it.push(core.into());
            self.count += 1;
        }
    }

    /// A remembered contradiction within the constraints, as places.
    pub fn core(&self, constraints: &[Term]) -> Option<Vec<usize>> {
        if self.cores.is_empty() || !constraints.iter().any(|constraint| self.cores.contains_key(constraint)) {
            return None;
        }
        let all: Set<Term> = constraints.iter().copied().collect();
        let candidates = constraints.iter().filter_map(|constraint| self.cores.get(constraint)).flatten();
        let core = candidates.into_iter().find(|core| core.iter().all(|term| all.contains(term)))?;
        let place = |term: &Term| constraints.iter().position(|constraint| constraint == term);
        Some(core.iter().filter_map(place).collect())
    }
}
