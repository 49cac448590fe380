//! The maximal correspondence of two trees of statements.

use std::collections::{HashMap, HashSet};

use super::shared;
use super::tree::{Position, Statement, Tree};

/// What two statements are worth that say the same; those that are only about the same are worth less, by how much they
/// share, so that nothing unchanged is given up for something changed.
const SAME: u32 = 20;
const SHARED: u32 = 8;
/// What two statements are worth that share half of what they say.
const ENOUGH: u32 = 1 + SHARED / 2;

/// Pairs of statements that correspond.
pub fn correspond(left: &Tree, right: &Tree) -> Vec<(Position, Position)> {
    let mut matching = Matching { left, right, weights: HashMap::new(), pairs: Vec::new() };
    matching.lists(&left.top, &right.top);
    matching.rest();
    matching.pairs
}

struct Matching<'a> {
    left: &'a Tree,
    right: &'a Tree,
    /// What a pair is worth with all below it; zero if it cannot be.
    weights: HashMap<(Position, Position), u32>,
    pairs: Vec<(Position, Position)>,
}

impl Matching<'_> {
    /// Matches two lists in order, and what is below the statements that match.
    fn lists(&mut self, left: &[Position], right: &[Position]) {
        let equal = |a: &Position, b: &Position| self.left.statements[*a].hash == self.right.statements[*b].hash;
        let prefix = left.iter().zip(right).take_while(|(a, b)| equal(a, b)).count();
        let (left_rest, right_rest) = (&left[prefix..], &right[prefix..]);
        let suffix = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(|(a, b)| equal(a, b)).count();
        let (left_middle, left_end) = left_rest.split_at(left_rest.len() - suffix);
        let (right_middle, right_end) = right_rest.split_at(right_rest.len() - suffix);
        let mut pairs: Vec<_> = left[..prefix].iter().copied().zip(right[..prefix].iter().copied()).collect();
        pairs.extend(self.best(left_middle, right_middle).1);
        pairs.extend(left_end.iter().copied().zip(right_end.iter().copied()));
        for (a, b) in pairs {
            self.pairs.push((a, b));
            let (left, right) = (self.left, self.right);
            for (below, other) in left.statements[a].below.iter().zip(&right.statements[b].below) {
                self.lists(below, other);
            }
        }
    }

    /// The heaviest common subsequence of two lists, with all below, and its weight.
    fn best(&mut self, left: &[Position], right: &[Position]) -> (u32, Vec<(Position, Position)>) {
        heaviest(left, right, |a, b| self.weight(a, b))
    }

    fn weight(&mut self, a: Position, b: Position) -> u32 {
        if let Some(&known) = self.weights.get(&(a, b)) {
            return known;
        }
        let (left, right) = (self.left, self.right);
        let (x, y) = (&left.statements[a], &right.statements[b]);
        let own = alone(x, y);
        let mut below = 0;
        if own > 0 {
            for (list, other) in x.below.iter().zip(&y.below) {
                below += self.best(list, other).0;
            }
        }
        // Two choices that differ correspond only for the sake of what depends on them.
        let enough = if x.below.is_empty() { own > ENOUGH } else { own == SAME || below >= SAME };
        let weight = if enough { own + below } else { 0 };
        self.weights.insert((a, b), weight);
        weight
    }

    /// Statements left over, in the order of the function: their nesting has changed. Those that say something else must
    /// share more than half.
    fn rest(&mut self) {
        let left = left_over(self.left, self.pairs.iter().map(|&(a, _)| a));
        let right = left_over(self.right, self.pairs.iter().map(|&(_, b)| b));
        let weight = |a: Position, b: Position| {
            let weight = alone(&self.left.statements[a], &self.right.statements[b]);
            if weight > ENOUGH { weight } else { 0 }
        };
        let (_, pairs) = heaviest(&left, &right, weight);
        self.pairs.extend(pairs);
    }
}

fn left_over(tree: &Tree, taken: impl Iterator<Item = Position>) -> Vec<Position> {
    let taken: HashSet<Position> = taken.collect();
    (0..tree.statements.len()).filter(|position| !taken.contains(position)).collect()
}

/// What two statements are worth without what is below them; zero if they cannot correspond.
fn alone(a: &Statement, b: &Statement) -> u32 {
    if a.below.len() != b.below.len() || a.topic != b.topic {
        return 0;
    }
    if a.label == b.label {
        return SAME;
    }
    let words = (a.words.len() + b.words.len()).max(1) as u32;
    1 + SHARED * 2 * shared(&a.words, &b.words) as u32 / words
}

/// The heaviest common subsequence of two lists, and its weight.
fn heaviest(
    left: &[Position],
    right: &[Position],
    mut weight: impl FnMut(Position, Position) -> u32,
) -> (u32, Vec<(Position, Position)>) {
    let width = right.len() + 1;
    let mut table = vec![0u32; (left.len() + 1) * width];
    for (i, &a) in left.iter().enumerate().rev() {
        for (j, &b) in right.iter().enumerate().rev() {
            let skipped = table[(i + 1) * width + j].max(table[i * width + j + 1]);
            let weight = weight(a, b);
            let taken = if weight > 0 { weight + table[(i + 1) * width + j + 1] } else { 0 };
            table[i * width + j] = skipped.max(taken);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < left.len() && j < right.len() {
        let here = table[i * width + j];
        if here == table[(i + 1) * width + j] {
            i += 1;
        } else if here == table[i * width + j + 1] {
            j += 1;
        } else {
            pairs.push((left[i], right[j]));
            (i, j) = (i + 1, j + 1);
        }
    }
    (table[0], pairs)
}
