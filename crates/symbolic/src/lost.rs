//! What the shadow gave up, and where: why there is nothing more to find is a part of the answer.

use std::collections::BTreeMap;

use program::Site;

/// Why a symbol went no further, or was bound to the value it had.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// An operation of floats.
    Float,
    /// An operation of vectors, or of integers of more than 128 bits.
    Vector,
    /// An atomic operation.
    Atomic,
    /// An address was bound to its value: of a load.
    PinnedLoad,
    /// Of a store.
    PinnedStore,
    /// A length, a size or a target of a jump was bound to its value.
    PinnedSize,
    /// Code that is not instrumented was given symbols, and returned something else: its name.
    Outside(String),
    /// Input was read in a way that is not followed, by this function.
    Reading(String),
    /// Memory for terms was spent.
    Full,
    /// A term did not have the value that the run had: a bug of ours. The term was dropped.
    Wrong,
}

impl Reason {
    /// Whether a value was bound to what it was, by a condition of the path: as long as that holds, nothing is lost.
    pub fn is_bound(&self) -> bool {
        matches!(self, Reason::PinnedLoad | Reason::PinnedStore | Reason::PinnedSize)
    }
}

/// How often, by place.
#[derive(Default, Clone, Debug)]
pub struct Lost {
    counts: BTreeMap<(Site, Reason), u64>,
}

impl Lost {
    pub fn note(&mut self, site: Site, reason: Reason) {
        *self.counts.entry((site, reason)).or_default() += 1;
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Site, &Reason, u64)> {
        self.counts.iter().map(|((site, reason), count)| (*site, reason, *count))
    }

    pub fn add(&mut self, other: &Lost) {
        for (key, count) in &other.counts {
            *self.counts.entry(key.clone()).or_default() += count;
        }
    }

    /// How many terms had a wrong value.
    pub fn wrong(&self) -> u64 {
        self.iter().filter(|(_, reason, _)| **reason == Reason::Wrong).map(|(_, _, count)| count).sum()
    }
}
