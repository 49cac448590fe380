//! In which order steps are tried.

use std::collections::HashMap;

use replay::Step;

/// The first of each site, then the second of each, and so on: a loop of many turns does not keep all others waiting.
pub fn site_by_site<T>(all: Vec<T>, at: impl Fn(&T) -> Step) -> Vec<T> {
    let mut before: HashMap<_, u32> = HashMap::new();
    let mut turns: Vec<(u32, T)> = Vec::with_capacity(all.len());
    for one in all {
        let step = at(&one);
        let count = before.entry(step.site).or_default();
        turns.push((*count, one));
        *count += 1;
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, one)| one).collect()
}
