//! What can be said of a value: bits that are known, and the least and greatest it may be; and what operations make of that.

use std::cell::Cell;

use crate::operation::{Operation, ones, sign_bit};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Bits that are 1 for certain, and those that may be.
    pub certain: u128,
    pub possible: u128,
    /// Unsigned.
    pub least: u128,
    pub greatest: u128,
}

impl Bounds {
    pub fn any(width: u32) -> Bounds {
        Bounds { certain: 0, possible: ones(width), least: 0, greatest: ones(width) }
    }

    pub fn exactly(value: u128) -> Bounds {
        Bounds { certain: value, possible: value, least: value, greatest: value }
    }

    pub fn bits(width: u32, certain: u128, possible: u128) -> Bounds {
        Bounds { certain, possible, ..Bounds::any(width) }.tightened()
    }

    pub fn range(width: u32, least: u128, greatest: u128) -> Bounds {
        Bounds { least, greatest, ..Bounds::any(width) }.tightened()
    }

    /// What bits say of the range, and the range of bits: the high bits that least and greatest have in common.
    pub fn tightened(mut self) -> Bounds {
        self.least = self.least.max(self.certain);
        self.greatest = self.greatest.min(self.possible);
        let differing = u128::BITS - (self.least ^ self.greatest).leading_zeros();
        let common = !ones(differing);
        self.certain |= self.least & common;
        self.possible &= self.greatest | !common;
        self
    }

    pub fn is_constant(self) -> bool {
        self.certain == self.possible
    }

    /// The sign, if it is known.
    pub fn sign(self, width: u32) -> Option<bool> {
        let bit = sign_bit(width);
        if self.certain & bit != 0 {
            Some(true)
        } else if self.possible & bit == 0 {
            Some(false)
        } else {
            None
        }
    }

    /// No value is possible for both.
    pub fn excludes(self, other: Bounds) -> bool {
        self.certain & !other.possible != 0
            || other.certain & !self.possible != 0
            || self.greatest < other.least
            || other.greatest < self.least
    }
}

/// Bounds that were found lately, by the lowest bits of the place of what they are of: what a term is made of was mostly made
/// just before.
#[derive(Default)]
pub(crate) struct Lately {
    found: Vec<Cell<(usize, Bounds)>>,
}

const MOST_LATELY: usize = 1 << 9;

impl Lately {
    #[inline]
    pub fn of(&self, place: usize) -> Option<Bounds> {
        let (known, bounds) = self.found.get(place % MOST_LATELY)?.get();
        (known == place).then_some(bounds)
    }

    pub fn note(&self, place: usize, bounds: Bounds) {
        if let Some(kept) = self.found.get(place % MOST_LATELY) {
            kept.set((place, bounds));
        }
    }

    /// There is room from the first term on.
    pub fn make_room(&mut self) {
        if self.found.is_empty() {
            self.found.resize(MOST_LATELY, Cell::new((0, Bounds::any(1))));
        }
    }
}

pub(crate) fn binary(operation: Operation, width: u32, a: Bounds, b: Bounds) -> Bounds {
    let all = ones(width);
    match operation {
        Operation::Add => {
            let (least, least_over) = over(width, a.least.overflowing_add(b.least));
            let (greatest, greatest_over) = over(width, a.greatest.overflowing_add(b.greatest));
            let range =
                if least_over == greatest_over { Bounds::range(width, least, greatest) } else { Bounds::any(width) };
            with_low_bits(range, width, a, b, u128::wrapping_add)
        }
        Operation::Subtract => {
            let range = if a.least >= b.greatest {
                Bounds::range(width, a.least - b.greatest, a.greatest - b.least)
            } else {
                Bounds::any(width)
            };
            with_low_bits(range, width, a, b, u128::wrapping_sub)
        }
        Operation::Multiply => {
            let range = match a.greatest.checked_mul(b.greatest) {
                // Products of lesser numbers are no greater.
                Some(greatest) if greatest <= all => Bounds::range(width, a.least.wrapping_mul(b.least), greatest),
                _ => Bounds::any(width),
            };
            with_low_bits(range, width, a, b, u128::wrapping_mul)
        }
        Operation::Divide => match (a.least.checked_div(b.greatest), a.greatest.checked_div(b.least)) {
            (Some(least), Some(greatest)) => Bounds::range(width, least, greatest),
            _ => Bounds::any(width),
        },
        Operation::Remainder => {
            if a.greatest < b.least {
                a
            } else if b.least > 0 {
                Bounds::range(width, 0, a.greatest.min(b.greatest - 1))
            } else {
                Bounds::range(width, 0, a.greatest)
            }
        }
        Operation::ShiftLeft => {
            let zeros = b.least.min(width.into()) as u32 + a.possible.trailing_zeros().min(width);
            Bounds::bits(width, 0, all & !ones(zeros.min(width)))
        }
        Operation::ShiftRight => {
            let by = b.least.min(127) as u32;
            Bounds::range(width, 0, if b.least >= u128::from(width) { 0 } else { a.greatest >> by })
        }
        Operation::ShiftRightArithmetic => match a.sign(width) {
            Some(false) => binary(Operation::ShiftRight, width, a, b),
            Some(true) => Bounds::range(width, a.least, all),
            None => Bounds::any(width),
        },
        Operation::And => Bounds {
            certain: a.certain & b.certain,
            possible: a.possible & b.possible,
            least: 0,
            greatest: a.greatest.min(b.greatest),
        }
        .tightened(),
        Operation::Or => Bounds {
            certain: a.certain | b.certain,
            possible: a.possible | b.possible,
            least: a.least.max(b.least),
            greatest: all,
        }
        .tightened(),
        Operation::Xor => {
            let known = !(a.certain ^ a.possible) & !(b.certain ^ b.possible);
            let value = a.certain ^ b.certain;
            Bounds::bits(width, value & known, (value & known | !known) & all)
        }
        Operation::Equal => {
            if a.excludes(b) {
                Bounds::exactly(0)
            } else if a.is_constant() && b.is_constant() {
                Bounds::exactly(1)
            } else {
                Bounds::any(1)
            }
        }
        Operation::LessUnsigned => {
            if a.greatest < b.least {
                Bounds::exactly(1)
            } else if a.least >= b.greatest {
                Bounds::exactly(0)
            } else {
                Bounds::any(1)
            }
        }
        Operation::LessSigned
        | Operation::Constant
        | Operation::Symbol
        | Operation::Not
        | Operation::Concat
        | Operation::Extract
        | Operation::ZeroExtend
        | Operation::SignExtend
        | Operation::Choose
        | Operation::Table => Bounds::any(width),
    }
}

/// A sum that may need more bits than there are, cut, and whether it did.
fn over(width: u32, (sum, overflows): (u128, bool)) -> (u128, bool) {
    (sum & ones(width), overflows || sum > ones(width))
}

/// The low bits of a sum, difference or product depend on the low bits of its operands only.
fn with_low_bits(range: Bounds, width: u32, a: Bounds, b: Bounds, compute: fn(u128, u128) -> u128) -> Bounds {
    let unknown = a.certain ^ a.possible | b.certain ^ b.possible;
    let known = ones(unknown.trailing_zeros().min(width));
    let low = compute(a.certain, b.certain) & known;
    Bounds { certain: range.certain | low, possible: range.possible & (low | !known), ..range }.tightened()
}
