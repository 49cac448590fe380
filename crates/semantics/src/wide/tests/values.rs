//! What needs no machine to be checked against.

use std::sync::Arc;

use program::{BinaryOp, CastOp, Constant, ConstantOp, FloatKind, Type};

use super::operands::Chance;
use crate::bits;
use crate::wide;

/// Integers of more than 128 bits have no library routine for floats, so only exactness and rounding are checked.
#[test]
fn very_long_integers_and_floats() {
    let (long, double) = (Type::Int(300), Type::Float(FloatKind::Double));
    let mut chance = Chance(3);
    for _ in 0..500 {
        let number =
            chance.word() as f64 * 2f64.powi(chance.below(230) as i32) * if chance.below(2) == 0 { 1.0 } else { -1.0 };
        let mut integer = vec![0; wide::words(&long)];
        wide::cast(CastOp::FpToSi, &double, &long, &[number.to_bits()], &mut integer);
        let mut back = [0];
        wide::cast(CastOp::SiToFp, &long, &double, &integer, &mut back);
        assert_eq!(f64::from_bits(back[0]), number);
    }
    // One more than a tie rounds up, however far away the one is.
    let mut tie = vec![0; wide::words(&long)];
    bits::put(&mut tie, 280, 1, 1);
    bits::put(&mut tie, 280 - 53, 1, 1);
    let mut out = [0];
    wide::cast(CastOp::UiToFp, &long, &double, &tie, &mut out);
    assert_eq!(f64::from_bits(out[0]), 2f64.powi(280));
    bits::put(&mut tie, 0, 1, 1);
    wide::cast(CastOp::UiToFp, &long, &double, &tie, &mut out);
    assert_eq!(f64::from_bits(out[0]), 2f64.powi(280).next_up());
}

#[test]
fn members_of_aggregates() {
    let array = Type::Array { element: Arc::new(Type::Int(24)), count: 3, stride: 4 };
    let ty =
        Type::Struct { fields: [(Type::Int(8), 0), (array, 4), (Type::Float(FloatKind::X87), 16)].into(), size: 32 };
    let aggregate = [0x0012_3456_0000_0078, 0x00aa_bbcc_0065_4321, 0x8000_0000_0000_0000, 0x3fff];
    let mut out = [u64::MAX];
    wide::extract_value(&ty, &[1, 1], &aggregate, &mut out);
    assert_eq!(out, [0x65_4321]);
    let mut out = [0; 2];
    wide::extract_value(&ty, &[2], &aggregate, &mut out);
    assert_eq!(out, [0x8000_0000_0000_0000, 0x3fff]);
    let mut out = [0; 4];
    wide::insert_value(&ty, &[1, 2], &aggregate, &[0x11_2233], &mut out);
    assert_eq!(out, [0x0012_3456_0000_0078, 0x0011_2233_0065_4321, 0x8000_0000_0000_0000, 0x3fff]);
}

#[test]
fn constants() {
    let scalar = |ty: Type, value| Constant { ty, op: ConstantOp::Scalar(value) };
    let address = || Constant { ty: Type::Pointer, op: ConstantOp::Address(3) };
    let word = |op| Constant { ty: Type::Int(64), op };
    let value = |constant: &Constant| {
        let mut out = vec![u64::MAX; wide::words(&constant.ty)];
        wide::constant(constant, &|position| 0x1000 * u64::from(position), &mut out);
        out
    };
    assert_eq!(value(&address()), [0x3000]);
    let offset = Constant { ty: Type::Pointer, op: ConstantOp::Offset(Box::new(address()), -8) };
    assert_eq!(value(&offset), [0x2ff8]);
    let cast = word(ConstantOp::Cast(CastOp::PtrToInt, Box::new(address())));
    let difference = word(ConstantOp::Binary(BinaryOp::Sub, Box::new(cast), Box::new(scalar(Type::Int(64), 1))));
    assert_eq!(value(&difference), [0x2fff]);
    let pair = Constant {
        ty: Type::Struct { fields: [(Type::Int(8), 0), (Type::Pointer, 8)].into(), size: 16 },
        op: ConstantOp::Aggregate(vec![scalar(Type::Int(8), 7), offset]),
    };
    assert_eq!(value(&pair), [7, 0x2ff8]);
    let lanes = Constant {
        ty: Type::Vector { element: Arc::new(Type::Int(1)), count: 3, store_size: 1 },
        op: ConstantOp::Aggregate(vec![scalar(Type::Int(1), 1), scalar(Type::Int(1), 0), scalar(Type::Int(1), 1)]),
    };
    assert_eq!(value(&lanes), [0b101]);
    let bytes = Constant { ty: Type::Float(FloatKind::X87), op: ConstantOp::Bytes((1..=10).collect()) };
    assert_eq!(value(&bytes), [0x0807_0605_0403_0201, 0x0a09]);
}

#[test]
fn every_computed_intrinsic_is_known() {
    for name in abi::COMPUTED {
        let takes_pointer = matches!(*name, "launder.invariant.group" | "strip.invariant.group" | "ptrmask");
        let takes_float = matches!(
            *name,
            "fabs"
                | "copysign"
                | "floor"
                | "ceil"
                | "trunc"
                | "rint"
                | "nearbyint"
                | "round"
                | "roundeven"
                | "sqrt"
                | "fma"
        );
        let ty = match (takes_pointer, takes_float) {
            (true, _) => Type::Pointer,
            (_, true) => Type::Float(FloatKind::Double),
            _ => Type::Int(64),
        };
        let result = match name.ends_with("overflow") {
            true => Type::Struct { fields: [(ty.clone(), 0), (Type::Int(1), 8)].into(), size: 16 },
            false => ty.clone(),
        };
        let mut out = vec![0; wide::words(&result)];
        let operands = [(&ty, &[9][..]), (&ty, &[8][..]), (&ty, &[1][..])];
        assert!(wide::computed(name, &result, &operands, &mut out), "{name}");
    }
}
