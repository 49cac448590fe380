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
/// Pairs that are compared without regard to nesting, in memory: four bytes each.
const MOST_FLAT: usize = 1 << 24;

/// Pairs of statements that correspond.
///
/// A condition that one version lacks stands above all that depends on it, so that whole branches of the trees have no
/// partner in the list they are in. If more corresponds without regard to nesting, then that counts.
pub fn correspond(left: &Tree, right: &Tree) -> Vec<(Position, Position)> {
    let mut matching = Matching { left, right, weights: HashMap::new(), pairs: Vec::new() };
    matching.lists(&left.top, &right.top);
    matching.rest();
    let nested = matching.pairs;
    let flat = flat(left, right);
    let worth = |pairs: &[(Position, Position)]| -> u32 {
        pairs.iter().map(|&(a, b)| alone(&left.statements[a], &right.statements[b])).sum()
    };
    if worth(&flat) > worth(&nested) { flat } else { nested }
}

/// The statements of two functions as plain lists, in the order of their texts.
fn flat(left: &Tree, right: &Tree) -> Vec<(Position, Position)> {
    let weight = |a: Position, b: Position| enough(&left.statements[a], &right.statements[b]);
    let equal = |(a, b): &(&Position, &Position)| left.statements[**a].label == right.statements[**b].label;
    let (a, b) = (in_text(left), in_text(right));
    let prefix = a.iter().zip(&b).take_while(equal).count();
    let suffix = a[prefix..].iter().rev().zip(b[prefix..].iter().rev()).take_while(equal).count();
    let (a_end, b_end) = (a.len() - suffix, b.len() - suffix);
    if (a_end - prefix) * (b_end - prefix) > MOST_FLAT {
        return Vec::new();
    }
    let same = a[..prefix].iter().zip(&b[..prefix]).chain(a[a_end..].iter().zip(&b[b_end..]));
    let mut pairs: Vec<_> = same.map(|(a, b)| (*a, *b)).collect();
    pairs.extend(heaviest(&a[prefix..a_end], &b[prefix..b_end], weight).1);
    pairs
}

/// The statements in the order of the text: a compiler writes blocks as the source has them.
fn in_text(tree: &Tree) -> Vec<Position> {
    let mut all: Vec<Position> = (0..tree.statements.len()).collect();
    all.sort_by_key(|position| tree.statements[*position].root);
    all
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
    /// share more than half. A statement that changed places does not correspond to itself: runs are aligned in the order of
    /// execution, and all that it was moved across would not correspond.
    fn rest(&mut self) {
        let left = left_over(self.left, self.pairs.iter().map(|&(a, _)| a));
        let right = left_over(self.right, self.pairs.iter().map(|&(_, b)| b));
        let room = Room::between(self.left, self.right, &self.pairs);
        let weight = |a: Position, b: Position| match room.has(a, b) {
            true => enough(&self.left.statements[a], &self.right.statements[b]),
            false => 0,
        };
        let (_, pairs) = heaviest(&left, &right, weight);
        self.pairs.extend(pairs);
    }
}

/// Where a statement may have its partner so that they cross no pair that there is, in the order of the texts.
struct Room {
    /// By position: which in its text.
    ranks: (Vec<usize>, Vec<usize>),
    /// By rank on the left: from here on, and up to here, on the right.
    from: Vec<usize>,
    until: Vec<usize>,
}

impl Room {
    fn between(left: &Tree, right: &Tree, pairs: &[(Position, Position)]) -> Room {
        let ranks = |tree: &Tree| {
            let mut ranks = vec![0; tree.statements.len()];
            in_text(tree).into_iter().enumerate().for_each(|(rank, position)| ranks[position] = rank);
            ranks
        };
        let ranks = (ranks(left), ranks(right));
        let count = left.statements.len();
        let (mut from, mut until) = (vec![0; count + 1], vec![right.statements.len(); count + 1]);
        for &(a, b) in pairs {
            let (a, b) = (ranks.0[a], ranks.1[b]);
            from[a + 1] = from[a + 1].max(b + 1);
            until[a] = until[a].min(b);
        }
        for rank in 1..=count {
            from[rank] = from[rank].max(from[rank - 1]);
        }
        for rank in (0..count).rev() {
            until[rank] = until[rank].min(until[rank + 1]);
        }
        Room { ranks, from, until }
    }

    fn has(&self, a: Position, b: Position) -> bool {
        let (a, b) = (self.ranks.0[a], self.ranks.1[b]);
        (self.from[a]..self.until[a]).contains(&b)
    }
}

fn left_over(tree: &Tree, taken: impl Iterator<Item = Position>) -> Vec<Position> {
    let taken: HashSet<Position> = taken.collect();
    in_text(tree).into_iter().filter(|position| !taken.contains(position)).collect()
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

/// The same for statements that stand alone: zero if they share too little.
fn enough(a: &Statement, b: &Statement) -> u32 {
    Some(alone(a, b)).filter(|weight| *weight > ENOUGH).unwrap_or(0)
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
