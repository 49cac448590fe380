//! Floats that were read from decimal digits: an integer divided by a power of ten. The larger the integer, the larger the
//! float, so a comparison with a constant is one of the integer with another: no division need be solved for it, and what is
//! said of the integer can be said of more digits.

use program::FloatKind;
use smt::{Term, Terms};

/// What a float was read from.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    /// All digits as an integer of 64 bits, so small that the format it was read in has it without rounding, as it has the power
    /// of ten.
    pub magnitude: Term,
    /// Digits behind the point.
    pub behind: u32,
    pub is_negative: bool,
    pub read_in: FloatKind,
    /// It was rounded to single precision afterwards.
    pub is_narrowed: bool,
}

impl Decimal {
    /// Digits of integers, and powers of ten, that a format has without rounding. `None`: no such numbers are followed in it.
    pub fn exact(kind: FloatKind) -> Option<(usize, usize)> {
        match kind {
            FloatKind::Single => Some((7, 10)),
            FloatKind::Double => Some((15, 22)),
            FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => None,
        }
    }

    /// That it is less than a constant, which is a number.
    pub fn less(&self, terms: &mut Terms, constant: f64) -> Term {
        if self.is_negative {
            let is_less = self.first(terms, |value| value <= -constant);
            return terms.not(is_less);
        }
        self.first(terms, |value| value < constant)
    }

    pub fn less_or_equal(&self, terms: &mut Terms, constant: f64) -> Term {
        if self.is_negative {
            let is_less = self.first(terms, |value| value < -constant);
            return terms.not(is_less);
        }
        self.first(terms, |value| value <= constant)
    }

    pub fn equal(&self, terms: &mut Terms, constant: f64) -> Term {
        let (less, at_most) = (self.less(terms, constant), self.less_or_equal(terms, constant));
        let not = terms.not(less);
        terms.and(not, at_most)
    }

    /// That the integer is among the first ones, up to which something holds of the floats.
    fn first(&self, terms: &mut Terms, holds: impl Fn(f64) -> bool) -> Term {
        let most = Decimal::exact(self.read_in).map_or(0, |(digits, _)| 10_u64.pow(digits as u32));
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = (low + high) / 2;
            match holds(self.without_sign(middle)) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let limit = terms.constant(64, low.into());
        terms.less_unsigned(self.magnitude, limit)
    }

    fn without_sign(&self, magnitude: u64) -> f64 {
        let power = 10_u64.pow(self.behind);
        let read = match self.read_in {
            FloatKind::Single => f64::from(magnitude as f32 / power as f32),
            _ => magnitude as f64 / power as f64,
        };
        if self.is_narrowed { f64::from(read as f32) } else { read }
    }
}
