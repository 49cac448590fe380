//! Spectra: of everything runs did, how many failing and how many passing runs did it; and how suspicious that makes it.
//!
//! [`Spectrum`] is generic in what is counted, and knows nothing of programs: [`Tuple`](crate::coverage::Tuple)s of C
//! here, anything elsewhere.

mod formula;
mod ranking;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use formula::{Counts, Formula};
pub use ranking::{Ranked, rank};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Passed,
    Failed,
}

/// What runs did, counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spectrum<T> {
    pub failing: u32,
    pub passing: u32,
    by_deed: BTreeMap<T, Did>,
}

/// How many runs did something.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Did {
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
    pub fn add(&mut self, ending: Ending, deeds: impl IntoIterator<Item = T>) {
        match ending {
            Ending::Passed => self.passing += 1,
            Ending::Failed => self.failing += 1,
        }
        for deed in deeds {
            let did = self.by_deed.entry(deed).or_default();
            match ending {
                Ending::Passed => did.passing += 1,
                Ending::Failed => did.failing += 1,
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
