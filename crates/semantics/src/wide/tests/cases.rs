//! Arithmetic, comparisons and moves on every type they can have.

use std::sync::Arc;

use program::{BinaryOp, FCmp, FloatKind, ICmp, Type};

use super::native::{Case, check, ir_type};
use crate::wide::{self, lanes, width};
use crate::{bits, nan};

pub fn int(bits: u32) -> Type {
    Type::Int(bits)
}

pub fn vector(element: Type, count: u64) -> Type {
    let store_size = (width(&element) * count).div_ceil(8);
    Type::Vector { element: Arc::new(element), count, store_size }
}

pub const FLOATS: [FloatKind; 6] =
    [FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double, FloatKind::X87, FloatKind::Quad];

pub fn integers() -> Vec<Type> {
    let mut types: Vec<_> = [1, 7, 8, 16, 24, 32, 37, 64, 65, 128].map(int).into();
    types.extend([vector(int(8), 16), vector(int(16), 8), vector(int(32), 4), vector(int(64), 2), vector(int(32), 3)]);
    types.extend([vector(int(1), 8), vector(int(5), 3), vector(int(128), 2)]);
    types
}

pub fn floats() -> Vec<Type> {
    let mut types: Vec<_> = FLOATS.map(Type::Float).into();
    types.extend([vector(Type::Float(FloatKind::Single), 4), vector(Type::Float(FloatKind::Double), 2)]);
    types.extend([vector(Type::Float(FloatKind::Half), 8), vector(Type::Float(FloatKind::X87), 2)]);
    types
}

/// The same scalar in every lane, as IR.
fn splat(ty: &Type, scalar: u64) -> String {
    match ty {
        Type::Vector { element, .. } => format!("splat ({} {scalar})", ir_type(element)),
        _ => scalar.to_string(),
    }
}

pub fn case(
    body: String,
    operands: &[&Type],
    result: &Type,
    evaluate: impl Fn(&[Vec<u64>], &mut [u64]) + 'static,
) -> Case {
    Case {
        body,
        declarations: Vec::new(),
        operands: operands.iter().map(|&ty| ty.clone()).collect(),
        result: result.clone(),
        evaluate: Box::new(move |operands, out| {
            evaluate(operands, out);
            Ok(())
        }),
        applies: Box::new(|_| true),
    }
}

pub fn check_all(cases: Vec<Case>) {
    check(&cases, 300, "-O0");
    check(&cases, 300, "-O2");
}

/// Restricts a case to x87 numbers with the integer bit their exponent asks for.
pub fn supported(case: Option<&mut Case>) {
    let case = case.expect("just added");
    let (_, count) = lanes(&case.operands[0]);
    case.applies = Box::new(move |operands| {
        (0..count).all(|lane| {
            let value = bits::get(&operands[0], lane * 80, 80);
            (value >> 64 & 0x7fff != 0) == (value >> 63 & 1 != 0)
        })
    });
}

#[test]
fn integer_arithmetic() {
    use BinaryOp::*;
    let mut cases = Vec::new();
    for ty in integers() {
        for op in [Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, UDiv, SDiv, URem, SRem] {
            let name = format!("{op:?}").to_lowercase();
            let text = ir_type(&ty);
            let (element, _) = lanes(&ty);
            let bits = width(element);
            let body = match op {
                Shl | LShr | AShr if bits == 1 => continue,
                Shl | LShr | AShr => {
                    format!("%m = urem {text} %b, {}\n  %r = {name} {text} %a, %m", splat(&ty, bits))
                }
                _ => format!("%r = {name} {text} %a, %b"),
            };
            let (ty, of) = (ty.clone(), ty.clone());
            let mut case = case(body, &[&ty, &ty], &ty, |_, _| {});
            case.evaluate = Box::new(move |operands, out| wide::binary(op, &of, &operands[0], &operands[1], out));
            // The machine traps only where it has a division of that width; where it has not, LLVM computes in a
            // larger one, and for vectors optimises as if nothing could trap.
            let traps = matches!(bits, 8 | 16 | 32 | 64) && matches!(ty, Type::Int(_));
            if !traps && matches!(op, UDiv | URem | SDiv | SRem) {
                let ty = ty.clone();
                case.applies = Box::new(move |operands| {
                    let mut out = vec![0; wide::words(&ty)];
                    wide::binary(op, &ty, &operands[0], &operands[1], &mut out).is_ok()
                });
            }
            cases.push(case);
        }
    }
    check(&cases, 300, "-O0");
    // At -O2 a division that would trap may be removed or moved; `pass` keeps it by testing for it.
    for case in &mut cases {
        let (op_traps, ty) = (case.body.contains("div") || case.body.contains("rem"), case.result.clone());
        if op_traps && matches!(ty, Type::Int(8 | 16 | 32 | 64)) {
            case.applies = Box::new(move |operands| {
                let mut out = vec![0; wide::words(&ty)];
                wide::binary(SDiv, &ty, &operands[0], &operands[1], &mut out).is_ok()
            });
        }
    }
    check(&cases, 300, "-O2");
}

#[test]
fn float_arithmetic() {
    use BinaryOp::*;
    let mut cases = Vec::new();
    for ty in floats() {
        let text = ir_type(&ty);
        for op in [FAdd, FSub, FMul, FDiv, FRem] {
            let of = ty.clone();
            let mut case =
                case(format!("%r = {} {text} %a, %b", format!("{op:?}").to_lowercase()), &[&ty, &ty], &ty, |_, _| {});
            case.evaluate = Box::new(move |operands, out| wide::binary(op, &of, &operands[0], &operands[1], out));
            cases.push(case);
        }
        let of = ty.clone();
        cases.push(case(format!("%r = fneg {text} %a"), &[&ty], &ty, move |operands, out| {
            wide::fneg(&of, &operands[0], out);
        }));
    }
    check(&cases, 300, "-O0");
    // An optimiser may exchange the operands of these, and with two NaNs it shows.
    for case in cases.iter_mut().filter(|case| case.body.contains("fadd") || case.body.contains("fmul")) {
        let ty = case.result.clone();
        let (Type::Float(kind), count) = (lanes(&ty).0.clone(), lanes(&ty).1) else { continue };
        let step = width(lanes(&ty).0);
        case.applies = Box::new(move |operands| {
            (0..count).all(|lane| operands.iter().any(|value| !nan::is_nan(kind, bits::get(value, lane * step, step))))
        });
    }
    check(&cases, 300, "-O2");
}

#[test]
fn comparisons() {
    let mut cases = Vec::new();
    let truth = |ty: &Type| match ty {
        Type::Vector { count, .. } => vector(int(1), *count),
        _ => int(1),
    };
    let mut integers = integers();
    integers.push(Type::Pointer);
    for ty in integers {
        use ICmp::*;
        for op in [Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle] {
            let body = format!("%r = icmp {} {} %a, %b", format!("{op:?}").to_lowercase(), ir_type(&ty));
            let of = ty.clone();
            cases.push(case(body, &[&ty, &ty], &truth(&ty), move |operands, out| {
                wide::icmp(op, &of, &operands[0], &operands[1], out);
            }));
        }
    }
    for ty in floats() {
        use FCmp::*;
        for op in [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True] {
            let body = format!("%r = fcmp {} {} %a, %b", format!("{op:?}").to_lowercase(), ir_type(&ty));
            let of = ty.clone();
            cases.push(case(body, &[&ty, &ty], &truth(&ty), move |operands, out| {
                wide::fcmp(op, &of, &operands[0], &operands[1], out);
            }));
        }
    }
    check_all(cases);
}

#[test]
fn moves() {
    let mut cases = Vec::new();
    let mut types = integers();
    types.extend(floats());
    for ty in types {
        let text = ir_type(&ty);
        let of = ty.clone();
        let body = format!("%r = select i1 %c, {text} %a, {text} %b");
        cases.push(case(body, &[&ty, &ty, &int(1)], &ty, move |operands, out| {
            wide::select(&int(1), &operands[2], &of, &operands[0], &operands[1], out);
        }));
        let Type::Vector { element, count, .. } = &ty else { continue };
        let (element_text, count) = (ir_type(element), *count);
        let truths = vector(int(1), count);
        let (of, condition) = (ty.clone(), truths.clone());
        let body = format!("%r = select {} %c, {text} %a, {text} %b", ir_type(&truths));
        cases.push(case(body, &[&ty, &ty, &truths], &ty, move |operands, out| {
            wide::select(&condition, &operands[2], &of, &operands[0], &operands[1], out);
        }));
        let of = ty.clone();
        let index = int(8);
        let body = format!("%i = urem i8 %b, {count}\n  %r = extractelement {text} %a, i8 %i");
        cases.push(case(body, &[&ty, &index], element, move |operands, out| {
            wide::extract_element(&of, &operands[0], operands[1][0] % count, out);
        }));
        let of = ty.clone();
        let body = format!("%i = urem i8 %c, {count}\n  %r = insertelement {text} %a, {element_text} %b, i8 %i");
        cases.push(case(body, &[&ty, element, &index], &ty, move |operands, out| {
            wide::insert_element(&of, &operands[0], &operands[1], operands[2][0] % count, out);
        }));
        let mask: Vec<_> = (0..count as u32 + 1).map(|lane| Some((lane * 5 + 1) % (2 * count as u32))).collect();
        let mask_text: Vec<_> = mask.iter().flatten().map(|lane| format!("i32 {lane}")).collect();
        let result = vector((**element).clone(), count + 1);
        let of = ty.clone();
        let body = format!("%r = shufflevector {text} %a, {text} %b, <{} x i32> <{}>", count + 1, mask_text.join(", "));
        cases.push(case(body, &[&ty, &ty], &result, move |operands, out| {
            wide::shuffle(&of, &operands[0], &operands[1], &mask, out);
        }));
    }
    check_all(cases);
}
