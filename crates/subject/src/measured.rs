//! What the tests of a suite did, counted.

use std::collections::HashMap;

use spectrum::{Coverage, Group, Spectrum, Tuple};

/// A suite of tests, run.
#[derive(Default)]
pub struct Measured {
    pub spectrum: Spectrum<Tuple>,
    /// The function each tuple is in.
    pub functions: HashMap<Tuple, String>,
    pub failing: Vec<String>,
    /// Tests of which the oracle could not tell.
    pub undecided: Vec<String>,
    /// Tests for which there was no time.
    pub not_run: usize,
}

impl Measured {
    /// Counts a run by what it did.
    pub fn add(&mut self, group: Group, did: Coverage) {
        self.spectrum.add(group, did.keys().cloned());
        self.functions.extend(did);
    }
}
