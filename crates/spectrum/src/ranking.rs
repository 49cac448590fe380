//! The most suspicious first, with ties as they are: ranks that a reader may meet something at, from best to worst.

use std::ops::RangeInclusive;

/// Something with its place in a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked<T> {
    pub what: T,
    pub suspicion: f64,
    /// From 1. All that are as suspicious share it.
    pub ranks: RangeInclusive<usize>,
}

/// Two that differ by less are as suspicious: rounding must not decide.
const SAME: f64 = 1e-9;

/// Those of equal suspicion keep their order.
pub fn rank<T>(all: impl IntoIterator<Item = (T, f64)>) -> Vec<Ranked<T>> {
    let mut sorted: Vec<(T, f64)> = all.into_iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut groups: Vec<usize> = Vec::new();
    for position in 0..sorted.len() {
        let is_same = groups.last().is_some_and(|&first| are_equal(sorted[first].1, sorted[position].1));
        groups.push(if is_same { groups[position - 1] } else { position });
    }
    let mut last = sorted.len();
    let mut ranks = vec![1..=1; sorted.len()];
    for position in (0..sorted.len()).rev() {
        ranks[position] = groups[position] + 1..=last;
        if groups[position] == position {
            last = position;
        }
    }
    sorted.into_iter().zip(ranks).map(|((what, suspicion), ranks)| Ranked { what, suspicion, ranks }).collect()
}

/// Infinity is as suspicious as infinity.
fn are_equal(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= SAME * a.abs().max(1.0)
}
