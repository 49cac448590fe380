//! Which other ways a predicate could have gone.

use std::collections::HashSet;

use execution::Run;
use execution::predicates::Predicate;
use experiment::Change;
use program::Op;

/// Other targets of a `switch` that are tried, at most.
const MOST_TARGETS: usize = 16;

/// A branch has one other way; a `switch` has one for each target it did not take.
pub fn other_ways(run: &Run<'_>, predicate: &Predicate) -> Vec<Change> {
    let function = run.functions.function(predicate.at.site.function);
    let Op::Switch { default, cases, .. } = &function.instruction(predicate.at.site.instruction).op else {
        return vec![Change::Switch];
    };
    let taken = cases.iter().find(|(value, _)| *value == predicate.value).map_or(*default, |(_, to)| *to);
    let mut targets = HashSet::from([taken]);
    let mut changes = Vec::new();
    for &(value, to) in cases {
        if targets.insert(to) {
            changes.push(Change::Replace(value));
        }
    }
    if targets.insert(*default) {
        let free = (0..).find(|value| cases.iter().all(|(case, _)| case != value));
        changes.extend(free.map(Change::Replace));
    }
    changes.truncate(MOST_TARGETS);
    changes
}
