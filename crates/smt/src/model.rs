//! Values of symbols. A symbol that has none here has the value of the seed.

use crate::symbols::Symbol;

/// Which symbols have other values than under the seed, or may have: those that an answer depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Model {
    /// By symbol.
    values: Vec<(Symbol, u128)>,
}

impl Model {
    /// The seed itself.
    pub fn new() -> Model {
        Model::default()
    }

    /// None: as under the seed.
    #[inline]
    pub fn get(&self, symbol: Symbol) -> Option<u128> {
        let found = self.values.binary_search_by_key(&symbol, |(symbol, _)| *symbol);
        found.ok().map(|at| self.values[at].1)
    }

    pub fn set(&mut self, symbol: Symbol, value: u128) {
        match self.values.binary_search_by_key(&symbol, |(symbol, _)| *symbol) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => self.values.insert(at, (symbol, value)),
        }
    }

    /// In the order of symbols.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, u128)> {
        self.values.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl FromIterator<(Symbol, u128)> for Model {
    /// Of two values for one symbol, the later is taken.
    fn from_iter<I: IntoIterator<Item = (Symbol, u128)>>(values: I) -> Model {
        let mut values: Vec<(Symbol, u128)> = values.into_iter().collect();
        values.reverse();
        values.sort_by_key(|(symbol, _)| *symbol);
        values.dedup_by_key(|(symbol, _)| *symbol);
        Model { values }
    }
}

impl Extend<(Symbol, u128)> for Model {
    fn extend<I: IntoIterator<Item = (Symbol, u128)>>(&mut self, values: I) {
        *self = self.iter().chain(values).collect();
    }
}
