//! Every cast between every pair of types it can have.

use program::{CastOp, FCmp, FloatKind, Type};

use super::cases::{FLOATS, case, check_all, int, supported, vector};
use super::native::{Case, ir_type};
use crate::wide::{self, width};
use crate::{bits, nan};

fn cast_case(op: CastOp, from: &Type, to: &Type) -> Case {
    let name = format!("{op:?}").to_lowercase();
    let (from_type, to_type) = (from.clone(), to.clone());
    case(format!("%r = {name} {} %a to {}", ir_type(from), ir_type(to)), &[from], to, move |operands, out| {
        wide::cast(op, &from_type, &to_type, &operands[0], out)
    })
}

#[test]
fn integer_casts() {
    let mut cases = Vec::new();
    let widths = [1, 7, 8, 16, 24, 32, 37, 64, 65, 128, 200];
    for (position, &narrow) in widths.iter().enumerate() {
        for &broad in &widths[position + 1..] {
            cases.push(cast_case(CastOp::Trunc, &int(broad), &int(narrow)));
            cases.push(cast_case(CastOp::ZExt, &int(narrow), &int(broad)));
            cases.push(cast_case(CastOp::SExt, &int(narrow), &int(broad)));
        }
        cases.push(cast_case(CastOp::PtrToInt, &Type::Pointer, &int(narrow)));
        cases.push(cast_case(CastOp::IntToPtr, &int(narrow), &Type::Pointer));
    }
    cases.push(cast_case(CastOp::ZExt, &vector(int(8), 8), &vector(int(32), 8)));
    cases.push(cast_case(CastOp::SExt, &vector(int(1), 8), &vector(int(16), 8)));
    cases.push(cast_case(CastOp::Trunc, &vector(int(64), 4), &vector(int(8), 4)));
    cases.push(cast_case(CastOp::Bitcast, &vector(int(1), 8), &int(8)));
    cases.push(cast_case(CastOp::Bitcast, &int(16), &vector(int(1), 16)));
    cases.push(cast_case(CastOp::Bitcast, &vector(int(16), 8), &int(128)));
    cases.push(cast_case(CastOp::Bitcast, &int(80), &Type::Float(FloatKind::X87)));
    cases.push(cast_case(CastOp::Bitcast, &Type::Float(FloatKind::Double), &vector(int(8), 8)));
    check_all(cases);
}

#[test]
fn float_casts() {
    let mut cases = Vec::new();
    for (position, &narrow) in FLOATS.iter().enumerate() {
        for &broad in &FLOATS[position + 1..] {
            // These two have the same size, so neither cast exists.
            if (narrow, broad) == (FloatKind::Half, FloatKind::BFloat) {
                continue;
            }
            cases.push(cast_case(CastOp::FpExt, &Type::Float(narrow), &Type::Float(broad)));
            // The library takes x87 numbers apart without asking whether the machine would refuse them.
            if (narrow, broad) == (FloatKind::X87, FloatKind::Quad) {
                supported(cases.last_mut());
            }
            // LLVM has no code for these.
            if !(narrow == FloatKind::BFloat && matches!(broad, FloatKind::X87 | FloatKind::Quad)) {
                cases.push(cast_case(CastOp::FpTrunc, &Type::Float(broad), &Type::Float(narrow)));
            }
            match (narrow, broad) {
                (FloatKind::Half, FloatKind::X87) => supported(cases.last_mut()),
                // clang's routine leaves a signaling NaN as it is if its payload need not be cut.
                (FloatKind::BFloat, FloatKind::Single) => {
                    let case = cases.last_mut().expect("just added");
                    case.applies = Box::new(|operands| !nan::is_signaling(FloatKind::Single, operands[0][0].into()));
                }
                _ => {}
            }
        }
    }
    let (single, double) = (Type::Float(FloatKind::Single), Type::Float(FloatKind::Double));
    cases.push(cast_case(CastOp::FpExt, &vector(single.clone(), 2), &vector(double.clone(), 2)));
    cases.push(cast_case(CastOp::FpTrunc, &vector(double, 2), &vector(single, 2)));
    check_all(cases);
}

#[test]
fn integers_to_floats() {
    let mut cases = Vec::new();
    for kind in FLOATS {
        for bits in [1, 7, 8, 16, 24, 32, 37, 64, 65, 128] {
            cases.push(cast_case(CastOp::UiToFp, &int(bits), &Type::Float(kind)));
            cases.push(cast_case(CastOp::SiToFp, &int(bits), &Type::Float(kind)));
        }
    }
    for op in [CastOp::UiToFp, CastOp::SiToFp] {
        cases.push(cast_case(op, &vector(int(32), 4), &vector(Type::Float(FloatKind::Single), 4)));
        cases.push(cast_case(op, &vector(int(64), 2), &vector(Type::Float(FloatKind::Double), 2)));
        cases.push(cast_case(op, &vector(int(8), 4), &vector(Type::Float(FloatKind::Single), 4)));
    }
    check_all(cases);
}

#[test]
fn floats_to_integers() {
    let mut cases = Vec::new();
    for kind in FLOATS {
        let from = Type::Float(kind);
        for bits in [7, 8, 16, 24, 32, 37, 64, 65, 128] {
            for op in [CastOp::FpToUi, CastOp::FpToSi] {
                let mut case = cast_case(op, &from, &int(bits));
                // Beyond the integer's range the value depends on the instruction, and only for the widths C has
                // is it the same each time; the longer ones are a library's.
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    case.applies =
                        Box::new(move |operands| fits(op, kind, bits::get(&operands[0], 0, 128), bits.into()));
                }
                cases.push(case);
            }
        }
    }
    for op in [CastOp::FpToUi, CastOp::FpToSi] {
        for (kind, bits, count) in [(FloatKind::Single, 32, 4), (FloatKind::Double, 64, 2), (FloatKind::Single, 8, 4)] {
            let from = Type::Float(kind);
            let step = width(&from);
            let mut case = cast_case(op, &vector(from, count), &vector(int(bits), count));
            case.applies = Box::new(move |operands| {
                (0..count).all(|lane| fits(op, kind, bits::get(&operands[0], lane * step, step), bits.into()))
            });
            cases.push(case);
        }
    }
    check_all(cases);
}

/// Whether a float is within an integer type.
fn fits(op: CastOp, kind: FloatKind, value: u128, bits: u64) -> bool {
    let (from, quad) = (Type::Float(kind), Type::Float(FloatKind::Quad));
    let words = |value: u128| [value as u64, (value >> 64) as u64];
    let mut number = [0; 2];
    if kind == FloatKind::Quad {
        number = words(value);
    } else {
        wide::cast(CastOp::FpExt, &from, &quad, &words(value), &mut number);
    }
    let power = |exponent: u64, sign: u128| words(sign << 127 | u128::from(16383 + exponent) << 112);
    let (least, limit) = match op {
        CastOp::FpToUi => (words(0), power(bits, 0)),
        _ => (power(bits - 1, 1), power(bits - 1, 0)),
    };
    let holds = |op, lhs: &[u64], rhs: &[u64]| {
        let mut out = [0];
        wide::fcmp(op, &quad, lhs, rhs, &mut out);
        out[0] == 1
    };
    holds(FCmp::Oge, &number, &least) && holds(FCmp::Olt, &number, &limit)
}
