//! Floats to integers, also where they do not fit: then the value is whatever the instructions chosen by LLVM leave,
//! and programs with that fault have to be replayed too.

use program::FloatKind;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, X87DoubleExtended};

use crate::domain::Reading;
use crate::words::{Words, negate};
use crate::{bits, float, nan};

/// The result of a 64-bit conversion that does not fit, "integer indefinite".
const INDEFINITE: u64 = 1 << 63;

/// An integer of any width, as words; bits beyond the width are to be cut off.
pub fn converted(reading: Reading, kind: FloatKind, value: u128, width: u64) -> Words {
    match reading {
        Reading::Signed => signed(kind, value, width),
        Reading::Unsigned => unsigned(kind, value, width),
    }
}

fn signed(kind: FloatKind, value: u128, width: u64) -> Words {
    match (kind, width) {
        (FloatKind::Half | FloatKind::BFloat, _) => {
            signed(FloatKind::Single, float::convert(kind, FloatKind::Single, value), width)
        }
        (FloatKind::Single | FloatKind::Double, ..=32) => vec![truncated(as_double(kind, value), 32)],
        (FloatKind::Single | FloatKind::Double, ..=64) => vec![truncated(as_double(kind, value), 64)],
        // The x87 stores integers of 16, 32 and 64 bits.
        (FloatKind::X87, ..=64) => vec![stored(value, width.next_power_of_two().max(16))],
        (FloatKind::Quad, ..=64) => vec![saturated::<Quad>(kind, value, width.next_power_of_two().max(32)) as u64],
        (FloatKind::Single | FloatKind::Double, _) => {
            long::<Double>(FloatKind::Double, float::convert(kind, FloatKind::Double, value), width)
        }
        (FloatKind::X87, _) => long::<X87DoubleExtended>(kind, value, width),
        (FloatKind::Quad, _) => long::<Quad>(kind, value, width),
    }
}

fn unsigned(kind: FloatKind, value: u128, width: u64) -> Words {
    match (kind, width) {
        (FloatKind::Half | FloatKind::BFloat, _) => {
            unsigned(FloatKind::Single, float::convert(kind, FloatKind::Single, value), width)
        }
        // A larger signed conversion holds them all.
        (FloatKind::X87, ..=8) => signed(kind, value, 16),
        (_, ..=16) => signed(kind, value, 32),
        (FloatKind::Single | FloatKind::Double | FloatKind::X87, ..=32) => signed(kind, value, 64),
        (FloatKind::Single | FloatKind::Double, ..=64) => {
            let value = as_double(kind, value);
            let low = truncated(value, 64);
            let high = truncated(value - 2f64.powi(63), 64);
            vec![low | (high & (low as i64 >> 63) as u64)]
        }
        (FloatKind::X87, ..=64) => {
            let limit = float::from_integer(kind, false, 1 << 63, 0);
            if float::order(kind, value, limit) == Some(std::cmp::Ordering::Less) {
                vec![stored(value, 64)]
            } else {
                let less = float::binary(program::BinaryOp::FSub, kind, value, limit);
                vec![stored(less, 64) ^ INDEFINITE]
            }
        }
        (FloatKind::Quad, ..=64) => {
            let width = width.next_power_of_two() as usize;
            let is_negative = value & nan::sign_bit(kind) != 0;
            let value = match (nan::is_nan(kind, value), is_negative) {
                (_, true) => 0,
                (true, false) => u64::MAX,
                (false, false) => Quad::from_bits(value).to_u128(width).value as u64,
            };
            vec![value]
        }
        (FloatKind::Single | FloatKind::Double, _) => {
            long::<Double>(FloatKind::Double, float::convert(kind, FloatKind::Double, value), width)
        }
        (FloatKind::X87, _) => long::<X87DoubleExtended>(kind, value, width),
        (FloatKind::Quad, _) => long::<Quad>(kind, value, width),
    }
}

fn as_double(kind: FloatKind, value: u128) -> f64 {
    f64::from_bits(float::convert(kind, FloatKind::Double, value) as u64)
}

/// `cvttsd2si` of 32 or 64 bits.
fn truncated(value: f64, width: u32) -> u64 {
    let limit = 2f64.powi(width as i32 - 1);
    let value = value.trunc();
    // A NaN is not within the limits.
    if value >= -limit && value < limit { value as i64 as u64 } else { INDEFINITE >> (64 - width) }
}

/// `fistp` of 16, 32 or 64 bits, rounding towards zero.
fn stored(value: u128, width: u64) -> u64 {
    let number = X87DoubleExtended::from_bits(value);
    let result = number.to_i128(width as usize);
    if number.is_nan() || result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        INDEFINITE >> (64 - width)
    } else {
        result.value as u64
    }
}

/// As the library's conversions of quads do: the nearest integer there is, for NaNs by their sign.
fn saturated<F: Float>(kind: FloatKind, value: u128, width: u64) -> i128 {
    if nan::is_nan(kind, value) {
        let is_negative = value & nan::sign_bit(kind) != 0;
        return if is_negative { bits::least(width as u32) } else { bits::greatest(width as u32) };
    }
    F::from_bits(value).to_i128(width as usize).value
}

/// To more than 64 bits, for which the machine has no instruction. Values that fit are exact; those that do not are
/// cut off, which may differ from what the library's routine gives.
fn long<F: Float>(kind: FloatKind, value: u128, width: u64) -> Words {
    let number = F::from_bits(value).abs();
    let is_negative = value & nan::sign_bit(kind) != 0;
    let mut magnitude = vec![0; width.div_ceil(64) as usize];
    if number.is_finite_non_zero() && number.ilogb() >= 0 {
        let exponent = number.ilogb() as u64;
        // 120 bits before the point hold every significand whole.
        let shift = exponent.saturating_sub(120);
        let significand = number.scalbn(-(shift as i32)).to_u128(128).value;
        if shift < width {
            let mut wide = vec![0; magnitude.len() + 2];
            bits::put(&mut wide, shift, 128, significand);
            bits::copy(&wide, 0, &mut magnitude, 0, width);
        }
    }
    if is_negative { negate(width as u32, &magnitude) } else { magnitude }
}
