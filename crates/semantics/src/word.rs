//! Numbers of up to 64 bits, as fast as the machine; `double` and `long` are the tests' oracles.

use program::{BinaryOp, FloatKind};

use crate::domain::{Domain, Reading};
use crate::double::Double;

/// Widths of 1 to 64 bits; of floats, those of 64 bits and fewer. Single and double precision are the machine's own.
#[derive(Clone, Copy, Default, Debug)]
pub struct Word;

#[inline(always)]
fn mask(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

#[inline(always)]
fn signed(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}

impl Domain for Word {
    type Value = u64;
    type Truth = bool;

    #[inline(always)]
    fn number(&self, width: u32, value: u64) -> u64 {
        mask(value, width)
    }

    #[inline(always)]
    fn truth(&self, holds: bool) -> bool {
        holds
    }

    #[inline(always)]
    fn both(&self, a: &bool, b: &bool) -> bool {
        *a && *b
    }

    #[inline(always)]
    fn either(&self, a: &bool, b: &bool) -> bool {
        *a || *b
    }

    #[inline(always)]
    fn not(&self, a: &bool) -> bool {
        !a
    }

    #[inline(always)]
    fn choose(&self, holds: &bool, then: &u64, otherwise: &u64) -> u64 {
        if *holds { *then } else { *otherwise }
    }

    #[inline(always)]
    fn add(&self, width: u32, a: &u64, b: &u64) -> u64 {
        mask(a.wrapping_add(*b), width)
    }

    #[inline(always)]
    fn subtract(&self, width: u32, a: &u64, b: &u64) -> u64 {
        mask(a.wrapping_sub(*b), width)
    }

    #[inline(always)]
    fn multiply(&self, width: u32, a: &u64, b: &u64) -> u64 {
        mask(a.wrapping_mul(*b), width)
    }

    #[inline(always)]
    fn divide(&self, reading: Reading, width: u32, a: &u64, b: &u64) -> u64 {
        match (reading, *b) {
            (_, 0) => 0,
            (Reading::Unsigned, b) => a / b,
            (Reading::Signed, b) => mask(signed(*a, width).wrapping_div(signed(b, width)) as u64, width),
        }
    }

    #[inline(always)]
    fn remainder(&self, reading: Reading, width: u32, a: &u64, b: &u64) -> u64 {
        match (reading, *b) {
            (_, 0) => 0,
            (Reading::Unsigned, b) => a % b,
            (Reading::Signed, b) => mask(signed(*a, width).wrapping_rem(signed(b, width)) as u64, width),
        }
    }

    #[inline(always)]
    fn product_overflows(&self, reading: Reading, width: u32, a: &u64, b: &u64) -> bool {
        match reading {
            Reading::Unsigned => a.checked_mul(*b).is_none_or(|product| mask(product, width) != product),
            Reading::Signed => {
                let product = signed(*a, width).checked_mul(signed(*b, width));
                product.is_none_or(|product| signed(product as u64, width) != product)
            }
        }
    }

    #[inline(always)]
    fn shift_left(&self, width: u32, a: &u64, amount: &u64) -> u64 {
        mask(a.wrapping_shl(*amount as u32), width)
    }

    #[inline(always)]
    fn shift_right(&self, reading: Reading, width: u32, a: &u64, amount: &u64) -> u64 {
        match reading {
            Reading::Unsigned => a.wrapping_shr(*amount as u32),
            Reading::Signed => mask(signed(*a, width).wrapping_shr(*amount as u32) as u64, width),
        }
    }

    #[inline(always)]
    fn and(&self, _width: u32, a: &u64, b: &u64) -> u64 {
        a & b
    }

    #[inline(always)]
    fn or(&self, _width: u32, a: &u64, b: &u64) -> u64 {
        a | b
    }

    #[inline(always)]
    fn exclusive_or(&self, _width: u32, a: &u64, b: &u64) -> u64 {
        a ^ b
    }

    #[inline(always)]
    fn equal(&self, _width: u32, a: &u64, b: &u64) -> bool {
        a == b
    }

    #[inline(always)]
    fn less(&self, reading: Reading, width: u32, a: &u64, b: &u64) -> bool {
        match (reading, width) {
            (Reading::Unsigned, _) => a < b,
            (Reading::Signed, 32) => (*a as i32) < (*b as i32),
            (Reading::Signed, _) => {
                let unused = 64 - width;
                ((a << unused) as i64) < ((b << unused) as i64)
            }
        }
    }

    #[inline(always)]
    fn cut(&self, _from: u32, to: u32, value: &u64) -> u64 {
        mask(*value, to)
    }

    #[inline(always)]
    fn widen(&self, reading: Reading, from: u32, to: u32, value: &u64) -> u64 {
        match reading {
            Reading::Unsigned => *value,
            Reading::Signed => mask(signed(*value, from) as u64, to),
        }
    }

    #[inline(always)]
    fn float_binary(&self, op: BinaryOp, kind: FloatKind, a: &u64, b: &u64) -> u64 {
        match kind {
            FloatKind::Double => arithmetic(op, f64::from_bits(*a), f64::from_bits(*b)).to_bits(),
            FloatKind::Single => arithmetic(op, single(*a), single(*b)).to_bits().into(),
            _ => Double.float_binary(op, kind, &(*a).into(), &(*b).into()) as u64,
        }
    }

    #[inline(always)]
    fn float_equal(&self, kind: FloatKind, a: &u64, b: &u64) -> bool {
        match kind {
            FloatKind::Double => f64::from_bits(*a) == f64::from_bits(*b),
            FloatKind::Single => single(*a) == single(*b),
            _ => Double.float_equal(kind, &(*a).into(), &(*b).into()),
        }
    }

    #[inline(always)]
    fn float_less(&self, kind: FloatKind, a: &u64, b: &u64) -> bool {
        match kind {
            FloatKind::Double => f64::from_bits(*a) < f64::from_bits(*b),
            FloatKind::Single => single(*a) < single(*b),
            _ => Double.float_less(kind, &(*a).into(), &(*b).into()),
        }
    }

    #[inline(always)]
    fn float_less_or_equal(&self, kind: FloatKind, a: &u64, b: &u64) -> bool {
        match kind {
            FloatKind::Double => f64::from_bits(*a) <= f64::from_bits(*b),
            FloatKind::Single => single(*a) <= single(*b),
            _ => Double.float_less_or_equal(kind, &(*a).into(), &(*b).into()),
        }
    }

    #[inline(always)]
    fn float_unordered(&self, kind: FloatKind, a: &u64, b: &u64) -> bool {
        match kind {
            FloatKind::Double => f64::from_bits(*a).is_nan() || f64::from_bits(*b).is_nan(),
            FloatKind::Single => single(*a).is_nan() || single(*b).is_nan(),
            _ => Double.float_unordered(kind, &(*a).into(), &(*b).into()),
        }
    }

    fn float_convert(&self, from: FloatKind, to: FloatKind, value: &u64) -> u64 {
        match (from, to) {
            (FloatKind::Single, FloatKind::Double) => f64::from(single(*value)).to_bits(),
            (FloatKind::Double, FloatKind::Single) => (f64::from_bits(*value) as f32).to_bits().into(),
            _ => Double.float_convert(from, to, &(*value).into()) as u64,
        }
    }

    /// As SSE code does it.
    fn float_to_integer(&self, reading: Reading, from: FloatKind, to: u32, value: &u64) -> u64 {
        let number = match from {
            FloatKind::Double => f64::from_bits(*value),
            FloatKind::Single => f64::from(single(*value)),
            _ => return Double.float_to_integer(reading, from, to, &(*value).into()) as u64,
        };
        match (reading, to) {
            (Reading::Signed, ..=32) | (Reading::Unsigned, ..=16) => mask(truncate32(number), to),
            (Reading::Signed, _) | (Reading::Unsigned, ..=32) => mask(truncate64(number), to),
            (Reading::Unsigned, _) => {
                let low = truncate64(number);
                // In the source's own precision, as the machine subtracts.
                let reduced = match from {
                    FloatKind::Double => number - 9_223_372_036_854_775_808.0,
                    _ => f64::from(single(*value) - 9_223_372_036_854_775_808.0_f32),
                };
                let high = truncate64(reduced);
                mask(low | (high & ((low as i64 >> 63) as u64)), to)
            }
        }
    }

    fn integer_to_float(&self, reading: Reading, from: u32, to: FloatKind, value: &u64) -> u64 {
        match (reading, to) {
            (Reading::Signed, FloatKind::Double) => (signed(*value, from) as f64).to_bits(),
            (Reading::Signed, FloatKind::Single) => (signed(*value, from) as f32).to_bits().into(),
            (Reading::Unsigned, FloatKind::Double) => (*value as f64).to_bits(),
            (Reading::Unsigned, FloatKind::Single) => (*value as f32).to_bits().into(),
            _ => Double.integer_to_float(reading, from, to, &(*value).into()) as u64,
        }
    }

    fn count_ones(&self, _width: u32, a: &u64) -> u64 {
        a.count_ones().into()
    }

    fn leading_zeros(&self, width: u32, a: &u64) -> u64 {
        u64::from(a.leading_zeros() + width - 64)
    }

    fn trailing_zeros(&self, width: u32, a: &u64) -> u64 {
        a.trailing_zeros().min(width).into()
    }

    fn reverse_bits(&self, width: u32, a: &u64) -> u64 {
        a.reverse_bits() >> (64 - width)
    }

    fn swap_bytes(&self, width: u32, a: &u64) -> u64 {
        a.swap_bytes() >> (64 - width)
    }
}

#[inline(always)]
fn single(encoding: u64) -> f32 {
    f32::from_bits(encoding as u32)
}

#[inline(always)]
fn arithmetic<F>(op: BinaryOp, a: F, b: F) -> F
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>
        + std::ops::Rem<Output = F>,
{
    match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        BinaryOp::FRem => a % b,
        _ => unreachable!("{op:?} of a float is no IR"),
    }
}

/// `cvttsd2si` to 32 bits.
fn truncate32(value: f64) -> u64 {
    let whole = value.trunc();
    if (-2_147_483_648.0..=2_147_483_647.0).contains(&whole) { u64::from(whole as i32 as u32) } else { 1 << 31 }
}

/// `cvttsd2si` to 64 bits.
fn truncate64(value: f64) -> u64 {
    let in_range = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    if in_range { value as i64 as u64 } else { 1 << 63 }
}
