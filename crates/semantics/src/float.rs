//! Floating-point arithmetic on encodings.
//!
//! Single and double precision are the machine's own, as Rust's operators; x87 and quad are `rustc_apfloat`'s. Half
//! and bfloat are computed in single precision and rounded once more, as LLVM does on machines without them; for
//! `+ - * /` both roundings together round right, since 24 bits are at least twice 11 plus 2.

use std::cmp::Ordering;

use program::{BinaryOp, FloatKind};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};

use crate::nan;

pub fn binary(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128) -> u128 {
    if let FloatKind::Half | FloatKind::BFloat = kind {
        let single = |value| convert(kind, FloatKind::Single, value);
        return convert(FloatKind::Single, kind, binary(op, FloatKind::Single, single(lhs), single(rhs)));
    }
    if let Some(nan) = nan::propagated(op, kind, lhs, rhs) {
        return nan;
    }
    let result = match kind {
        FloatKind::Single => {
            let (lhs, rhs) = (f32::from_bits(lhs as u32), f32::from_bits(rhs as u32));
            let result = match op {
                BinaryOp::FAdd => lhs + rhs,
                BinaryOp::FSub => lhs - rhs,
                BinaryOp::FMul => lhs * rhs,
                BinaryOp::FDiv => lhs / rhs,
                BinaryOp::FRem => lhs % rhs,
                _ => unreachable!("{op:?} of a float is no IR"),
            };
            result.to_bits().into()
        }
        FloatKind::Double => {
            let (lhs, rhs) = (f64::from_bits(lhs as u64), f64::from_bits(rhs as u64));
            let result = match op {
                BinaryOp::FAdd => lhs + rhs,
                BinaryOp::FSub => lhs - rhs,
                BinaryOp::FMul => lhs * rhs,
                BinaryOp::FDiv => lhs / rhs,
                BinaryOp::FRem => lhs % rhs,
                _ => unreachable!("{op:?} of a float is no IR"),
            };
            result.to_bits().into()
        }
        FloatKind::X87 => soft_binary::<X87DoubleExtended>(op, lhs, rhs),
        FloatKind::Quad => soft_binary::<Quad>(op, lhs, rhs),
        FloatKind::Half | FloatKind::BFloat => unreachable!("computed in single precision"),
    };
    // The sign of a NaN that Rust or apfloat makes is nobody's promise.
    if nan::is_nan(kind, result) { nan::default(kind) } else { result }
}

fn soft_binary<F: Float>(op: BinaryOp, lhs: u128, rhs: u128) -> u128 {
    let (lhs, rhs) = (F::from_bits(lhs), F::from_bits(rhs));
    let result = match op {
        BinaryOp::FAdd => lhs + rhs,
        BinaryOp::FSub => lhs - rhs,
        BinaryOp::FMul => lhs * rhs,
        BinaryOp::FDiv => lhs / rhs,
        BinaryOp::FRem => lhs.c_fmod(rhs),
        _ => unreachable!("{op:?} of a float is no IR"),
    };
    result.value.to_bits()
}

pub fn order(kind: FloatKind, lhs: u128, rhs: u128) -> Option<Ordering> {
    fn soft<F: Float>(lhs: u128, rhs: u128) -> Option<Ordering> {
        F::from_bits(lhs).partial_cmp(&F::from_bits(rhs))
    }
    match kind {
        FloatKind::Half => soft::<Half>(lhs, rhs),
        FloatKind::BFloat => soft::<BFloat>(lhs, rhs),
        FloatKind::Single => soft::<Single>(lhs, rhs),
        FloatKind::Double => soft::<Double>(lhs, rhs),
        FloatKind::X87 => soft::<X87DoubleExtended>(lhs, rhs),
        FloatKind::Quad => soft::<Quad>(lhs, rhs),
    }
}

/// A value in another format, rounded to nearest even.
pub fn convert(from: FloatKind, to: FloatKind, value: u128) -> u128 {
    // A bfloat is the upper half of a float, and becomes one by a shift: the one conversion that quiets no NaN.
    if (from, to) == (FloatKind::BFloat, FloatKind::Single) {
        return value << 16;
    }
    if from == to {
        return value;
    }
    if nan::is_nan(from, value) || nan::is_unsupported(from, value) {
        return nan::converted(from, to, value);
    }
    match from {
        FloatKind::Half => soft_convert(to, Half::from_bits(value)),
        FloatKind::BFloat => soft_convert(to, BFloat::from_bits(value)),
        FloatKind::Single => soft_convert(to, Single::from_bits(value)),
        FloatKind::Double => soft_convert(to, Double::from_bits(value)),
        FloatKind::X87 => soft_convert(to, X87DoubleExtended::from_bits(value)),
        FloatKind::Quad => soft_convert(to, Quad::from_bits(value)),
    }
}

fn soft_convert<F>(to: FloatKind, value: F) -> u128
where
    F: rustc_apfloat::FloatConvert<Half>
        + rustc_apfloat::FloatConvert<BFloat>
        + rustc_apfloat::FloatConvert<Single>
        + rustc_apfloat::FloatConvert<Double>
        + rustc_apfloat::FloatConvert<X87DoubleExtended>
        + rustc_apfloat::FloatConvert<Quad>,
{
    fn one<F: rustc_apfloat::FloatConvert<T>, T: Float>(value: F) -> u128 {
        value.convert(&mut false).value.to_bits()
    }
    match to {
        FloatKind::Half => one::<F, Half>(value),
        FloatKind::BFloat => one::<F, BFloat>(value),
        FloatKind::Single => one::<F, Single>(value),
        FloatKind::Double => one::<F, Double>(value),
        FloatKind::X87 => one::<F, X87DoubleExtended>(value),
        FloatKind::Quad => one::<F, Quad>(value),
    }
}

/// `significand * 2^exponent`, rounded once. `exponent` is not negative.
pub fn from_integer(kind: FloatKind, is_negative: bool, significand: u128, exponent: u64) -> u128 {
    fn soft<F: Float>(significand: u128, exponent: u64) -> u128 {
        let exponent = i32::try_from(exponent).unwrap_or(i32::MAX);
        F::from_u128(significand).value.scalbn(exponent).to_bits()
    }
    let magnitude = match kind {
        FloatKind::Half => soft::<Half>(significand, exponent),
        FloatKind::BFloat => soft::<BFloat>(significand, exponent),
        FloatKind::Single => soft::<Single>(significand, exponent),
        FloatKind::Double => soft::<Double>(significand, exponent),
        FloatKind::X87 => soft::<X87DoubleExtended>(significand, exponent),
        FloatKind::Quad => soft::<Quad>(significand, exponent),
    };
    if is_negative { magnitude | nan::sign_bit(kind) } else { magnitude }
}
