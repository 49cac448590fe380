//! Floats of 32 and 64 bits as terms over their bits: rounding to nearest, ties to even, as the machine computes.
//!
//! In: terms that are encodings of floats, or integers. Out: the term of the result's encoding. Each rule here is compared with
//! `semantics` in tests, on the values that are hard: subnormals, ties, overflow, NaNs. Deliberately absent: `long double`
//! and other formats, remainders and functions of the mathematical library, which are told as not followed.
//!
//! `parts` takes encodings apart and puts them together, rounding; the others compute in between.

mod arithmetic;
mod comparison;
mod conversion;
mod decimal;
mod parts;
#[cfg(test)]
mod tests;

use program::FloatKind;

pub use arithmetic::binary;
pub use comparison::{equal, is_unordered, less, less_or_equal};
pub use conversion::{between, from_integer, to_integer};
pub use decimal::Decimal;

/// How an encoding is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    /// `None`: there are no terms for it.
    pub fn of(kind: FloatKind) -> Option<Format> {
        match kind {
            FloatKind::Single => Some(Format { exponent: 8, fraction: 23 }),
            FloatKind::Double => Some(Format { exponent: 11, fraction: 52 }),
            FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => None,
        }
    }

    fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// What is added to an exponent in its encoding.
    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn sign(self) -> u128 {
        1 << (self.width() - 1)
    }

    fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    fn quiet(self) -> u128 {
        1 << (self.fraction - 1)
    }

    /// The NaN that an invalid operation gives.
    fn invalid(self) -> u128 {
        self.sign() | self.infinity() | self.quiet()
    }
}
