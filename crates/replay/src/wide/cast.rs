//! Casts, lane by lane; a bitcast moves all bits at once.

use program::{CastOp, FloatKind, Type};

use super::{bits, float, lanes, long, to_int, width};

pub fn cast(op: CastOp, from: &Type, to: &Type, value: &[u64], out: &mut [u64]) {
    out.fill(0);
    if op == CastOp::Bitcast {
        bits::copy(value, 0, out, 0, width(from));
        return;
    }
    let ((from, count), (to, _)) = (lanes(from), lanes(to));
    let (from_width, to_width) = (width(from), width(to));
    for lane in 0..count {
        let (from_at, to_at) = (lane * from_width, lane * to_width);
        match (op, from, to) {
            (CastOp::SExt, _, _) => {
                let extended = long::sign_extended(from_width, &bits::slice(value, from_at, from_width), to_width);
                bits::copy(&extended, 0, out, to_at, to_width);
            }
            (CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast, _, _) => {
                bits::copy(value, from_at, out, to_at, from_width.min(to_width));
            }
            (CastOp::FpTrunc | CastOp::FpExt, Type::Float(from), Type::Float(to)) => {
                bits::put(out, to_at, to_width, float::convert(*from, *to, bits::get(value, from_at, from_width)));
            }
            (CastOp::FpToSi, Type::Float(kind), _) => {
                let converted = to_int::signed(*kind, bits::get(value, from_at, from_width), to_width);
                bits::copy(&converted, 0, out, to_at, to_width);
            }
            (CastOp::FpToUi, Type::Float(kind), _) => {
                let converted = to_int::unsigned(*kind, bits::get(value, from_at, from_width), to_width);
                bits::copy(&converted, 0, out, to_at, to_width);
            }
            (CastOp::UiToFp, _, Type::Float(kind)) => {
                let magnitude = bits::slice(value, from_at, from_width);
                bits::put(out, to_at, to_width, rounded(*kind, false, &magnitude));
            }
            (CastOp::SiToFp, _, Type::Float(kind)) => {
                let integer = bits::slice(value, from_at, from_width);
                let is_negative = long::is_negative(from_width, &integer);
                let magnitude = if is_negative { long::negate(from_width, &integer) } else { integer };
                bits::put(out, to_at, to_width, rounded(*kind, is_negative, &magnitude));
            }
            (
                CastOp::FpTrunc | CastOp::FpExt | CastOp::FpToSi | CastOp::FpToUi | CastOp::UiToFp | CastOp::SiToFp,
                _,
                _,
            ) => {
                unreachable!("{op:?} from {from} to {to} is no IR")
            }
        }
    }
}

/// An integer as a float. Half and bfloat are reached through single precision, as LLVM does: rounded twice.
fn rounded(kind: FloatKind, is_negative: bool, magnitude: &[u64]) -> u128 {
    if let FloatKind::Half | FloatKind::BFloat = kind {
        return float::convert(FloatKind::Single, kind, rounded(FloatKind::Single, is_negative, magnitude));
    }
    // The upper 128 bits decide, and whether any bit below them is set: no format keeps more than 113.
    let length = magnitude.len() as u64 * 64;
    let used = (0..length).rev().find(|&bit| bits::get(magnitude, bit, 1) == 1).map_or(0, |bit| bit + 1);
    let dropped = used.saturating_sub(128);
    let sticky = (0..dropped).any(|bit| bits::get(magnitude, bit, 1) == 1);
    let significand = bits::get(magnitude, dropped, 128) | u128::from(sticky);
    float::from_integer(kind, is_negative, significand, dropped)
}
