//! The alignment of two runs, kept in one bit for each statement.
//!
//! Statements that correspond come in the same order in both runs. So it is enough to know of each statement whether it
//! is alone: the n-th of one run that is not corresponds to the n-th of the other that is not.

use super::bits::Bits;
use super::side::{Side, Sides};
use execution::Window;

/// A statement of a run by its number among all it executed.
pub type Ordinal = u64;

/// A statement of either run, or of both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Name {
    /// Of both, by its number among those of both.
    Shared(u64),
    /// Of one run.
    Alone(Side, Ordinal),
}

#[derive(Default, Debug)]
pub struct Order {
    /// Of each statement of a run, whether the other does not have it.
    pub alone: Sides<Bits>,
    /// Of each statement they share, whether its values differ.
    pub differs: Bits,
    /// How many statements there are before each window.
    pub windows: Sides<Vec<u64>>,
}

impl Order {
    pub fn shared(&mut self, differs: bool) {
        self.alone.left.push(false);
        self.alone.right.push(false);
        self.differs.push(differs);
    }

    pub fn alone(&mut self, side: Side) {
        self.alone.of_mut(side).push(true);
    }

    pub fn name(&self, side: Side, ordinal: Ordinal) -> Name {
        let alone = self.alone.of(side);
        if alone.get(ordinal) { Name::Alone(side, ordinal) } else { Name::Shared(alone.clear_before(ordinal)) }
    }

    pub fn ordinal(&self, side: Side, name: Name) -> Option<Ordinal> {
        match name {
            Name::Shared(number) => self.alone.of(side).nth_clear(number),
            Name::Alone(of, ordinal) => (of == side).then_some(ordinal),
        }
    }

    /// Whether the runs differ in it: its values do, or one does not have it.
    pub fn is_different(&self, name: Name) -> bool {
        match name {
            Name::Shared(number) => self.differs.get(number),
            Name::Alone(..) => true,
        }
    }

    /// What statements of both runs are sorted by to be in the order of execution: of each run, and of each other as far
    /// as the alignment tells.
    pub fn key(&self, name: Name) -> (u64, u8, u64) {
        match name {
            Name::Shared(number) => (number, 2, 0),
            Name::Alone(Side::Left, ordinal) => (self.alone.left.clear_before(ordinal), 0, ordinal),
            Name::Alone(Side::Right, ordinal) => (self.alone.right.clear_before(ordinal), 1, ordinal),
        }
    }

    /// The window a statement was executed in.
    pub fn window(&self, side: Side, ordinal: Ordinal) -> Window {
        Window(self.windows.of(side).partition_point(|&before| before <= ordinal).saturating_sub(1))
    }

    /// The number of a window's first statement.
    pub fn first(&self, side: Side, window: Window) -> Ordinal {
        self.windows.of(side).get(window.0).copied().unwrap_or(0)
    }

    pub fn count(&self, side: Side) -> u64 {
        self.alone.of(side).len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The list of what was told is the slow twin.
        #[test]
        fn every_statement_finds_its_partner(told in proptest::collection::vec(0..4u8, 0..500)) {
            let mut order = Order::default();
            let mut expected = Vec::new();
            let (mut left, mut right, mut shared) = (0, 0, 0);
            for kind in told {
                match kind {
                    0 => {
                        order.alone(Side::Left);
                        expected.push((Name::Alone(Side::Left, left), Some(left), None));
                        left += 1;
                    }
                    1 => {
                        order.alone(Side::Right);
                        expected.push((Name::Alone(Side::Right, right), None, Some(right)));
                        right += 1;
                    }
                    kind => {
                        order.shared(kind == 2);
                        prop_assert_eq!(order.is_different(Name::Shared(shared)), kind == 2);
                        expected.push((Name::Shared(shared), Some(left), Some(right)));
                        (left, right, shared) = (left + 1, right + 1, shared + 1);
                    }
                }
            }
            for &(name, left, right) in &expected {
                prop_assert_eq!(order.ordinal(Side::Left, name), left);
                prop_assert_eq!(order.ordinal(Side::Right, name), right);
                for (side, ordinal) in [(Side::Left, left), (Side::Right, right)] {
                    if let Some(ordinal) = ordinal {
                        prop_assert_eq!(order.name(side, ordinal), name);
                    }
                }
            }
            // Each run's statements are in its order.
            let mut sorted = expected.clone();
            sorted.sort_by_key(|(name, ..)| order.key(*name));
            let lefts: Vec<_> = sorted.iter().filter_map(|(_, left, _)| *left).collect();
            let rights: Vec<_> = sorted.iter().filter_map(|(.., right)| *right).collect();
            prop_assert!(lefts.is_sorted() && rights.is_sorted());
        }
    }
}
