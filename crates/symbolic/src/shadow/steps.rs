//! Steps that somebody has asked about, found again while a run is replayed: what all other steps cost is one comparison of
//! clocks.

use std::collections::HashSet;

use replay::{Observed, Step};

pub(super) struct Steps {
    all: HashSet<Step>,
    /// Their clocks, the latest first. Those that have passed are gone.
    clocks: Vec<u64>,
}

impl Steps {
    pub fn new() -> Steps {
        Steps { all: HashSet::new(), clocks: Vec::new() }
    }

    pub fn add(&mut self, step: Step) {
        if self.all.insert(step) {
            let place = self.clocks.partition_point(|clock| *clock > step.clock);
            self.clocks.insert(place, step.clock);
        }
    }

    /// Adds many at once.
    pub fn extend(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.all.extend(steps);
        self.clocks = self.all.iter().map(|step| step.clock).collect();
        self.clocks.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// No step before this clock is among them.
    pub fn next(&self) -> u64 {
        self.clocks.last().copied().unwrap_or(u64::MAX)
    }

    /// Whether this step is one of them. Clocks never go back.
    pub fn has(&mut self, step: &Observed<'_>) -> bool {
        while self.clocks.last().is_some_and(|clock| *clock < step.clock) {
            self.clocks.pop();
        }
        self.clocks.last() == Some(&step.clock) && self.all.contains(&step.step())
    }
}
