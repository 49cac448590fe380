//! A changing set of marks, and their union.
//!
//! A branch asks for all marks that wait at a place. In a loop of *n* turns as many may wait, and as many branches ask, so
//! merging them anew each time would take *n*². The marks are the leaves of a tree whose inner places keep what the two
//! below them come to; a mark that comes or goes invalidates only the places above, which are merged again on demand.

use std::collections::HashMap;

use super::want::merge;
use super::{Demand, Mark};

#[derive(Default)]
pub struct Crowd {
    /// The root is the first, those below `n` are `2n + 1` and `2n + 2`; the last level has the marks.
    tree: Vec<Place>,
    leaves: HashMap<Mark, Leaf>,
    /// Leaves that nobody has.
    free: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Place {
    mark: Mark,
    /// Something below it has changed. Then all above it are spoilt, too.
    is_spoilt: bool,
}

struct Leaf {
    place: usize,
    /// How often the mark has come and not gone.
    count: u64,
}

const EMPTY: Place = Place { mark: Mark::NOBODY, is_spoilt: false };

impl Crowd {
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    pub fn add(&mut self, mark: Mark) {
        if let Some(leaf) = self.leaves.get_mut(&mark) {
            leaf.count += 1;
            return;
        }
        let place = match self.free.pop() {
            Some(place) => place,
            None => self.deepen(),
        };
        self.leaves.insert(mark, Leaf { place, count: 1 });
        self.set(place, mark);
    }

    /// The mark must have come more often than it has gone.
    pub fn remove(&mut self, mark: Mark) {
        if let Some(leaf) = self.leaves.get_mut(&mark) {
            leaf.count -= 1;
            if leaf.count == 0 {
                let place = leaf.place;
                self.leaves.remove(&mark);
                self.free.push(place);
                self.set(place, Mark::NOBODY);
            }
        }
    }

    /// Everybody together.
    pub fn all(&mut self, demand: &mut impl Demand) -> Mark {
        if self.tree.is_empty() { Mark::NOBODY } else { self.at(0, demand) }
    }

    /// As deep as the tree, which has a level for each doubling of the crowd.
    fn at(&mut self, place: usize, demand: &mut impl Demand) -> Mark {
        if self.tree[place].is_spoilt {
            let (left, right) = (self.at(2 * place + 1, demand), self.at(2 * place + 2, demand));
            self.tree[place] = Place { mark: merge(demand, left, right), is_spoilt: false };
        }
        self.tree[place].mark
    }

    fn set(&mut self, leaf: usize, mark: Mark) {
        self.tree[leaf].mark = mark;
        let mut below = leaf;
        while below > 0 {
            let place = (below - 1) / 2;
            if self.tree[place].is_spoilt {
                break;
            }
            self.tree[place].is_spoilt = true;
            below = place;
        }
    }

    /// Makes room for as many again; gives a free leaf.
    fn deepen(&mut self) -> usize {
        let before = self.tree.len().div_ceil(2);
        let now = (2 * before).max(1);
        let first = now - 1;
        let mut tree = vec![Place { mark: Mark::NOBODY, is_spoilt: true }; first];
        let old = self.tree.len() - before;
        tree.extend_from_slice(&self.tree[old..]);
        tree.resize(first + now, EMPTY);
        self.tree = tree;
        for leaf in self.leaves.values_mut() {
            leaf.place = leaf.place - old + first;
        }
        self.free.extend((first + before + 1..first + now).rev());
        first + before
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use replay::Step;

    use super::super::{Slot, Source};
    use super::*;

    /// A mark is a set of small numbers.
    struct Sets;

    impl Demand for Sets {
        fn pass(&mut self, _: Step, _: Slot, mark: Mark) -> Mark {
            mark
        }

        fn meet(&mut self, _: Step, _: Slot, data: Mark, control: Mark) -> Mark {
            self.merge(data, control)
        }

        fn merge(&mut self, a: Mark, b: Mark) -> Mark {
            Mark(a.0 | b.0)
        }

        fn end(&mut self, _: Source, _: Mark) {}
    }

    proptest! {
        /// The slow twin is a list.
        #[test]
        fn a_crowd_is_all_its_marks(changes in proptest::collection::vec((0..31u32, any::<bool>(), any::<bool>()), 0..300)) {
            let (mut crowd, mut list) = (Crowd::default(), Vec::new());
            for (number, comes, is_asked) in changes {
                let mark = Mark(1 << number);
                if comes {
                    crowd.add(mark);
                    list.push(mark);
                } else if let Some(position) = list.iter().position(|&other| other == mark) {
                    crowd.remove(mark);
                    list.remove(position);
                }
                prop_assert_eq!(crowd.is_empty(), list.is_empty());
                if is_asked {
                    let all = list.iter().fold(0, |all, mark| all | mark.0);
                    prop_assert_eq!(crowd.all(&mut Sets), Mark(all));
                }
            }
            let distinct: BTreeSet<u32> = list.iter().map(|mark| mark.0).collect();
            prop_assert_eq!(crowd.leaves.len(), distinct.len());
        }
    }
}
