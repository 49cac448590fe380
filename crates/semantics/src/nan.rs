//! NaNs: their encodings, which one an operation returns, and what conversions make of them.
//!
//! SSE and x87 differ here, and both are visible in programs that print or compare bytes.

use std::cmp::Ordering;

use program::{BinaryOp, FloatKind, Type};

use crate::domain::float_width;

/// The layout of a format around the point: bits of fraction, counted without x87's explicit integer bit.
fn fraction_bits(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::Half => 10,
        FloatKind::BFloat => 7,
        FloatKind::Single => 23,
        FloatKind::Double => 52,
        FloatKind::X87 => 63,
        FloatKind::Quad => 112,
    }
}

/// All exponent bits, and x87's integer bit: what infinity is made of.
pub fn infinity(kind: FloatKind) -> u128 {
    let magnitude = sign_bit(kind) - 1;
    match kind {
        FloatKind::X87 => (magnitude >> 63) << 63,
        _ => (magnitude >> fraction_bits(kind)) << fraction_bits(kind),
    }
}

pub fn sign_bit(kind: FloatKind) -> u128 {
    1 << (float_width(kind) - 1)
}

fn quiet_bit(kind: FloatKind) -> u128 {
    1 << (fraction_bits(kind) - 1)
}

fn fraction(kind: FloatKind, value: u128) -> u128 {
    value & ((1 << fraction_bits(kind)) - 1)
}

/// What the machine returns where no operand is a NaN but the result is.
pub fn default(kind: FloatKind) -> u128 {
    sign_bit(kind) | infinity(kind) | quiet_bit(kind)
}

pub fn is_nan(kind: FloatKind, value: u128) -> bool {
    value & infinity(kind) == infinity(kind) && fraction(kind, value) != 0
}

/// An x87 encoding the machine refuses: an exponent that asks for the integer bit, and the bit missing.
pub fn is_unsupported(kind: FloatKind, value: u128) -> bool {
    kind == FloatKind::X87 && value >> 64 & 0x7fff != 0 && value >> 63 & 1 == 0
}

pub fn quiet(kind: FloatKind, value: u128) -> u128 {
    value | quiet_bit(kind)
}

pub fn is_signaling(kind: FloatKind, value: u128) -> bool {
    is_nan(kind, value) && value & quiet_bit(kind) == 0
}

/// LLVM changes the sign of a half on its way through single precision and back, which leaves NaNs quiet; not so in
/// vectors, nor for other types.
pub fn after_sign_change(ty: &Type, value: u128) -> u128 {
    match ty {
        Type::Float(FloatKind::Half) if is_nan(FloatKind::Half, value) => quiet(FloatKind::Half, value),
        _ => value,
    }
}

/// The NaN an operation on these operands returns because one of them is; `None` if none is.
pub fn propagated(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128) -> Option<u128> {
    if is_unsupported(kind, lhs) || is_unsupported(kind, rhs) {
        return Some(default(kind));
    }
    let chosen = match (is_nan(kind, lhs), is_nan(kind, rhs)) {
        (false, false) => return None,
        (true, false) => lhs,
        (false, true) => rhs,
        (true, true) => match kind {
            FloatKind::Half | FloatKind::BFloat | FloatKind::Single | FloatKind::Double => lhs,
            FloatKind::X87 | FloatKind::Quad => larger(op, kind, lhs, rhs),
        },
    };
    Some(quiet(kind, chosen))
}

/// What a function of one operand makes of a NaN; `None` if it is none.
pub fn passed_on(kind: FloatKind, value: u128) -> Option<u128> {
    if is_unsupported(kind, value) {
        return Some(default(kind));
    }
    is_nan(kind, value).then(|| quiet(kind, value))
}

/// Of two NaNs the x87 takes the quiet one, else the one with the larger significand, else the positive one. The
/// library's quad arithmetic imitates it, but decides the last by the operation.
fn larger(op: BinaryOp, kind: FloatKind, lhs: u128, rhs: u128) -> u128 {
    match (is_signaling(kind, lhs), is_signaling(kind, rhs)) {
        (true, false) => return rhs,
        (false, true) => return lhs,
        _ => {}
    }
    match (fraction(kind, lhs).cmp(&fraction(kind, rhs)), kind, op) {
        (Ordering::Greater, _, _) => lhs,
        (Ordering::Less, _, _) => rhs,
        (Ordering::Equal, FloatKind::Quad, BinaryOp::FAdd | BinaryOp::FMul) => lhs,
        (Ordering::Equal, FloatKind::Quad, _) => rhs,
        (Ordering::Equal, _, _) => lhs.min(rhs),
    }
}

/// A NaN carried to another format: quiet, with the upper bits of its payload.
pub fn converted(from: FloatKind, to: FloatKind, value: u128) -> u128 {
    if is_unsupported(from, value) {
        return default(to);
    }
    let payload = fraction(from, value);
    let (from_bits, to_bits) = (fraction_bits(from), fraction_bits(to));
    let payload = if from_bits > to_bits { payload >> (from_bits - to_bits) } else { payload << (to_bits - from_bits) };
    let sign = if value & sign_bit(from) != 0 { sign_bit(to) } else { 0 };
    sign | infinity(to) | quiet_bit(to) | payload
}
