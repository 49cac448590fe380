//! What terms are under a model, computed one operation after the other: the plain twin of everything clever here, and what
//! each model is checked by.

use crate::hash::Map;
use crate::model::Model;
use crate::operation::ones;
use crate::symbols::Symbol;
use crate::term::{Term, Terms, View};

/// Values of terms under one model, each computed once.
pub struct Evaluation<'m> {
    model: &'m Model,
    /// A bit for each symbol that the model has a value for.
    changed: Vec<u64>,
    values: Map<Term, u128>,
    waiting: Vec<Term>,
}

impl<'m> Evaluation<'m> {
    pub fn new(model: &'m Model) -> Evaluation<'m> {
        let mut changed = Vec::new();
        for (symbol, _) in model.iter() {
            let (word, bit) = place(symbol);
            if word >= changed.len() {
                changed.resize(word + 1, 0);
            }
            changed[word] |= bit;
        }
        Evaluation { model, changed, values: Map::default(), waiting: Vec::new() }
    }

    /// Always asked with the same arena.
    pub fn value(&mut self, terms: &Terms, term: Term) -> u128 {
        if let Some(value) = self.known(terms, term) {
            return value;
        }
        self.waiting.push(term);
        while let Some(&next) = self.waiting.last() {
            let before = self.waiting.len();
            for operand in terms.operands(next) {
                if self.known(terms, operand).is_none() {
                    self.waiting.push(operand);
                }
            }
            if self.waiting.len() > before {
                continue;
            }
            self.waiting.pop();
            let view = terms.view(next);
            let value = match view {
                View::Symbol(symbol) => self.of_symbol(terms, symbol),
                _ => terms.computed(terms.width(next), view, |operand| self.known(terms, operand).unwrap_or(0)),
            };
            self.values.insert(next, value);
        }
        self.known(terms, term).unwrap_or(0)
    }

    pub fn holds(&mut self, terms: &Terms, constraint: Term) -> bool {
        self.value(terms, constraint) == 1
    }

    fn of_symbol(&self, terms: &Terms, symbol: Symbol) -> u128 {
        let seed = terms.term_of(symbol);
        let mask = seed.map_or(0, |term| ones(terms.width(term)));
        self.model.get(symbol).map_or_else(|| seed.map_or(0, |term| terms.value(term)), |value| value & mask)
    }

    #[inline]
    fn changes(&self, symbol: Symbol) -> bool {
        let (word, bit) = place(symbol);
        self.changed.get(word).is_some_and(|changed| changed & bit != 0)
    }

    /// What is known without computing: most terms depend on no symbol that the model changes.
    #[inline]
    fn known(&self, terms: &Terms, term: Term) -> Option<u128> {
        if let Some(few) = terms.few_symbols(term)
            && !few.iter().any(|symbol| self.changes(*symbol))
        {
            return Some(terms.value(term));
        }
        self.values.get(&term).copied()
    }
}

/// A symbol's word and bit among bits for all symbols.
fn place(symbol: Symbol) -> (usize, u64) {
    (symbol.0 as usize / 64, 1 << (symbol.0 % 64))
}

impl Terms {
    /// What a term is under a model.
    pub fn evaluate(&self, term: Term, model: &Model) -> u128 {
        Evaluation::new(model).value(self, term)
    }
}
