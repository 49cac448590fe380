//! The intrinsics of `abi::COMPUTED`, lane by lane.

use std::hint::black_box;

use program::{FloatKind, Type};
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::{lanes, scalar, width};
use crate::double::Double;
use crate::{bits, float, magnitude, nan, on_integers, with_overflow};

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
    let bits_of_each = scalar(element).width();
    let argument = |position: usize, lane: u64| match arguments.get(position) {
        // Flags (`is_zero_poison`) are scalars beside vectors.
        Some((Type::Vector { element, .. }, words)) => bits::get(words, lane * width(element), width(element)),
        Some((ty, words)) => bits::get(words, 0, width(ty)),
        None => 0,
    };
    for lane in 0..count {
        let operands = [argument(0, lane), argument(1, lane), argument(2, lane)];
        let [a, b, c] = operands;
        if let Some((value, overflows)) = with_overflow(&Double, name, bits_of_each, &a, &b) {
            // A struct of the value and an `i1`, or of vectors of both.
            let Type::Struct { fields, .. } = ty else { return false };
            bits::put(out, fields[0].1 * 8 + lane * step, step, value);
            bits::put(out, fields[1].1 * 8 + lane, 1, overflows.into());
            continue;
        }
        let value = match element {
            Type::Float(kind) if name == "fabs" => Some(nan::after_sign_change(ty, magnitude(&Double, *kind, &a))),
            Type::Float(kind) => on_floats(name, *kind, operands),
            _ => on_integers(&Double, name, bits_of_each, [&a, &b, &c]),
        };
        let Some(value) = value else { return false };
        bits::put(out, lane * step, step, value);
    }
    true
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
