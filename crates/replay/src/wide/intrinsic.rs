//! The intrinsics of `abi::COMPUTED`, lane by lane.

use std::hint::black_box;

use program::{FloatKind, Type};
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::bits::mask;
use super::{bits, float, int, lanes, nan, width};

/// Computes the intrinsic of this name (as in `abi::COMPUTED`). `ty` is the type of the result. `false`, with
/// nothing computed, where it is not known for this type: integers of more than 128 bits, square roots and fused
/// multiplications of x87 and quad.
pub fn computed(name: &str, ty: &Type, arguments: &[(&Type, &[u64])], out: &mut [u64]) -> bool {
    out.fill(0);
    let Some(&(first_type, first)) = arguments.first() else { return false };
    match name {
        "expect" | "expect.with.probability" | "launder.invariant.group" | "strip.invariant.group" => {
            bits::copy(first, 0, out, 0, width(ty));
            return true;
        }
        _ => {}
    }
    let (element, count) = lanes(first_type);
    let step = width(element);
    if step > 128 {
        return false;
    }
    let argument = |position: usize, lane: u64| match arguments.get(position) {
        // Flags (`is_zero_poison`) are scalars beside vectors.
        Some((Type::Vector { element, .. }, words)) => bits::get(words, lane * width(element), width(element)),
        Some((ty, words)) => bits::get(words, 0, width(ty)),
        None => 0,
    };
    for lane in 0..count {
        let operands = [argument(0, lane), argument(1, lane), argument(2, lane)];
        if let Some((value, overflows)) = with_overflow(name, step, operands) {
            // A struct of the value and an `i1`, or of vectors of both.
            let Type::Struct { fields, .. } = ty else { return false };
            bits::put(out, fields[0].1 * 8 + lane * step, step, value);
            bits::put(out, fields[1].1 * 8 + lane, 1, overflows.into());
            continue;
        }
        let value = match element {
            Type::Float(kind) if name == "fabs" => {
                Some(nan::after_sign_change(ty, operands[0] & !nan::sign_bit(*kind)))
            }
            Type::Float(kind) => on_floats(name, *kind, operands),
            _ => on_integers(name, step, operands),
        };
        let Some(value) = value else { return false };
        bits::put(out, lane * step, step, value);
    }
    true
}

fn with_overflow(name: &str, width: u64, [lhs, rhs, _]: [u128; 3]) -> Option<(u128, bool)> {
    let (signed_lhs, signed_rhs) = (int::signed(width, lhs), int::signed(width, rhs));
    let signed = |(value, overflows): (i128, bool)| {
        (value as u128 & mask(width), overflows || value < int::least(width) || value > int::greatest(width))
    };
    let unsigned = |(value, overflows): (u128, bool)| (value & mask(width), overflows || value > mask(width));
    Some(match name {
        "sadd.with.overflow" => signed(signed_lhs.overflowing_add(signed_rhs)),
        "ssub.with.overflow" => signed(signed_lhs.overflowing_sub(signed_rhs)),
        "smul.with.overflow" => signed(signed_lhs.overflowing_mul(signed_rhs)),
        "uadd.with.overflow" => unsigned(lhs.overflowing_add(rhs)),
        "usub.with.overflow" => unsigned(lhs.overflowing_sub(rhs)),
        "umul.with.overflow" => unsigned(lhs.overflowing_mul(rhs)),
        _ => return None,
    })
}

fn on_integers(name: &str, width: u64, [a, b, c]: [u128; 3]) -> Option<u128> {
    let (signed_a, signed_b) = (int::signed(width, a), int::signed(width, b));
    let unused = (128 - width) as u32;
    let saturated = |value: i128| value.clamp(int::least(width), int::greatest(width)) as u128;
    let value = match name {
        "abs" => signed_a.unsigned_abs(),
        "bitreverse" => a.reverse_bits() >> unused,
        "bswap" => a.swap_bytes() >> unused,
        // Of zero, the width. With `is_zero_poison` set the machine may leave anything; so it must not be set.
        "ctlz" => u128::from(a.leading_zeros() - unused),
        "cttz" => u128::from(a.trailing_zeros().min(width as u32)),
        "ctpop" => u128::from(a.count_ones()),
        "fshl" => match (c % u128::from(width)) as u32 {
            0 => a,
            amount => (a << amount) | (b >> (width as u32 - amount)),
        },
        "fshr" => match (c % u128::from(width)) as u32 {
            0 => b,
            amount => (b >> amount) | (a << (width as u32 - amount)),
        },
        "smax" => signed_a.max(signed_b) as u128,
        "smin" => signed_a.min(signed_b) as u128,
        "umax" => a.max(b),
        "umin" => a.min(b),
        "sadd.sat" => saturated(signed_a.saturating_add(signed_b)),
        "ssub.sat" => saturated(signed_a.saturating_sub(signed_b)),
        "uadd.sat" => a.saturating_add(b).min(mask(width)),
        "usub.sat" => a.saturating_sub(b),
        "ptrmask" => a & b,
        _ => return None,
    };
    Some(value & mask(width))
}

fn on_floats(name: &str, kind: FloatKind, operands: [u128; 3]) -> Option<u128> {
    let sign = nan::sign_bit(kind);
    if name == "copysign" {
        return Some((operands[0] & !sign) | (operands[1] & sign));
    }
    if let FloatKind::Half | FloatKind::BFloat = kind {
        let single = operands.map(|value| float::convert(kind, FloatKind::Single, value));
        return Some(float::convert(FloatKind::Single, kind, on_floats(name, FloatKind::Single, single)?));
    }
    if name == "fma" {
        return multiply_add(kind, operands);
    }
    if let Some(nan) = nan::passed_on(kind, operands[0]) {
        return Some(nan);
    }
    let result = match kind {
        FloatKind::Single => {
            let a = f32::from_bits(operands[0] as u32);
            let result = match name {
                "floor" => a.floor(),
                "ceil" => a.ceil(),
                "trunc" => a.trunc(),
                "rint" | "nearbyint" | "roundeven" => a.round_ties_even(),
                "round" => a.round(),
                "sqrt" => a.sqrt(),
                _ => return None,
            };
            result.to_bits().into()
        }
        FloatKind::Double => {
            let a = f64::from_bits(operands[0] as u64);
            let result = match name {
                "floor" => a.floor(),
                "ceil" => a.ceil(),
                "trunc" => a.trunc(),
                "rint" | "nearbyint" | "roundeven" => a.round_ties_even(),
                "round" => a.round(),
                "sqrt" => a.sqrt(),
                _ => return None,
            };
            result.to_bits().into()
        }
        FloatKind::X87 => soft::<X87DoubleExtended>(name, operands)?,
        FloatKind::Quad => soft::<Quad>(name, operands)?,
        FloatKind::Half | FloatKind::BFloat => return None,
    };
    Some(if nan::is_nan(kind, result) { nan::default(kind) } else { result })
}

/// The mathematical library's own, NaNs included: which of three it returns depends on the processor.
fn multiply_add(kind: FloatKind, operands: [u128; 3]) -> Option<u128> {
    match kind {
        FloatKind::Single => {
            let [a, b, c] = operands.map(|value| black_box(f32::from_bits(value as u32)));
            Some(a.mul_add(b, c).to_bits().into())
        }
        FloatKind::Double => {
            let [a, b, c] = operands.map(|value| black_box(f64::from_bits(value as u64)));
            Some(a.mul_add(b, c).to_bits().into())
        }
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => None,
    }
}

fn soft<F: Float>(name: &str, [a, ..]: [u128; 3]) -> Option<u128> {
    let round = match name {
        "floor" => Round::TowardNegative,
        "ceil" => Round::TowardPositive,
        "trunc" => Round::TowardZero,
        "rint" | "nearbyint" | "roundeven" => Round::NearestTiesToEven,
        "round" => Round::NearestTiesToAway,
        _ => return None,
    };
    Some(F::from_bits(a).round_to_integral(round).value.to_bits())
}
