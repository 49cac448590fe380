//! A single symbol of a byte or less: all of its values are tried. Which values a constraint allows is remembered, so later
//! questions only intersect sets.

use crate::hash::{Map, Set};
use crate::operation::ones;
use crate::symbols::Symbol;
use crate::term::{Term, Terms, View};

/// So many values, and a bit for each.
const MOST_BITS: u32 = 8;
/// A constraint of more terms is left to the SAT solver.
const MOST_TERMS: usize = 300;
const MOST_REMEMBERED: usize = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Values([u64; 4]);

impl Values {
    const ALL: Values = Values([u64::MAX; 4]);

    fn first(self) -> Option<u128> {
        let (at, word) = (0u128..).zip(self.0).find(|(_, word)| *word != 0)?;
        Some(64 * at + u128::from(word.trailing_zeros()))
    }

    fn has(self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 != 0
    }

    /// One that people can read, if there is one; not always the same, since who asks again hopes for something else.
    fn readable(self, begin: usize) -> Option<u128> {
        let kinds: [fn(u8) -> bool; 3] = [
            |value| value.is_ascii_alphanumeric(),
            |value| value.is_ascii_graphic(),
            |value| value == b'\n' || value == b' ',
        ];
        let from = |at: usize| (begin.wrapping_mul(97).wrapping_add(at) % 256) as u8;
        let of_kind = |is: &fn(u8) -> bool| (0..256).map(from).find(|value| is(*value) && self.has(*value));
        let found = kinds.iter().find_map(of_kind).or_else(|| (0..256).map(from).find(|value| self.has(*value)));
        found.map(u128::from)
    }

    fn and(self, other: Values) -> Values {
        let mut both = self;
        both.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        both
    }
}

#[derive(Default)]
pub(super) struct Exhaust {
    allowed: Map<Term, Values>,
}

pub(super) enum Exhausted {
    /// A value that all constraints allow.
    Value(u128),
    /// Constraints that together allow none, as places.
    None(Vec<usize>),
}

impl Exhaust {
    /// Constraints on this symbol only. None: not with so little effort.
    pub fn answer(&mut self, terms: &Terms, symbol: Symbol, constraints: &[Term]) -> Option<Exhausted> {
        let width = terms.width(terms.term_of(symbol)?);
        if width > MOST_BITS {
            return None;
        }
        let allowed: Vec<Values> = constraints
            .iter()
            .map(|constraint| self.allowed(terms, symbol, width, *constraint))
            .collect::<Option<_>>()?;
        let all = allowed.iter().copied().fold(Values::ALL, Values::and);
        let begin = constraints.iter().map(|constraint| constraint.place()).sum();
        if let Some(value) = all.readable(begin) {
            return Some(Exhausted::Value(value));
        }
        // Each that is not needed is left out, the oldest last.
        let mut core: Vec<usize> = (0..constraints.len()).collect();
        for place in 0..constraints.len() {
            let rest = core.iter().filter(|other| **other != place).map(|other| allowed[*other]);
            if rest.fold(Values::ALL, Values::and).first().is_none() {
                core.retain(|other| *other != place);
            }
            if core.len() <= 2 {
                break;
            }
        }
        Some(Exhausted::None(core))
    }

    fn allowed(&mut self, terms: &Terms, symbol: Symbol, width: u32, constraint: Term) -> Option<Values> {
        if let Some(&known) = self.allowed.get(&constraint) {
            return Some(known);
        }
        let values = try_all(terms, symbol, width, constraint)?;
        if self.allowed.len() >= MOST_REMEMBERED {
            self.allowed.clear();
        }
        self.allowed.insert(constraint, values);
        Some(values)
    }
}

/// The values under which a constraint holds. None: it is too large.
fn try_all(terms: &Terms, symbol: Symbol, width: u32, constraint: Term) -> Option<Values> {
    // What it is made of, operands first: they are older.
    let mut all = Set::default();
    let mut waiting = vec![constraint];
    all.insert(constraint);
    while let Some(term) = waiting.pop() {
        waiting.extend(terms.operands(term).filter(|operand| all.insert(*operand)));
        if all.len() > MOST_TERMS {
            return None;
        }
    }
    let mut order: Vec<Term> = all.into_iter().collect();
    order.sort_unstable();
    let place: Map<Term, usize> = order.iter().enumerate().map(|(at, term)| (*term, at)).collect();
    let mut values = vec![0; order.len()];
    let mut allowed = Values([0; 4]);
    for value in 0..=ones(width) {
        for (at, &term) in order.iter().enumerate() {
            let view = terms.view(term);
            values[at] = match view {
                View::Symbol(own) if own == symbol => value,
                _ => terms.computed(terms.width(term), view, |operand| values[place[&operand]]),
            };
        }
        if values.last() == Some(&1) {
            allowed.0[(value >> 6) as usize] |= 1 << (value & 63);
        }
    }
    Some(allowed)
}
