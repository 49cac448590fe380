//! Sets of symbols: which ones a term depends on. Small sets are kept once each, and a term has the number of its set; terms
//! with more than [`SMALL`] symbols share a set that says no more than that, so that a long chain of terms does not cost the
//! square of its length. Their symbols are collected when asked for.

use std::fmt;

use hashbrown::HashTable;

use crate::hash::{self, Map};

/// Something unknown: a byte of an input, the length of a file. It has a value under the seed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Sets with more symbols are not kept.
pub(crate) const SMALL: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Set(u32);

impl Set {
    pub const EMPTY: Set = Set(0);
    /// More symbols than are kept.
    pub const LARGE: Set = Set(1);
}

/// All sets of an arena.
pub(crate) struct Sets {
    /// Where the symbols of each set begin; those of the next end them.
    begins: Vec<u32>,
    symbols: Vec<Symbol>,
    by_symbols: HashTable<Set>,
    unions: Map<(Set, Set), Set>,
}

impl Sets {
    pub fn new() -> Sets {
        Sets { begins: vec![0, 0, 0], symbols: Vec::new(), by_symbols: HashTable::new(), unions: Map::default() }
    }

    /// In order. None: too many to be kept.
    #[inline]
    pub fn symbols(&self, set: Set) -> Option<&[Symbol]> {
        (set != Set::LARGE).then(|| slice(&self.begins, &self.symbols, set))
    }

    pub fn single(&mut self, symbol: Symbol) -> Set {
        self.kept(&[symbol])
    }

    pub fn union(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b || a == Set::EMPTY {
            return b;
        }
        if a == Set::LARGE {
            return a;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let both = merged(slice(&self.begins, &self.symbols, a), slice(&self.begins, &self.symbols, b));
        let union = if both.len() > SMALL { Set::LARGE } else { self.kept(&both) };
        self.unions.insert((a, b), union);
        union
    }

    fn kept(&mut self, symbols: &[Symbol]) -> Set {
        let hash_of = |symbols: &[Symbol]| symbols.iter().fold(0, |hash, symbol| hash::mixed(hash, symbol.0.into()));
        let Sets { begins, symbols: all, by_symbols, .. } = self;
        let hash = hash_of(symbols);
        if let Some(&set) = by_symbols.find(hash, |&set| slice(begins, all, set) == symbols) {
            return set;
        }
        let set = Set(begins.len() as u32 - 1);
        all.extend_from_slice(symbols);
        begins.push(all.len() as u32);
        by_symbols.insert_unique(hash, set, |&set| hash_of(slice(begins, all, set)));
        set
    }

    /// Roughly what is allocated.
    pub fn bytes(&self) -> usize {
        4 * self.symbols.len() + 16 * self.begins.len() + 24 * self.unions.len()
    }
}

fn slice<'s>(begins: &[u32], symbols: &'s [Symbol], set: Set) -> &'s [Symbol] {
    &symbols[begins[set.0 as usize] as usize..begins[set.0 as usize + 1] as usize]
}

/// Both, in order, each once.
fn merged(a: &[Symbol], b: &[Symbol]) -> Vec<Symbol> {
    let mut both = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    while let Some(least) = [a.peek(), b.peek()].into_iter().flatten().min().copied() {
        both.push(least);
        a.next_if_eq(&least);
        b.next_if_eq(&least);
    }
    both
}
