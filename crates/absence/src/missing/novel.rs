//! Outcomes of conditions that came for the first time while something should have been written: what was special then, the
//! program may have had nothing to say about.

use std::cmp::Reverse;
use std::collections::HashMap;

use execution::Run;
use execution::predicates::Predicate;

use crate::outcome::{ByStep, is_end_of_loop};
use crate::outputs::Silence;

/// Those that came least often first, the latest of these first.
pub fn novel(run: &Run<'_>, predicates: &ByStep, silence: Silence) -> Vec<Predicate> {
    let mut first: HashMap<_, (u64, usize, Predicate)> = HashMap::new();
    for predicate in predicates.values().filter(|one| one.at.clock <= silence.until) {
        let outcome = (predicate.at.site, predicate.value);
        let known = first.entry(outcome).or_insert((predicate.at.clock, 0, *predicate));
        known.0 = known.0.min(predicate.at.clock);
        known.1 += 1;
        known.2 = if known.2.at < predicate.at { *predicate } else { known.2 };
    }
    let new = first.into_values().filter(|(clock, _, last)| *clock >= silence.since && !is_end_of_loop(run, last));
    let mut new: Vec<(usize, Predicate)> = new.map(|(_, count, last)| (count, last)).collect();
    new.sort_by_key(|(count, last)| (*count, Reverse(last.at)));
    new.into_iter().map(|(_, last)| last).collect()
}
