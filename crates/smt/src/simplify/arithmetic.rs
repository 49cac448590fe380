//! Sums, differences, products, quotients. Constants are pulled out of sums, so that they meet: in `v * 10 + d - '0'`,
//! repeated, they end as one.

use crate::operation::{Operation, ones};
use crate::term::{Term, Terms, View};

impl Terms {
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.binary(Operation::Add, a, b, |terms| terms.added(a, b))
    }

    fn added(&mut self, a: Term, b: Term) -> Option<Term> {
        use Operation::{Add, Subtract};
        let width = self.width(a);
        if width == 1 {
            return Some(self.xor(a, b));
        }
        if let Some(constant) = self.as_constant(b) {
            if constant == 0 {
                return Some(a);
            }
            if let Some((x, inner)) = self.plus_constant(a) {
                let sum = self.constant(width, inner.wrapping_add(constant));
                return Some(self.add(x, sum));
            }
            if let View::Binary(Subtract, from, x) = self.view(a)
                && let Some(from) = self.as_constant(from)
            {
                let from = self.constant(width, from.wrapping_add(constant));
                return Some(self.subtract(from, x));
            }
        } else {
            for (a, b) in [(a, b), (b, a)] {
                if let Some((x, inner)) = self.plus_constant(a) {
                    let sum = self.add(x, b);
                    let inner = self.constant(width, inner);
                    return Some(self.add(sum, inner));
                }
                if let View::Binary(Subtract, x, y) = self.view(a) {
                    if y == b {
                        return Some(x);
                    }
                    if self.as_constant(x) == Some(0) {
                        return Some(self.subtract(b, y));
                    }
                }
            }
            if a == b {
                let one = self.constant(width, 1);
                return Some(self.shift_left(a, one));
            }
        }
        // No bit is carried where none meets another.
        let is_apart = self.bounds(a).possible & self.bounds(b).possible == 0;
        (is_apart && !matches!(self.view(a), View::Binary(Add, _, _))).then(|| self.or(a, b))
    }

    /// A sum with a constant, taken apart.
    pub(super) fn plus_constant(&self, term: Term) -> Option<(Term, u128)> {
        match self.view(term) {
            View::Binary(Operation::Add, x, constant) => self.as_constant(constant).map(|constant| (x, constant)),
            _ => None,
        }
    }

    pub fn subtract(&mut self, a: Term, b: Term) -> Term {
        self.binary(Operation::Subtract, a, b, |terms| terms.subtracted(a, b))
    }

    fn subtracted(&mut self, a: Term, b: Term) -> Option<Term> {
        use Operation::{Add, Subtract};
        let width = self.width(a);
        if width == 1 {
            return Some(self.xor(a, b));
        }
        if a == b {
            return Some(self.constant(width, 0));
        }
        if let Some(constant) = self.as_constant(b) {
            let less = self.constant(width, constant.wrapping_neg());
            return Some(self.add(a, less));
        }
        if let Some((x, inner)) = self.plus_constant(a) {
            let difference = self.subtract(x, b);
            let inner = self.constant(width, inner);
            return Some(self.add(difference, inner));
        }
        if let Some((y, inner)) = self.plus_constant(b) {
            let difference = self.subtract(a, y);
            let inner = self.constant(width, inner.wrapping_neg());
            return Some(self.add(difference, inner));
        }
        if let View::Binary(Subtract, x, y) = self.view(b) {
            if self.as_constant(x) == Some(0) {
                return Some(self.add(a, y));
            }
            if self.as_constant(a) == Some(0) {
                return Some(self.subtract(y, x));
            }
        }
        match self.view(a) {
            View::Binary(Add, x, y) if x == b => Some(y),
            View::Binary(Add, x, y) if y == b => Some(x),
            _ => None,
        }
    }

    pub fn negate(&mut self, a: Term) -> Term {
        let zero = self.constant(self.width(a), 0);
        self.subtract(zero, a)
    }

    pub fn multiply(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.binary(Operation::Multiply, a, b, |terms| terms.multiplied(a, b))
    }

    fn multiplied(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if width == 1 {
            return Some(self.and(a, b));
        }
        let factor = self.as_constant(b)?;
        if factor == 0 {
            return Some(b);
        }
        if factor == ones(width) {
            return Some(self.negate(a));
        }
        if factor.is_power_of_two() {
            let by = self.constant(width, factor.trailing_zeros().into());
            return Some(self.shift_left(a, by));
        }
        if let View::Binary(Operation::Multiply, x, inner) = self.view(a)
            && let Some(inner) = self.as_constant(inner)
        {
            let product = self.constant(width, inner.wrapping_mul(factor));
            return Some(self.multiply(x, product));
        }
        let (x, inner) = self.plus_constant(a)?;
        let product = self.multiply(x, b);
        let inner = self.constant(width, inner.wrapping_mul(factor));
        Some(self.add(product, inner))
    }

    /// All ones if the divisor is zero.
    pub fn divide_unsigned(&mut self, a: Term, b: Term) -> Term {
        self.binary(Operation::Divide, a, b, |terms| terms.divided(a, b))
    }

    fn divided(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if let Some(divisor) = self.as_constant(b) {
            if divisor == 0 {
                return Some(self.constant(width, ones(width)));
            }
            if divisor.is_power_of_two() {
                let by = self.constant(width, divisor.trailing_zeros().into());
                return Some(self.shift_right_logical(a, by));
            }
            if let View::ZeroExtend(x) = self.view(a)
                && divisor <= ones(self.width(x))
            {
                let narrow = self.constant(self.width(x), divisor);
                let quotient = self.divide_unsigned(x, narrow);
                return Some(self.zero_extend(quotient, width));
            }
        }
        let is_less = self.bounds(a).greatest < self.bounds(b).least;
        is_less.then(|| self.constant(width, 0))
    }

    /// The dividend if the divisor is zero.
    pub fn remainder_unsigned(&mut self, a: Term, b: Term) -> Term {
        self.binary(Operation::Remainder, a, b, |terms| terms.rest(a, b))
    }

    fn rest(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.constant(width, 0));
        }
        if let Some(divisor) = self.as_constant(b) {
            if divisor == 0 {
                return Some(a);
            }
            if divisor.is_power_of_two() {
                let mask = self.constant(width, divisor - 1);
                return Some(self.and(a, mask));
            }
        }
        if let View::ZeroExtend(x) = self.view(a)
            && let Some(y) = self.narrowed(b, self.width(x))
        {
            let rest = self.remainder_unsigned(x, y);
            return Some(self.zero_extend(rest, width));
        }
        (self.bounds(a).greatest < self.bounds(b).least).then_some(a)
    }

    /// The term of fewer bits that this one is the zero extension of, if it is so made.
    pub(super) fn narrowed(&mut self, term: Term, width: u32) -> Option<Term> {
        if let Some(constant) = self.as_constant(term) {
            return (constant <= ones(width)).then(|| self.constant(width, constant));
        }
        match self.view(term) {
            View::ZeroExtend(x) if self.width(x) <= width => Some(self.zero_extend(x, width)),
            _ => None,
        }
    }

    /// Rounded towards zero. By zero: 1 for negative dividends, else -1.
    pub fn divide_signed(&mut self, a: Term, b: Term) -> Term {
        let (a_negative, b_negative) = (self.sign_of(a), self.sign_of(b));
        let (a, b) = (self.magnitude(a, a_negative), self.magnitude(b, b_negative));
        let quotient = self.divide_unsigned(a, b);
        let is_negative = self.xor(a_negative, b_negative);
        let negated = self.negate(quotient);
        self.choose(is_negative, negated, quotient)
    }

    /// With the sign of the dividend. By zero: the dividend.
    pub fn remainder_signed(&mut self, a: Term, b: Term) -> Term {
        let (a_negative, b_negative) = (self.sign_of(a), self.sign_of(b));
        let (a, b) = (self.magnitude(a, a_negative), self.magnitude(b, b_negative));
        let rest = self.remainder_unsigned(a, b);
        let negated = self.negate(rest);
        self.choose(a_negative, negated, rest)
    }

    fn sign_of(&mut self, term: Term) -> Term {
        let width = self.width(term);
        match self.bounds(term).sign(width) {
            Some(sign) => self.truth(sign),
            None => self.extract(term, width - 1, 1),
        }
    }

    fn magnitude(&mut self, term: Term, is_negative: Term) -> Term {
        let negated = self.negate(term);
        self.choose(is_negative, negated, term)
    }
}
