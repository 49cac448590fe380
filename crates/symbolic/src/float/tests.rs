//! Against `semantics`, which computes as the machine does: on constants, a term is its value.

use program::{BinaryOp, FloatKind};
use semantics::{Domain, Double, Reading};
use smt::{Term, Terms};

use super::*;

const KINDS: [FloatKind; 2] = [FloatKind::Single, FloatKind::Double];

/// Numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    /// An encoding; of those that are hard more often than chance would have it.
    fn float(&mut self, format: Format) -> u128 {
        let ones = (1_u128 << format.width()) - 1;
        let random = u128::from(self.next()) & ones;
        let near = format.infinity() - (random & 3) + 1;
        match self.next() % 10 {
            0 => random & (format.sign() | 3),
            1 => random & (format.sign() | ((1 << format.fraction) - 1)),
            2 => near | random & format.sign(),
            3 => {
                (format.bias() as u128 + u128::from(self.next() % 70)) << format.fraction | random & (format.sign() | 7)
            }
            4 => format.infinity() | random & (format.sign() | format.quiet()),
            5 => {
                let around = (format.bias() as u128 + 20 + u128::from(self.next() % 48)) << format.fraction;
                around | random & (format.sign() | ((1 << format.fraction) - 1))
            }
            // A significand of few bits, so that sums and products are ties.
            6 => random >> (format.fraction - 4) << (format.fraction - 4) & ones,
            _ => random,
        }
    }
}

fn value(terms: &Terms, term: Term) -> u128 {
    terms.as_constant(term).expect("constants make constants")
}

#[test]
fn arithmetic_is_that_of_the_machine() {
    for kind in KINDS {
        let format = Format::of(kind).expect("it has terms");
        let (mut terms, mut chance) = (Terms::new(), Chance(1));
        for _ in 0..4000 {
            let (a, b) = (chance.float(format), chance.float(format));
            let (x, y) = (terms.constant(format.width(), a), terms.constant(format.width(), b));
            for op in [BinaryOp::FAdd, BinaryOp::FSub, BinaryOp::FMul, BinaryOp::FDiv] {
                let made = binary(&mut terms, format, op, x, y).expect("it has a term");
                let right = Double.float_binary(op, kind, &a, &b);
                assert_eq!(value(&terms, made), right, "{op:?} {kind:?} {a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn comparisons_are_those_of_the_machine() {
    for kind in KINDS {
        let format = Format::of(kind).expect("it has terms");
        let (mut terms, mut chance) = (Terms::new(), Chance(2));
        for round in 0..4000 {
            let a = chance.float(format);
            let b = match round % 4 {
                0 => a,
                1 => a ^ format.sign(),
                _ => chance.float(format),
            };
            let (x, y) = (terms.constant(format.width(), a), terms.constant(format.width(), b));
            for (made, right) in [
                (equal(&mut terms, format, x, y), Double.float_equal(kind, &a, &b)),
                (less(&mut terms, format, x, y), Double.float_less(kind, &a, &b)),
                (less_or_equal(&mut terms, format, x, y), Double.float_less_or_equal(kind, &a, &b)),
                (is_unordered(&mut terms, format, x, y), Double.float_unordered(kind, &a, &b)),
            ] {
                assert_eq!(value(&terms, made), u128::from(right), "{kind:?} {a:#x} {b:#x}");
            }
        }
    }
}

#[test]
fn conversions_are_those_of_the_machine() {
    for kind in KINDS {
        let format = Format::of(kind).expect("it has terms");
        let (mut terms, mut chance) = (Terms::new(), Chance(3));
        for _ in 0..4000 {
            let a = chance.float(format);
            let x = terms.constant(format.width(), a);
            for to in KINDS {
                let made = between(&mut terms, format, Format::of(to).expect("it has terms"), x);
                assert_eq!(value(&terms, made), Double.float_convert(kind, to, &a), "{kind:?} to {to:?} {a:#x}");
            }
            for (reading, width) in
                [8, 16, 32, 64].into_iter().flat_map(|width| [(Reading::Signed, width), (Reading::Unsigned, width)])
            {
                if let Some(made) = to_integer(&mut terms, reading, format, width, x) {
                    let right = Double.float_to_integer(reading, kind, width, &a);
                    assert_eq!(value(&terms, made), right, "{kind:?} to {width} bits, {reading:?}: {a:#x}");
                }
                let integer = u128::from(chance.next() >> (chance.next() % 64)) & ((1 << width) - 1);
                let term = terms.constant(width, integer);
                let made = from_integer(&mut terms, reading, format, term).expect("it has a term");
                let right = Double.integer_to_float(reading, width, kind, &integer);
                assert_eq!(value(&terms, made), right, "{width} bits, {reading:?}, to {kind:?}: {integer:#x}");
            }
        }
    }
}

/// Comparisons of what digits say are those of the floats that the machine makes of them.
#[test]
fn decimals_compare_as_floats() {
    let mut chance = Chance(5);
    for kind in KINDS {
        let (digits, _) = Decimal::exact(kind).expect("it has terms");
        for round in 0..4000_u32 {
            let behind = round % (digits as u32 + 1);
            let magnitude = chance.next() % 10_u64.pow(1 + round % digits as u32);
            let (is_negative, is_narrowed) = (chance.next() & 1 == 1, chance.next() & 1 == 1);
            let mut terms = Terms::new();
            let of = terms.symbol(64, magnitude.into());
            let decimal = Decimal { magnitude: of, behind, is_negative, read_in: kind, is_narrowed };
            let power = 10_u64.pow(behind);
            let read = match kind {
                FloatKind::Single => f64::from(magnitude as f32 / power as f32),
                _ => magnitude as f64 / power as f64,
            };
            let read = if is_narrowed { f64::from(read as f32) } else { read };
            let value = if is_negative { -read } else { read };
            let near = [value, value.next_up(), value.next_down(), -value, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY];
            for constant in near.into_iter().chain([f64::from_bits(chance.next())]).filter(|one| !one.is_nan()) {
                let of = format!("{value:e} and {constant:e}");
                let (less, at_most) = (decimal.less(&mut terms, constant), decimal.less_or_equal(&mut terms, constant));
                let equal = decimal.equal(&mut terms, constant);
                assert_eq!(terms.holds(less), value < constant, "{of}");
                assert_eq!(terms.holds(at_most), value <= constant, "{of}");
                assert_eq!(terms.holds(equal), value == constant, "{of}");
            }
        }
    }
}
