//! Every intrinsic on every type it can have.

use std::sync::Arc;

use program::{FloatKind, Type};

use super::cases::{case, check_all, floats, int, integers, supported};
use super::native::ir_type;
use crate::wide::{self, lanes, width};

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
        // The library takes x87 numbers apart without asking whether the machine would refuse them.
        if let (Type::Float(FloatKind::X87), _) = lanes(ty) {
            supported(Some(&mut case));
        }
        cases.push(case);
    };
    for ty in integers().iter().filter(|ty| width(lanes(ty).0) > 1) {
        let (element, count) = lanes(ty);
        add("abs", ty, &[ty], Some("false"), ty.clone());
        add("bitreverse", ty, &[ty], None, ty.clone());
        if width(element).is_multiple_of(16) {
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
