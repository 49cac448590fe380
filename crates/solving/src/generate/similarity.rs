//! How similar two executions are, by what is known of them before one of them is made: the conditions of their paths, or
//! their inputs.
//!
//! The paper compares executions that meet the same conditions, so that it need not say what a share is a share of where
//! one path is longer than the other. Here it is always the longer one: a path that has all of another and more is not the
//! same path.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;

/// What paths are compared by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compared {
    /// As many conditions as both have with the same outcome.
    #[default]
    Subset,
    /// The longest stretch of conditions that both have with the same outcomes, one after the other.
    Subsequence,
}

/// A share, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Similarity {
    pub same: usize,
    /// Never less than `same`.
    pub of: usize,
}

impl Similarity {
    /// Two that have nothing at all have nothing different.
    pub const ALL: Similarity = Similarity { same: 1, of: 1 };
    pub const NONE: Similarity = Similarity { same: 0, of: 1 };

    fn new(same: usize, of: usize) -> Similarity {
        if of == 0 { Similarity::ALL } else { Similarity { same, of } }
    }

    /// Counts more of both, position by position.
    pub fn add<T: PartialEq>(&mut self, one: &[T], other: &[T]) {
        self.same += one.iter().zip(other).filter(|(a, b)| a == b).count();
        self.of += one.len().max(other.len());
    }

    /// What was counted; of nothing, everything is the same.
    pub fn or_all(self) -> Similarity {
        Similarity::new(self.same, self.of)
    }

    #[cfg(test)]
    pub fn percent(self) -> f64 {
        100.0 * self.same as f64 / self.of as f64
    }
}

impl Ord for Similarity {
    fn cmp(&self, other: &Similarity) -> Ordering {
        (self.same as u128 * other.of as u128).cmp(&(other.same as u128 * self.of as u128))
    }
}

impl PartialOrd for Similarity {
    fn partial_cmp(&self, other: &Similarity) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Similarity {
    fn eq(&self, other: &Similarity) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Similarity {}

/// A path that others are compared with: that of a failing run.
pub struct Standard<T> {
    length: usize,
    by: By<T>,
}

enum By<T> {
    /// How often each condition occurs.
    Subset(HashMap<T, usize>),
    Subsequence(Stretches<T>),
}

impl<T: Clone + Eq + Hash> Standard<T> {
    pub fn new(path: &[T], compared: Compared) -> Standard<T> {
        let by = match compared {
            Compared::Subset => {
                let mut counts = HashMap::new();
                for condition in path {
                    *counts.entry(condition.clone()).or_default() += 1;
                }
                By::Subset(counts)
            }
            Compared::Subsequence => By::Subsequence(Stretches::of(path)),
        };
        Standard { length: path.len(), by }
    }

    /// How similar a path is that is known to its end.
    pub fn whole(&self, path: &[T]) -> Similarity {
        let Some((last, before)) = path.split_last() else { return Similarity::new(0, self.length) };
        self.turned(path, &[(before.len(), last.clone())])[0]
    }

    /// How similar those paths are that go along `path` up to a position, and there go otherwise, as a turn says. Positions
    /// ascend. Takes as long as the path is, however many turns there are.
    pub fn turned(&self, path: &[T], turns: &[(usize, T)]) -> Vec<Similarity> {
        match &self.by {
            By::Subset(counts) => self.turned_in(path, turns, Subset { counts, met: HashMap::new(), same: 0 }),
            By::Subsequence(stretches) => self.turned_in(path, turns, Longest { stretches, at: (0, 0), longest: 0 }),
        }
    }

    fn turned_in(&self, path: &[T], turns: &[(usize, T)], mut along: impl Along<T>) -> Vec<Similarity> {
        let mut begun = 0;
        let each = turns.iter().map(|(position, turn)| {
            for condition in &path[begun..*position] {
                along.go(condition);
            }
            begun = *position;
            Similarity::new(along.same_with(turn), self.length.max(position + 1))
        });
        each.collect()
    }
}

/// What is the same so far, as one goes along a path.
trait Along<T> {
    fn go(&mut self, condition: &T);

    /// What is the same if this comes next, and nothing after it.
    fn same_with(&self, condition: &T) -> usize;
}

struct Subset<'a, T> {
    counts: &'a HashMap<T, usize>,
    met: HashMap<T, usize>,
    same: usize,
}

impl<T: Clone + Eq + Hash> Subset<'_, T> {
    /// Whether the standard has it once more than it was met.
    fn is_there(&self, condition: &T) -> bool {
        let met = self.met.get(condition).copied().unwrap_or(0);
        self.counts.get(condition).is_some_and(|count| met < *count)
    }
}

impl<T: Clone + Eq + Hash> Along<T> for Subset<'_, T> {
    fn go(&mut self, condition: &T) {
        if self.is_there(condition) {
            self.same += 1;
            *self.met.entry(condition.clone()).or_default() += 1;
        }
    }

    fn same_with(&self, condition: &T) -> usize {
        self.same + usize::from(self.is_there(condition))
    }
}

struct Longest<'a, T> {
    stretches: &'a Stretches<T>,
    at: (usize, usize),
    longest: usize,
}

impl<T: Clone + Eq + Hash> Along<T> for Longest<'_, T> {
    fn go(&mut self, condition: &T) {
        self.at = self.stretches.next(self.at, condition);
        self.longest = self.longest.max(self.at.1);
    }

    fn same_with(&self, condition: &T) -> usize {
        self.longest.max(self.stretches.next(self.at, condition).1)
    }
}

/// All stretches of a path, as an automaton that has read one of them when it is in a state (a suffix automaton).
struct Stretches<T> {
    states: Vec<State<T>>,
}

struct State<T> {
    /// Of the longest stretch that leads here.
    length: usize,
    /// Where the longest shorter one leads that ends alike but is somewhere else, too.
    shorter: Option<usize>,
    next: HashMap<T, usize>,
}

impl<T: Clone + Eq + Hash> Stretches<T> {
    fn of(path: &[T]) -> Stretches<T> {
        let mut all = Stretches { states: vec![State { length: 0, shorter: None, next: HashMap::new() }] };
        let mut last = 0;
        for condition in path {
            last = all.append(last, condition);
        }
        all
    }

    fn append(&mut self, last: usize, condition: &T) -> usize {
        let new = self.states.len();
        self.states.push(State { length: self.states[last].length + 1, shorter: Some(0), next: HashMap::new() });
        let mut from = Some(last);
        while let Some(at) = from {
            match self.states[at].next.get(condition) {
                None => {
                    self.states[at].next.insert(condition.clone(), new);
                    from = self.states[at].shorter;
                }
                Some(&to) => {
                    let shorter = self.with_length(to, at, condition);
                    self.states[new].shorter = Some(shorter);
                    return new;
                }
            }
        }
        new
    }

    /// The state of a stretch that is one longer than that of `at`: `to`, or a copy of it if longer ones lead there too.
    fn with_length(&mut self, to: usize, at: usize, condition: &T) -> usize {
        let length = self.states[at].length + 1;
        if self.states[to].length == length {
            return to;
        }
        let copy = self.states.len();
        let State { shorter, next, .. } = &self.states[to];
        self.states.push(State { length, shorter: *shorter, next: next.clone() });
        self.states[to].shorter = Some(copy);
        let mut from = Some(at);
        while let Some(at) = from.filter(|at| self.states[*at].next.get(condition) == Some(&to)) {
            self.states[at].next.insert(condition.clone(), copy);
            from = self.states[at].shorter;
        }
        copy
    }

    /// From a state, and the length of what was read: the same after one more condition, of which the end is read that is
    /// a stretch.
    fn next(&self, (mut at, mut length): (usize, usize), condition: &T) -> (usize, usize) {
        loop {
            if let Some(&to) = self.states[at].next.get(condition) {
                return (to, length + 1);
            }
            let Some(shorter) = self.states[at].shorter else { return (0, 0) };
            at = shorter;
            length = self.states[at].length;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Conditions C1 to C6; the third is true in one run and false in the other.
    const ONE: [(u32, bool); 6] = [(1, true), (2, true), (3, true), (4, false), (5, true), (6, false)];
    const OTHER: [(u32, bool); 6] = [(1, true), (2, true), (3, false), (4, false), (5, true), (6, false)];

    /// Inputs that are counted one by one.
    fn of_inputs(one: &[u8], other: &[u8]) -> Similarity {
        let mut counted = Similarity { same: 0, of: 0 };
        counted.add(one, other);
        counted.or_all()
    }

    fn percent(similarity: Similarity) -> String {
        format!("{:.1}", similarity.percent())
    }

    /// Sections 4.1 and 4.2 of the paper.
    #[test]
    fn one_condition_or_input_of_six_is_different() {
        let compared = |by| percent(Standard::new(&ONE, by).whole(&OTHER));
        assert_eq!(compared(Compared::Subset), "83.3");
        assert_eq!(compared(Compared::Subsequence), "50.0");
        assert_eq!(percent(of_inputs(b"abcdef", b"abXdef")), "83.3");
    }

    #[test]
    fn the_longer_path_is_what_a_share_is_of() {
        let subset = Standard::new(&ONE, Compared::Subset);
        // Turned at the last, the fourth, and the first condition: what comes after is not known.
        assert_eq!(percent(subset.turned(&ONE, &[(5, (6, true))])[0]), "83.3");
        assert_eq!(percent(subset.turned(&ONE, &[(3, (4, true))])[0]), "50.0");
        assert_eq!(subset.turned(&ONE, &[(0, (1, false))])[0], Similarity::NONE);
        let shorter = Standard::new(&ONE[..3], Compared::Subset);
        assert_eq!(percent(shorter.whole(&ONE)), "50.0");
        assert_eq!(percent(of_inputs(b"abc", b"abcdef")), "50.0");
        assert_eq!(of_inputs(b"", b""), Similarity::ALL);
        assert_eq!(Standard::<u8>::new(&[], Compared::Subset).whole(&[]), Similarity::ALL);
    }

    #[test]
    fn shares_are_compared_as_numbers() {
        let share = |same, of| Similarity { same, of };
        assert_eq!(share(1, 2), share(2, 4));
        assert!(share(2, 3) > share(3, 5) && share(0, 9) < share(1, 1000));
    }

    /// By the definition: as many pairs of equal conditions as can be made.
    fn slow_subset(one: &[u8], other: &[u8]) -> usize {
        let mut left = other.to_vec();
        let pairs = one.iter().filter(|condition| {
            let found = left.iter().position(|other| other == *condition);
            found.map(|at| left.swap_remove(at)).is_some()
        });
        pairs.count()
    }

    fn slow_subsequence(one: &[u8], other: &[u8]) -> usize {
        let stretches = (0..=one.len()).flat_map(|end| (0..=end).map(move |begin| begin..end));
        let is_there = |stretch: &std::ops::Range<usize>| {
            stretch.is_empty() || other.windows(stretch.len()).any(|window| *window == one[stretch.clone()])
        };
        stretches.filter(is_there).map(|stretch| stretch.len()).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn turned_paths_are_as_similar_as_by_definition(
            failing in prop::collection::vec(0..4u8, 0..14),
            path in prop::collection::vec(0..4u8, 1..14),
            turn in 0..5u8,
        ) {
            let turns: Vec<(usize, u8)> = (0..path.len()).map(|position| (position, turn)).collect();
            for (compared, slow) in
                [(Compared::Subset, slow_subset as fn(&[u8], &[u8]) -> usize), (Compared::Subsequence, slow_subsequence)]
            {
                let standard = Standard::new(&failing, compared);
                for ((position, turn), similarity) in turns.iter().zip(standard.turned(&path, &turns)) {
                    let whole = [&path[..*position], &[*turn]].concat();
                    let wanted = Similarity { same: slow(&whole, &failing), of: whole.len().max(failing.len()) };
                    prop_assert_eq!((similarity.same, similarity.of), (wanted.same, wanted.of));
                }
            }
        }
    }
}
