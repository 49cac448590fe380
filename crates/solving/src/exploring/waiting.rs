//! Inputs that were run and wait to be recorded: those of which most is hoped come first, and no place of the program is
//! favoured for long.
//!
//! Hopes, in their order: it ended badly, as no other has; it takes a way that no recorded run has gone; it has a word that
//! was compared with one of its own; it takes an evaluation of a condition another way that none has taken, or at least not in
//! the same round of a loop; it was made of a run that did, and is longer than that; it was made of a run that went a new way,
//! or of one that took a condition another way; it was made of none of these. Less hope has its turn now and then, too, down to
//! the least: an input that promises nothing may be all that is between a path and what lies behind it. Among equal hopes the
//! place is next that was followed least often, so a loop that always has one more round cannot keep the others waiting; at one
//! place the smallest takes turns with the newest that is not much larger.

use std::collections::HashMap;
use std::hash::Hash;

/// What is hoped of an input; more is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Hope {
    Little,
    AfterNew,
    AfterNewWay,
    Longer,
    NewRound,
    NewEvaluation,
    NewWord,
    NewWay,
    NewEnd,
}

/// One that waits.
struct Entry<T> {
    number: u64,
    /// How large the input is, to the nearest power of two.
    size: u32,
    what: T,
}

/// Whose turn it is, again and again, where there is no greater hope than a new evaluation. Where none of these waits, the
/// greatest hope is next.
const TURNS: [Hope; 9] = [
    Hope::NewEvaluation,
    Hope::NewRound,
    Hope::AfterNewWay,
    Hope::NewEvaluation,
    Hope::AfterNew,
    Hope::NewRound,
    Hope::Longer,
    Hope::NewEvaluation,
    Hope::Little,
];

/// Powers of two by which an input is not called small any more beside another.
const MUCH_LARGER: u32 = 2;

/// Things that wait, by the places they are from.
pub(super) struct Waiting<Place, T> {
    groups: HashMap<(Hope, Place), Vec<Entry<T>>>,
    followed: HashMap<Place, u64>,
    count: usize,
    numbers: u64,
    /// How many have had their turn.
    turns: usize,
}

impl<Place: Copy + Eq + Hash + Ord, T> Waiting<Place, T> {
    pub fn new() -> Waiting<Place, T> {
        Waiting { groups: HashMap::new(), followed: HashMap::new(), count: 0, numbers: 0, turns: 0 }
    }

    pub fn add(&mut self, hope: Hope, place: Place, size: usize, what: T) {
        self.count += 1;
        self.numbers += 1;
        let entry = Entry { number: self.numbers, size: size.max(1).ilog2(), what };
        self.groups.entry((hope, place)).or_default().push(entry);
    }

    /// The next one. `still`: what is hoped of it by now, which is no more than at first.
    pub fn next(&mut self, still: impl Fn(&T, Hope) -> Hope) -> Option<T> {
        loop {
            let followed = |place: &Place| self.followed.get(place).copied().unwrap_or(0);
            let turn = TURNS[self.turns % TURNS.len()];
            let rank = |hope: Hope| (hope > Hope::NewEvaluation, hope == turn, hope);
            let best = self.groups.keys().max_by_key(|(hope, place)| {
                (rank(*hope), std::cmp::Reverse(followed(place)), std::cmp::Reverse(*place))
            });
            let (hope, place) = *best?;
            let turn = followed(&place);
            let group = self.groups.get_mut(&(hope, place))?;
            let at = match turn % 2 {
                0 => (0..group.len()).min_by_key(|at| (group[*at].size, group[*at].number))?,
                _ => {
                    let least = group.iter().map(|entry| entry.size).min()?;
                    let is_small = |at: &usize| group[*at].size <= least + MUCH_LARGER;
                    (0..group.len()).filter(is_small).max_by_key(|at| group[*at].number)?
                }
            };
            let entry = group.swap_remove(at);
            if group.is_empty() {
                self.groups.remove(&(hope, place));
            }
            let now = still(&entry.what, hope);
            if now < hope {
                self.groups.entry((now, place)).or_default().push(entry);
                continue;
            }
            self.count -= 1;
            self.turns += 1;
            *self.followed.entry(place).or_default() += 1;
            return Some(entry.what);
        }
    }

    /// Forgets those of which least is hoped until no more than this many wait; tells how many.
    pub fn forget_beyond(&mut self, most: usize) -> u64 {
        let mut forgotten = 0;
        while self.count > most {
            let Some(least) = self.groups.iter().min_by_key(|(key, group)| (key.0, std::cmp::Reverse(group.len())))
            else {
                break;
            };
            let key = *least.0;
            let Some(group) = self.groups.get_mut(&key) else { break };
            // Half of the largest group, those that came last.
            let gone = group.len().div_ceil(2).min(self.count - most);
            group.truncate(group.len() - gone);
            if group.is_empty() {
                self.groups.remove(&key);
            }
            self.count -= gone;
            forgotten += gone as u64;
        }
        forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(waiting: &mut Waiting<u8, u32>) -> Vec<u32> {
        std::iter::from_fn(|| waiting.next(|_, hope| hope)).collect()
    }

    #[test]
    fn more_hope_comes_first_and_places_take_turns() {
        let mut waiting = Waiting::new();
        for number in 0..3 {
            waiting.add(Hope::NewEvaluation, 1, 8, number);
        }
        waiting.add(Hope::NewEvaluation, 2, 8, 10);
        waiting.add(Hope::NewWay, 3, 8, 20);
        waiting.add(Hope::Little, 2, 8, 30);
        assert_eq!(order(&mut waiting), [20, 0, 10, 2, 1, 30]);
    }

    #[test]
    fn less_hope_has_its_turn() {
        let mut waiting = Waiting::new();
        for number in 0..12 {
            waiting.add(if number < 8 { Hope::NewEvaluation } else { Hope::NewRound }, 1, 8, number);
        }
        waiting.add(Hope::Longer, 1, 8, 100);
        waiting.add(Hope::Little, 1, 8, 101);
        waiting.add(Hope::NewWord, 1, 8, 200);
        let order = order(&mut waiting);
        assert_eq!(order[0], 200);
        assert!(order[..TURNS.len() + 1].contains(&100), "{order:?}");
        assert!(order[..TURNS.len() + 1].contains(&101), "{order:?}");
        assert!(order[..4].iter().any(|number| (8..12).contains(number)), "{order:?}");
    }

    #[test]
    fn who_is_hoped_less_of_by_now_comes_later() {
        let mut waiting = Waiting::new();
        waiting.add(Hope::NewWay, 1, 8, 1);
        waiting.add(Hope::NewEvaluation, 2, 8, 2);
        let still = |what: &u32, hope| if *what == 1 { Hope::Little } else { hope };
        assert_eq!(waiting.next(still), Some(2));
        assert_eq!(waiting.next(still), Some(1));
        assert_eq!(waiting.next(still), None);
    }

    #[test]
    fn the_least_hope_is_forgotten_first() {
        let mut waiting = Waiting::new();
        for number in 0..10 {
            waiting.add(if number < 5 { Hope::Little } else { Hope::NewWay }, 1, 8, number);
        }
        assert_eq!(waiting.forget_beyond(6), 4);
        let left = order(&mut waiting);
        assert_eq!(left.iter().filter(|number| **number >= 5).count(), 5);
        assert_eq!(left.len(), 6);
    }
}
