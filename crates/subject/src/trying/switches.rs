//! Which predicates are switched, in which order.

use std::collections::HashSet;

use execution::Run;
use execution::predicates::Predicate;
use experiment::{Change, Intervention};
use replay::Step;

use crate::trying::order::site_by_site;
use crate::trying::other_ways::other_ways;

/// A predicate and one other way it could have gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub predicate: Predicate,
    pub change: Change,
    pub is_in_slice: bool,
}

impl Candidate {
    pub fn intervention(&self) -> Intervention {
        Intervention { clock: self.predicate.at.clock, change: self.change.clone() }
    }

    pub fn experiment(&self) -> Vec<Intervention> {
        vec![self.intervention()]
    }
}

/// Those that the failure depends on first; of each site the latest first, then of each the one before it, and so on, so
/// that a loop of many turns does not keep all others waiting. A loop that does not end went wrong in one of its first
/// turns, if not in its last: `first_turns` are tried in turn with the latest.
pub fn candidates(
    run: &Run<'_>,
    predicates: &[Predicate],
    in_slice: &HashSet<Step>,
    first_turns: &[Predicate],
) -> Vec<Candidate> {
    let early: HashSet<Step> = first_turns.iter().map(|predicate| predicate.at).collect();
    let latest = predicates.iter().rev().filter(|predicate| !early.contains(&predicate.at));
    let (near, far): (Vec<&Predicate>, Vec<&Predicate>) =
        latest.partition(|predicate| in_slice.contains(&predicate.at));
    let near = in_turn(first_turns.iter(), site_by_site(near, |predicate| predicate.at).into_iter());
    let far = site_by_site(far, |predicate| predicate.at);
    let near = near.into_iter().map(|predicate| (predicate, true));
    let far = far.into_iter().map(|predicate| (predicate, false));
    near.chain(far)
        .flat_map(|(&predicate, is_in_slice)| {
            let changes = other_ways(run, &predicate).into_iter();
            changes.map(move |change| Candidate { predicate, change, is_in_slice })
        })
        .collect()
}

/// One of these, one of those, until there are none.
fn in_turn<T>(mut these: impl Iterator<Item = T>, mut those: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(these.next());
        all.extend(those.next());
        if all.len() == before {
            return all;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_their_turn() {
        assert_eq!(in_turn([1, 3].into_iter(), [2, 4, 5, 6].into_iter()), [1, 2, 3, 4, 5, 6]);
        assert_eq!(in_turn([1, 2].into_iter(), [].into_iter()), [1, 2]);
    }
}
