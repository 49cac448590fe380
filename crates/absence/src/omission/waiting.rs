//! Uses that wait for their definitions on a walk, and the predicates that it passes meanwhile.
//!
//! Of everybody who waits, those whose uses are the likeliest to be wrong are remembered. So what is remembered does not grow
//! with the run, whatever loops there are in it.

use std::collections::HashMap;

use execution::dependence::{Demand, Mark, Slot, Source};
use replay::Step;

/// Uses kept for a predicate: the likeliest to be wrong.
const MOST: usize = 32;

/// Somebody who is not asked about.
const ANYBODY: Mark = Mark(1);

/// Uses by how likely they are to be wrong; the first is rank 0.
type Ranks = Vec<u32>;

pub struct Waiting {
    ranks: HashMap<Step, u32>,
    /// By mark, from [`ANYBODY`] on.
    groups: Vec<Ranks>,
    known: HashMap<Ranks, Mark>,
    merged: HashMap<(u32, u32), Mark>,
    /// Each predicate, with the uses that potentially depend on it.
    found: Vec<(Step, Mark)>,
}

impl Waiting {
    /// `uses`: the likeliest to be wrong first.
    pub fn new(uses: &[Step]) -> Waiting {
        Waiting {
            ranks: uses.iter().copied().zip(0..).collect(),
            groups: vec![Ranks::new()],
            known: HashMap::from([(Ranks::new(), ANYBODY)]),
            merged: HashMap::new(),
            found: Vec::new(),
        }
    }

    /// Who wants what the walk begins at.
    pub fn root(&self) -> Mark {
        ANYBODY
    }

    /// Predicates with the ranks of uses that potentially depend on them, the best first; the latest predicate first.
    pub fn found(&self) -> impl Iterator<Item = (Step, &[u32])> {
        self.found.iter().map(|(at, mark)| (*at, &self.groups[mark.0 as usize - 1][..]))
    }

    fn of(&mut self, step: Step) -> Mark {
        match self.ranks.get(&step) {
            Some(&rank) => self.group(vec![rank]),
            None => ANYBODY,
        }
    }

    fn group(&mut self, ranks: Ranks) -> Mark {
        let groups = &mut self.groups;
        *self.known.entry(ranks).or_insert_with_key(|ranks| {
            groups.push(ranks.clone());
            Mark(groups.len() as u32)
        })
    }
}

impl Demand for Waiting {
    fn pass(&mut self, at: Step, _: Slot, _: Mark) -> Mark {
        self.of(at)
    }

    fn meet(&mut self, at: Step, _: Slot, _: Mark, _: Mark) -> Mark {
        self.of(at)
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        let (a, b) = (a.0.min(b.0), a.0.max(b.0));
        if a == ANYBODY.0 {
            return Mark(b);
        }
        if let Some(&known) = self.merged.get(&(a, b)) {
            return known;
        }
        let mut both = [&self.groups[a as usize - 1][..], &self.groups[b as usize - 1][..]].concat();
        both.sort_unstable();
        both.dedup();
        both.truncate(MOST);
        let mark = self.group(both);
        self.merged.insert((a, b), mark);
        mark
    }

    fn end(&mut self, _: Source, _: Mark) {}

    fn asks(&self, user: Step) -> bool {
        self.ranks.contains_key(&user)
    }

    fn could(&mut self, predicate: Step, users: Mark) -> Mark {
        if users != ANYBODY {
            self.found.push((predicate, users));
        }
        Mark::NOBODY
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use abi::{FunctionId, InstructionId};
    use program::FunctionKey;
    use proptest::prelude::*;

    use super::*;

    fn step(clock: u64) -> Step {
        let function = FunctionKey { module: 0, function: FunctionId(0) };
        Step { clock, depth: 1, site: function.at(InstructionId(0)) }
    }

    proptest! {
        /// The definition: all who wait, in order, as many as are kept.
        #[test]
        fn the_likeliest_of_all_who_wait_are_remembered(merges in proptest::collection::vec((0..80u64, 0..40usize), 1..120)) {
            let uses: Vec<Step> = (0..60).map(step).collect();
            let mut waiting = Waiting::new(&uses);
            let mut groups = vec![(waiting.root(), BTreeSet::new())];
            for (clock, with) in merges {
                // The uses from 60 on nobody asks about.
                let one = waiting.pass(step(clock), Slot(0), ANYBODY);
                let (mark, mut all) = groups[with % groups.len()].clone();
                if clock < 60 {
                    all.insert(clock as u32);
                }
                // What is dropped by one cannot come back by another.
                let all: BTreeSet<u32> = all.into_iter().take(MOST).collect();
                groups.push((waiting.merge(mark, one), all));
            }
            for (position, (mark, _)) in groups.iter().enumerate() {
                waiting.could(step(1000 + position as u64), *mark);
            }
            let found: Vec<(Step, Vec<u32>)> = waiting.found().map(|(at, ranks)| (at, ranks.to_vec())).collect();
            let expected = groups.iter().enumerate().filter(|(_, (_, all))| !all.is_empty());
            let expected: Vec<(Step, Vec<u32>)> =
                expected.map(|(position, (_, all))| (step(1000 + position as u64), all.iter().copied().collect())).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
