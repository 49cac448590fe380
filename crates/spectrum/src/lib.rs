//! Spectra: of everything runs did, how many failing and how many passing runs did it; and how suspicious that makes it.
//!
//! In: what each run did, and whether it failed. Out: everything any of them did, ranked by suspicion.
//! Deliberately absent: LLVM, programs, recordings. [`Spectrum`] is generic in what is counted: [`Tuple`]s of C here, anything
//! elsewhere.

mod tuple;
mod formula;
mod ranking;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use formula::{Counts, Formula};
pub use ranking::{Ranked, rank};
pub use tuple::{Abstract, Coverage, Did, Tuple};

/// What a run counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Passing,
    Failing,
}

/// What runs did, counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spectrum<T> {
    pub failing: u32,
    pub passing: u32,
    by_deed: BTreeMap<T, Times>,
}

/// In how many runs something was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Times {
    failing: u32,
    passing: u32,
}

impl<T: Ord> Default for Spectrum<T> {
    fn default() -> Spectrum<T> {
        Spectrum { failing: 0, passing: 0, by_deed: BTreeMap::new() }
    }
}

impl<T: Ord> Spectrum<T> {
    /// Adds a run, by all it did, each thing once.
    pub fn add(&mut self, group: Group, deeds: impl IntoIterator<Item = T>) {
        match group {
            Group::Passing => self.passing += 1,
            Group::Failing => self.failing += 1,
        }
        for deed in deeds {
            let did = self.by_deed.entry(deed).or_default();
            match group {
                Group::Passing => did.passing += 1,
                Group::Failing => did.failing += 1,
            }
        }
    }

    /// All that any run did, in order.
    pub fn deeds(&self) -> impl Iterator<Item = (&T, Counts)> {
        self.by_deed.iter().map(|(deed, did)| {
            let counts = Counts {
                failing_with: did.failing,
                failing_without: self.failing - did.failing,
                passing_with: did.passing,
                passing_without: self.passing - did.passing,
            };
            (deed, counts)
        })
    }
}
