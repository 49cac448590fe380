//! What questions cost, and who answered them.

use std::time::Duration;

use super::Found;

/// What answered a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// The values of the seed, or a constraint that is a constant.
    Seed,
    Models,
    Cores,
    Exhaust,
    Search,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    pub yes: u64,
    pub no: u64,
    pub unknown: u64,
    /// Slices answered, by layer.
    pub seed: u64,
    pub models: u64,
    pub cores: u64,
    pub exhaust: u64,
    pub search: u64,
    /// Dead ends of searches.
    pub conflicts: u64,
    pub time: Duration,
    pub longest: Duration,
}

impl Statistics {
    pub fn questions(&self) -> u64 {
        self.yes + self.no + self.unknown
    }

    pub(super) fn count(&mut self, found: &Found, time: Duration) {
        match found {
            Found::Model(_) => self.yes += 1,
            Found::Core(_) => self.no += 1,
            Found::Stopped(_) => self.unknown += 1,
        }
        self.time += time;
        self.longest = self.longest.max(time);
    }

    pub(super) fn answered_by(&mut self, layer: Layer) {
        match layer {
            Layer::Seed => self.seed += 1,
            Layer::Models => self.models += 1,
            Layer::Cores => self.cores += 1,
            Layer::Exhaust => self.exhaust += 1,
            Layer::Search => self.search += 1,
        }
    }

    pub(super) fn searched(&mut self, conflicts: u64) {
        self.answered_by(Layer::Search);
        self.conflicts += conflicts;
    }
}
