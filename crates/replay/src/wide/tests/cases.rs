//! Every operation on every type it can have.

use std::sync::Arc;

use program::{BinaryOp, CastOp, FCmp, FloatKind, ICmp, Type};

use super::native::{Case, check, ir_type};
use crate::wide;
use crate::wide::{bits, lanes, width};

fn int(bits: u32) -> Type {
    Type::Int(bits)
}

fn vector(element: Type, count: u64) -> Type {
    let store_size = (width(&element) * count).div_ceil(8);
    Type::Vector { element: Arc::new(element), count, store_size }
}

const FLOATS: [FloatKind; 6] =
    [FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double, FloatKind::X87, FloatKind::Quad];

fn integers() -> Vec<Type> {
    let mut types: Vec<_> = [1, 7, 8, 16, 24, 32, 37, 64, 65, 128].map(int).into();
    types.extend([vector(int(8), 16), vector(int(16), 8), vector(int(32), 4), vector(int(64), 2), vector(int(32), 3)]);
    types.extend([vector(int(1), 8), vector(int(5), 3), vector(int(128), 2)]);
    types
}

fn floats() -> Vec<Type> {
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

fn case(body: String, operands: &[&Type], result: &Type, evaluate: impl Fn(&[Vec<u64>], &mut [u64]) + 'static) -> Case {
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

fn check_all(cases: Vec<Case>) {
    check(&cases, 300, "-O0");
    check(&cases, 300, "-O2");
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
    check_all(cases);
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
            if (narrow, broad) != (FloatKind::Half, FloatKind::BFloat) {
                cases.push(cast_case(CastOp::FpExt, &Type::Float(narrow), &Type::Float(broad)));
                cases.push(cast_case(CastOp::FpTrunc, &Type::Float(broad), &Type::Float(narrow)));
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
                if bits > 64 {
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

#[test]
fn intrinsics() {
    let mut cases = Vec::new();
    let mut add = |name: &'static str, ty: &Type, arguments: &[&Type], flag: Option<&str>, result: Type| {
        let parameters: Vec<_> = arguments.iter().map(|ty| ir_type(ty)).collect();
        let suffix = match ty {
            Type::Vector { element, count, .. } => format!("v{count}{}", suffix(element)),
            _ => suffix(ty),
        };
        let full = format!("@llvm.{name}.{suffix}");
        let flag_type = flag.map(|_| ", i1").unwrap_or_default();
        let flag = flag.map(|flag| format!(", i1 {flag}")).unwrap_or_default();
        let values: Vec<_> =
            parameters.iter().zip(["%a", "%b", "%c"]).map(|(ty, value)| format!("{ty} {value}")).collect();
        let text = ir_type(&result);
        let types: Vec<Type> = arguments.iter().map(|&ty| ty.clone()).collect();
        let of = result.clone();
        let mut case = case(
            format!("%r = call {text} {full}({}{flag})", values.join(", ")),
            arguments,
            &result,
            move |operands, out| {
                let arguments: Vec<_> = types.iter().zip(operands).map(|(ty, value)| (ty, &value[..])).collect();
                assert!(wide::computed(name, &of, &arguments, out), "{name} is computed on {of}");
            },
        );
        case.declarations.push(format!("declare {text} {full}({}{flag_type})", parameters.join(", ")));
        cases.push(case);
    };
    for ty in integers().iter().filter(|ty| width(lanes(ty).0) > 1) {
        let (element, count) = lanes(ty);
        add("abs", ty, &[ty], Some("false"), ty.clone());
        add("bitreverse", ty, &[ty], None, ty.clone());
        if width(element) % 16 == 0 {
            add("bswap", ty, &[ty], None, ty.clone());
        }
        add("ctlz", ty, &[ty], Some("false"), ty.clone());
        add("cttz", ty, &[ty], Some("false"), ty.clone());
        add("ctpop", ty, &[ty], None, ty.clone());
        add("fshl", ty, &[ty, ty, ty], None, ty.clone());
        add("fshr", ty, &[ty, ty, ty], None, ty.clone());
        for name in ["smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"] {
            add(name, ty, &[ty, ty], None, ty.clone());
        }
        // Vectors of overflow flags do not occur in C, and are laid out by alignment this test does not know.
        if count == 1 {
            let offset = ty.store_size().next_power_of_two();
            let fields = [(ty.clone(), 0), (int(1), offset)].into();
            for name in [
                "sadd.with.overflow",
                "uadd.with.overflow",
                "ssub.with.overflow",
                "usub.with.overflow",
                "smul.with.overflow",
                "umul.with.overflow",
            ] {
                add(name, ty, &[ty, ty], None, Type::Struct { fields: Arc::clone(&fields), size: offset * 2 });
            }
        }
    }
    for ty in floats() {
        let Type::Float(kind) = lanes(&ty).0 else { continue };
        add("fabs", &ty, &[&ty], None, ty.clone());
        add("copysign", &ty, &[&ty, &ty], None, ty.clone());
        for name in ["floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven"] {
            add(name, &ty, &[&ty], None, ty.clone());
        }
        if matches!(kind, FloatKind::Single | FloatKind::Double) {
            add("sqrt", &ty, &[&ty], None, ty.clone());
            add("fma", &ty, &[&ty, &ty, &ty], None, ty.clone());
        }
    }
    check_all(cases);
}

/// How an intrinsic's name ends for a scalar type.
fn suffix(ty: &Type) -> String {
    match ty {
        Type::Float(FloatKind::Half) => "f16".into(),
        Type::Float(FloatKind::BFloat) => "bf16".into(),
        Type::Float(FloatKind::Single) => "f32".into(),
        Type::Float(FloatKind::Double) => "f64".into(),
        Type::Float(FloatKind::X87) => "f80".into(),
        Type::Float(FloatKind::Quad) => "f128".into(),
        _ => ty.to_string(),
    }
}
