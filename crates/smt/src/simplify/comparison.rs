//! Comparisons. They are narrowed to the bits that decide, taken apart where their operands were put together, and decided
//! where bounds exclude the one or the other outcome.

use crate::operation::{Operation, ones, sign_bit, sign_extended, signed};
use crate::term::{Term, Terms, View};

impl Terms {
    /// A comparison as it stands, though bounds may decide it: what is put in place of its operands later may have others.
    /// `None`: both are constants, or the operation is none.
    pub fn undecided(&mut self, operation: Operation, a: Term, b: Term) -> Option<Term> {
        let is_comparison = matches!(operation, Operation::Equal | Operation::LessUnsigned | Operation::LessSigned);
        let is_decided = self.as_constant(a).is_some() && self.as_constant(b).is_some();
        let (a, b) = if operation == Operation::Equal { self.ordered(a, b) } else { (a, b) };
        (is_comparison && !is_decided).then(|| self.made_of(1, View::Binary(operation, a, b)))
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.truth(true);
        }
        self.binary(Operation::Equal, a, b, |terms| match terms.as_constant(b) {
            Some(constant) => terms.equal_to(a, constant),
            None => terms.equal_both(a, b),
        })
    }

    fn equal_to(&mut self, a: Term, constant: u128) -> Option<Term> {
        use Operation::{Add, Multiply, Subtract, Xor};
        let width = self.width(a);
        if width == 1 {
            return Some(if constant == 1 { a } else { self.not(a) });
        }
        let bounds = self.bounds(a);
        let is_possible = bounds.certain & !constant == 0
            && constant & !bounds.possible == 0
            && (bounds.least..=bounds.greatest).contains(&constant);
        if !is_possible {
            return Some(self.truth(false));
        }
        match self.view(a) {
            View::ZeroExtend(x) => Some(self.equal_constant(x, constant)),
            View::SignExtend(x) => {
                let from = self.width(x);
                if sign_extended(from, width, constant & ones(from)) == constant {
                    Some(self.equal_constant(x, constant))
                } else {
                    Some(self.truth(false))
                }
            }
            View::Concat(high, low) => {
                let at = self.width(low);
                let high = self.equal_constant(high, constant >> at);
                let low = self.equal_constant(low, constant);
                Some(self.and(high, low))
            }
            View::Not(x) => Some(self.equal_constant(x, !constant)),
            View::Binary(Add, x, y) => {
                let inner = self.as_constant(y)?;
                Some(self.equal_constant(x, constant.wrapping_sub(inner)))
            }
            View::Binary(Subtract, x, y) => match self.as_constant(x) {
                Some(from) => Some(self.equal_constant(y, from.wrapping_sub(constant))),
                None if constant == 0 => Some(self.equal(x, y)),
                None => None,
            },
            View::Binary(Xor, x, y) => match self.as_constant(y) {
                Some(flipped) => Some(self.equal_constant(x, constant ^ flipped)),
                None if constant == 0 => Some(self.equal(x, y)),
                None => None,
            },
            View::Binary(Multiply, x, y) => {
                let factor = self.as_constant(y)?;
                (factor & 1 == 1).then(|| self.equal_constant(x, constant.wrapping_mul(inverse(factor))))
            }
            View::Choose(condition, then, otherwise) => {
                // One comparison must be decided, or two are made of one.
                let is_decided = |terms: &Terms, term: Term| {
                    terms.as_constant(term).is_some()
                        || matches!(terms.view(term), View::Choose(_, x, y)
                            if terms.as_constant(x).is_some() || terms.as_constant(y).is_some())
                };
                if !is_decided(self, then) && !is_decided(self, otherwise) {
                    return None;
                }
                let then = self.equal_constant(then, constant);
                let otherwise = self.equal_constant(otherwise, constant);
                Some(self.choose(condition, then, otherwise))
            }
            View::Table(index, table) => {
                let entries = self.entries(table);
                let mut matching = (0u128..).zip(entries).filter(|(_, entry)| **entry == constant);
                match (matching.next(), matching.next()) {
                    (Some((only, _)), None) if constant != 0 => Some(self.equal_constant(index, only)),
                    (None, _) if constant != 0 => Some(self.truth(false)),
                    _ => self.asked_of_table(a, index, |entry| entry == constant),
                }
            }
            View::Constant(_) | View::Symbol(_) | View::Binary(..) | View::Extract(..) => None,
        }
    }

    fn equal_constant(&mut self, a: Term, constant: u128) -> Term {
        let constant = self.constant(self.width(a), constant);
        self.equal(a, constant)
    }

    fn equal_both(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.width(a) == 1 {
            let differs = self.xor(a, b);
            return Some(self.not(differs));
        }
        if self.bounds(a).excludes(self.bounds(b)) {
            return Some(self.truth(false));
        }
        if let Some((x, y)) = self.same_extension(a, b) {
            return Some(self.equal(x, y));
        }
        let unsigned = |terms: &Terms, term: Term| terms.plus_constant(term).unwrap_or((term, 0));
        let ((x, more), (y, less)) = (unsigned(self, a), unsigned(self, b));
        if x == y {
            // Sums that differ in the constant; had they the same, they would be one term.
            return Some(self.truth(more == less));
        }
        match (self.view(a), self.view(b)) {
            (View::Concat(high, low), View::Concat(other_high, other_low))
                if self.width(low) == self.width(other_low) =>
            {
                let high = self.equal(high, other_high);
                let low = self.equal(low, other_low);
                Some(self.and(high, low))
            }
            (View::Not(x), View::Not(y)) => Some(self.equal(x, y)),
            _ => None,
        }
    }

    /// What two terms are extensions of, if both are of the same kind: narrower terms of one width, in the same order.
    fn same_extension(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.view(a), self.view(b)) {
            (View::ZeroExtend(x), View::ZeroExtend(y)) => {
                let narrow = self.width(x).max(self.width(y));
                Some((self.zero_extend(x, narrow), self.zero_extend(y, narrow)))
            }
            (View::SignExtend(x), View::SignExtend(y)) => {
                let narrow = self.width(x).max(self.width(y));
                Some((self.sign_extend(x, narrow), self.sign_extend(y, narrow)))
            }
            _ => None,
        }
    }

    pub fn less_unsigned(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth(false);
        }
        self.binary(Operation::LessUnsigned, a, b, |terms| terms.below(a, b))
    }

    fn below(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if width == 1 {
            let not = self.not(a);
            return Some(self.and(not, b));
        }
        let (of_a, of_b) = (self.bounds(a), self.bounds(b));
        if of_a.greatest < of_b.least {
            return Some(self.truth(true));
        }
        if of_a.least >= of_b.greatest {
            return Some(self.truth(false));
        }
        if let Some((x, y)) = self.same_extension(a, b) {
            return Some(self.less_unsigned(x, y));
        }
        match (self.as_constant(a), self.as_constant(b)) {
            // Between its least value and the next, or its greatest and the one before, there is only one.
            (_, Some(bound)) if of_a.least.checked_add(1) == Some(bound) => Some(self.equal_constant(a, of_a.least)),
            (Some(bound), _) if of_b.greatest.checked_sub(1) == Some(bound) => {
                Some(self.equal_constant(b, of_b.greatest))
            }
            (_, Some(bound)) if of_a.greatest == bound => {
                let equal = self.equal_constant(a, bound);
                Some(self.not(equal))
            }
            (Some(bound), _) if of_b.least == bound => {
                let equal = self.equal_constant(b, bound);
                Some(self.not(equal))
            }
            (None, Some(bound)) => self.below_constant(a, bound),
            (Some(bound), None) => {
                // Otherwise it would be the greatest number, which nothing is above.
                let above = self.below_constant(b, bound.checked_add(1)?)?;
                Some(self.not(above))
            }
            (None, None) => None,
            (Some(_), Some(_)) => None,
        }
    }

    /// `a < bound`, where neither outcome is excluded.
    fn below_constant(&mut self, a: Term, bound: u128) -> Option<Term> {
        let width = self.width(a);
        match self.view(a) {
            View::ZeroExtend(x) => {
                let bound = self.constant(self.width(x), bound);
                Some(self.less_unsigned(x, bound))
            }
            View::SignExtend(x) => {
                let from = self.width(x);
                let narrow = bound & ones(from);
                if sign_extended(from, width, narrow) == bound {
                    let bound = self.constant(from, narrow);
                    return Some(self.less_unsigned(x, bound));
                }
                // Between the greatest positive number and the least negative one.
                let sign = self.extract(x, from - 1, 1);
                Some(self.not(sign))
            }
            View::Concat(high, low) => {
                let at = self.width(low);
                let (bound_high, bound_low) = (bound >> at, bound & ones(at));
                if bound_low == 0 {
                    let bound = self.constant(width - at, bound_high);
                    return Some(self.less_unsigned(high, bound));
                }
                let low = self.as_constant(low)?;
                let high_bound = self.constant(width - at, bound_high);
                if low < bound_low {
                    let above = self.less_unsigned(high_bound, high);
                    Some(self.not(above))
                } else {
                    Some(self.less_unsigned(high, high_bound))
                }
            }
            View::Choose(condition, then, otherwise)
                if self.as_constant(then).is_some() || self.as_constant(otherwise).is_some() =>
            {
                let bound = self.constant(width, bound);
                let then = self.less_unsigned(then, bound);
                let otherwise = self.less_unsigned(otherwise, bound);
                Some(self.choose(condition, then, otherwise))
            }
            View::Table(index, _) => self.asked_of_table(a, index, |entry| entry < bound),
            // `c - '0' < 10`: a range of `c`, which is found out about without a sum.
            View::Binary(Operation::Add, x, y) if matches!(self.view(x), View::ZeroExtend(_)) => {
                let from = self.as_constant(y)?.wrapping_neg() & ones(width);
                let to = from.checked_add(bound).filter(|to| *to <= ones(width))?;
                let (from, to) = (self.constant(width, from), self.constant(width, to));
                let is_before = self.less_unsigned(x, from);
                let is_not_before = self.not(is_before);
                let is_in = self.less_unsigned(x, to);
                Some(self.and(is_not_before, is_in))
            }
            _ => None,
        }
    }

    pub fn less_signed(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth(false);
        }
        self.binary(Operation::LessSigned, a, b, |terms| terms.below_signed(a, b))
    }

    fn below_signed(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if width == 1 {
            let not = self.not(b);
            return Some(self.and(a, not));
        }
        match (self.bounds(a).sign(width), self.bounds(b).sign(width)) {
            (Some(true), Some(false)) => return Some(self.truth(true)),
            (Some(false), Some(true)) => return Some(self.truth(false)),
            (Some(_), Some(_)) => return Some(self.less_unsigned(a, b)),
            _ => {}
        }
        if let (View::SignExtend(_), View::SignExtend(_)) = (self.view(a), self.view(b))
            && let Some((x, y)) = self.same_extension(a, b)
        {
            return Some(self.less_signed(x, y));
        }
        match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(0)) => Some(self.extract(a, width - 1, 1)),
            (Some(constant), _) if constant == ones(width) => {
                let sign = self.extract(b, width - 1, 1);
                Some(self.not(sign))
            }
            (_, Some(constant)) if constant == sign_bit(width) => Some(self.truth(false)),
            (Some(constant), _) if constant == sign_bit(width) - 1 => Some(self.truth(false)),
            (_, Some(bound)) => match self.view(a) {
                View::SignExtend(x) => {
                    let from = self.width(x);
                    match narrow_signed(from, width, bound) {
                        Narrow::Below => Some(self.truth(false)),
                        Narrow::Above => Some(self.truth(true)),
                        Narrow::Within(bound) => {
                            let bound = self.constant(from, bound);
                            Some(self.less_signed(x, bound))
                        }
                    }
                }
                View::Table(index, _) => {
                    self.asked_of_table(a, index, |entry| signed(width, entry) < signed(width, bound))
                }
                _ => None,
            },
            (Some(bound), _) => match self.view(b) {
                View::SignExtend(x) => {
                    let from = self.width(x);
                    match narrow_signed(from, width, bound) {
                        Narrow::Below => Some(self.truth(true)),
                        Narrow::Above => Some(self.truth(false)),
                        Narrow::Within(bound) => {
                            let bound = self.constant(from, bound);
                            Some(self.less_signed(bound, x))
                        }
                    }
                }
                View::Table(index, _) => {
                    self.asked_of_table(b, index, |entry| signed(width, bound) < signed(width, entry))
                }
                _ => None,
            },
            (None, None) => None,
        }
    }
}

/// Where a number stands among those of fewer bits.
enum Narrow {
    Below,
    Within(u128),
    Above,
}

fn narrow_signed(from: u32, width: u32, constant: u128) -> Narrow {
    let value = signed(width, constant);
    let greatest = (sign_bit(from) - 1) as i128;
    if value > greatest {
        Narrow::Above
    } else if value < -greatest - 1 {
        Narrow::Below
    } else {
        Narrow::Within(constant & ones(from))
    }
}

/// What an odd number is multiplied with to give 1, among numbers of 128 bits and so of fewer.
fn inverse(odd: u128) -> u128 {
    // Right in the lowest three bits; each step doubles how many are.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
