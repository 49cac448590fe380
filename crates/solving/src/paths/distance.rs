//! How far a run is from another, and which of two runs is the nearer one (definitions 1 to 4 of the paper).
//!
//! A distance is the branches of the first run that go another way in the second, as far as they correspond. Two events
//! correspond if they are at the same place, and what they are control dependent on corresponds.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;

/// An event of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Event<P> {
    pub place: P,
    /// The position of the event that this one is control dependent on (definition 1); none for what the beginning of the
    /// program alone led to.
    pub parent: Option<usize>,
    /// Where a branch went.
    pub outcome: Option<u32>,
}

/// Branches of a run by their positions, counted from 1, in order. Zero is a place before the first event: that of a run
/// with the same control flow is farther than all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Distance(Vec<usize>);

impl Distance {
    /// Of branches by their positions, counted from 0 and ascending.
    pub fn of(branches: &[usize]) -> Distance {
        Distance(branches.iter().map(|position| position + 1).collect())
    }

    /// That of a run with the same control flow.
    pub fn same() -> Distance {
        Distance(vec![0])
    }

    /// Positions, counted from 0.
    pub fn branches(&self) -> Vec<usize> {
        self.0.iter().filter_map(|position| position.checked_sub(1)).collect()
    }
}

/// Definition 4: the lesser is the nearer. The ends are compared first: a later branch is nearer than an earlier one, and
/// what ends sooner than what goes on.
impl Ord for Distance {
    fn cmp(&self, other: &Distance) -> Ordering {
        let backwards = self.0.iter().rev().zip(other.0.iter().rev());
        let differing = backwards.map(|(one, other)| other.cmp(one)).find(|order| order.is_ne());
        differing.unwrap_or_else(|| self.0.len().cmp(&other.0.len()))
    }
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Distance) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// For each event of the left run the position of that of the right run which corresponds to it (definition 2).
pub fn align<P: Clone + Eq + Hash>(left: &[Event<P>], right: &[Event<P>]) -> Vec<Option<usize>> {
    let mut places: HashMap<(Option<usize>, &P), usize> = HashMap::new();
    for (position, event) in right.iter().enumerate() {
        places.entry((event.parent, &event.place)).or_insert(position);
    }
    let mut partners: Vec<Option<usize>> = Vec::with_capacity(left.len());
    for event in left {
        let parent = event.parent.map(|parent| partners[parent]);
        let partner = match parent {
            Some(None) => None,
            Some(aligned) => places.get(&(aligned, &event.place)).copied(),
            None => places.get(&(None, &event.place)).copied(),
        };
        partners.push(partner);
    }
    partners
}

/// The distance of the right run from the left one (definition 3).
pub fn distance<P: Clone + Eq + Hash>(left: &[Event<P>], right: &[Event<P>]) -> Distance {
    let flow = |run: &[Event<P>]| -> Vec<(P, Option<u32>)> {
        run.iter().map(|event| (event.place.clone(), event.outcome)).collect()
    };
    if flow(left) == flow(right) {
        return Distance::same();
    }
    let partners = align(left, right);
    let differs = |position: &usize| {
        let (event, partner) = (&left[*position], partners[*position]);
        event.outcome.is_some() && partner.is_some_and(|partner| right[partner].outcome != event.outcome)
    };
    Distance::of(&(0..left.len()).filter(differs).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::super::theorem::TABLE_2;
    use super::*;

    /// Figure 2 of the paper: lines with what they depend on; a line that another follows in the if is its `then`.
    fn figure_2(lines: &[u32]) -> Vec<Event<u32>> {
        let position = |line: u32| lines.iter().position(|one| *one == line);
        let event = |line: &u32| {
            let (parent, inside) = match line {
                1 => (None, Some(2)),
                3 => (None, Some(4)),
                5 => (None, Some(6)),
                2 => (Some(1), None),
                4 => (Some(3), None),
                6 => (Some(5), Some(7)),
                7 | 9 => (Some(6), None),
                _ => (None, None),
            };
            let outcome = inside.map(|inside| u32::from(position(inside).is_some()));
            Event { place: *line, parent: parent.and_then(position), outcome }
        };
        lines.iter().map(event).collect()
    }

    const FAILING: [u32; 6] = [1, 3, 5, 6, 7, 10];

    fn lines(of: &[u32], from: &[u32]) -> Vec<u32> {
        distance(&figure_2(from), &figure_2(of)).branches().iter().map(|position| from[*position]).collect()
    }

    #[test]
    fn distances_of_table_1() {
        assert_eq!(lines(&[1, 3, 4, 5, 6, 9, 10], &FAILING), [3, 6]);
        assert_eq!(lines(&[1, 2, 3, 5, 6, 9, 10], &FAILING), [1, 6]);
        let of = |run: &[u32]| distance(&figure_2(&FAILING), &figure_2(run));
        assert!(of(&[1, 3, 4, 5, 6, 9, 10]) < of(&[1, 2, 3, 5, 6, 9, 10]));
    }

    #[test]
    fn distances_of_table_2_ascend() {
        for (wanted, run) in TABLE_2 {
            assert_eq!(lines(run, &FAILING), wanted);
        }
        let all: Vec<Distance> = TABLE_2.iter().map(|(_, run)| distance(&figure_2(&FAILING), &figure_2(run))).collect();
        assert!(all.is_sorted_by(|nearer, farther| nearer < farther));
        // The same control flow is farther than all of them, though the first event is a branch.
        assert!(all.iter().all(|one| *one < distance(&figure_2(&FAILING), &figure_2(&FAILING))));
    }

    #[test]
    fn a_distance_is_not_that_of_the_way_back() {
        let other = [1, 3, 4, 5, 10];
        assert_eq!(lines(&other, &FAILING), [3, 5]);
        let inside = [1, 3, 4, 5, 6, 7, 10];
        assert_eq!((lines(&inside, &other), lines(&other, &inside)), (vec![5], vec![5]));
        assert_eq!(lines(&FAILING, &other), [3, 5]);
        assert_eq!(distance(&figure_2(&FAILING), &figure_2(&other)).branches(), [1, 2]);
        assert_eq!(distance(&figure_2(&other), &figure_2(&FAILING)).branches(), [1, 3]);
    }
}
