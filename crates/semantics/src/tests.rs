//! Domains of numbers against each other, and what the runtime computes against them.

use abi::{AtHand, Edit, Operation, Rewrite};
use program::{BinaryOp, CastOp, FCmp, FloatKind, ICmp};

use crate::domain::{Domain, Scalar};
use crate::double::Double;
use crate::long::Long;
use crate::wide::tests::operands::Chance;
use crate::word::Word;
use crate::words::{long_of, short_of};
use crate::{binary, bits, cast, compare, compare_floats, magnitude, nan, negate, on_integers, with_overflow};

const INTEGER: [BinaryOp; 13] = {
    use BinaryOp::*;
    [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor]
};
const COMPARISONS: [ICmp; 10] = {
    use ICmp::*;
    [Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle]
};
const FLOAT_COMPARISONS: [FCmp; 16] = {
    use FCmp::*;
    [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True]
};
const INTRINSICS: [&str; 17] = [
    "abs",
    "bitreverse",
    "bswap",
    "ctlz",
    "cttz",
    "ctpop",
    "fshl",
    "fshr",
    "smax",
    "smin",
    "umax",
    "umin",
    "sadd.sat",
    "ssub.sat",
    "uadd.sat",
    "usub.sat",
    "ptrmask",
];
const OVERFLOWING: [&str; 6] = [
    "sadd.with.overflow",
    "uadd.with.overflow",
    "ssub.with.overflow",
    "usub.with.overflow",
    "smul.with.overflow",
    "umul.with.overflow",
];

/// A domain as the test sees it: numbers of up to 128 bits come in, and numbers come out.
trait Numbers: Domain<Truth = bool> {
    fn value(&self, value: u128, width: u32) -> Self::Value;
    fn known(&self, value: &Self::Value) -> u128;
}

impl Numbers for Word {
    fn value(&self, value: u128, _width: u32) -> u64 {
        value as u64
    }

    fn known(&self, value: &u64) -> u128 {
        (*value).into()
    }
}

impl Numbers for Double {
    fn value(&self, value: u128, _width: u32) -> u128 {
        value
    }

    fn known(&self, value: &u128) -> u128 {
        *value
    }
}

impl Numbers for Long {
    fn value(&self, value: u128, width: u32) -> Vec<u64> {
        long_of(value, width)
    }

    fn known(&self, value: &Vec<u64>) -> u128 {
        short_of(value)
    }
}

/// Everything there is on integers of one width, with what it gives.
fn on_numbers<D: Numbers>(d: &D, width: u32, numbers: [u128; 3]) -> Vec<(String, Option<u128>)> {
    let [a, b, c] = numbers.map(|number| d.value(number, width));
    // No shift goes further than the width.
    let amount = d.value(numbers[1] % u128::from(width), width);
    let mut all = Vec::new();
    for op in INTEGER {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
        let made = binary(d, op, Scalar::Int(width), &a, if is_shift { &amount } else { &b });
        all.push((format!("{op:?}"), (!made.traps).then(|| d.known(&made.value))));
    }
    for op in COMPARISONS {
        all.push((format!("{op:?}"), Some(compare(d, op, width, &a, &b).into())));
    }
    for name in INTRINSICS {
        if name != "bswap" || width.is_multiple_of(16) {
            let made = on_integers(d, name, width, [&a, &b, &c]);
            all.push((name.into(), made.map(|made| d.known(&made))));
        }
    }
    for name in OVERFLOWING {
        let (value, overflows) = with_overflow(d, name, width, &a, &b).expect("it is known");
        all.push((name.into(), Some(d.known(&value))));
        all.push((format!("{name}?"), Some(overflows.into())));
    }
    all
}

fn agree(chance: &mut Chance, width: u32, rounds: usize) {
    for _ in 0..rounds {
        let numbers = [0; 3].map(|_| chance.integer(width.into()));
        let double = on_numbers(&Double, width, numbers);
        assert_eq!(on_numbers(&Long, width, numbers), double, "i{width} {numbers:x?}");
        if width <= 64 {
            assert_eq!(on_numbers(&Word, width, numbers), double, "i{width} {numbers:x?}");
        }
    }
}

#[test]
fn integers_of_all_domains_agree() {
    let mut chance = Chance(2);
    (1..=64).for_each(|width| agree(&mut chance, width, 100));
    [65, 80, 100, 127, 128].into_iter().for_each(|width| agree(&mut chance, width, 300));
}

/// All of them, where there are few.
#[test]
fn small_integers_of_all_domains_agree() {
    for width in 1..=4 {
        let all = || 0..1_u128 << width;
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            let numbers = [a, b, (a * 7 + b) & bits::mask(width.into())];
            let double = on_numbers(&Double, width, numbers);
            assert_eq!(on_numbers(&Word, width, numbers), double, "i{width} {numbers:x?}");
            assert_eq!(on_numbers(&Long, width, numbers), double, "i{width} {numbers:x?}");
        }
    }
}

#[test]
fn casts_of_all_domains_agree() {
    let mut chance = Chance(3);
    let widths = [1, 7, 8, 16, 24, 32, 37, 48, 63, 64];
    let integer = |op, from: u32, to: u32, value: u128| {
        let (from, to) = (Scalar::Int(from), Scalar::Int(to));
        let double = cast(&Double, op, from, to, &value);
        assert_eq!(u128::from(cast(&Word, op, from, to, &(value as u64))), double, "{op:?} {from:?} {to:?} {value:#x}");
        assert_eq!(short_of(&cast(&Long, op, from, to, &long_of(value, from.width()))), double);
    };
    for _ in 0..50 {
        for from in widths {
            for to in widths {
                let value = chance.integer(from.into());
                if from > to {
                    integer(CastOp::Trunc, from, to, value);
                }
                if from < to {
                    integer(CastOp::ZExt, from, to, value);
                    integer(CastOp::SExt, from, to, value);
                }
            }
        }
    }
}

#[test]
fn floats_of_words_are_those_of_the_oracle() {
    let mut chance = Chance(4);
    let same = |op, from: Scalar, to: Scalar, value: u128| {
        let word = cast(&Word, op, from, to, &(value as u64));
        assert_eq!(u128::from(word), cast(&Double, op, from, to, &value), "{op:?} {from:?} {to:?} {value:#x}");
    };
    for kind in [FloatKind::Single, FloatKind::Double, FloatKind::Half, FloatKind::BFloat] {
        let float = Scalar::Float(kind);
        for _ in 0..3000 {
            let (a, b) = (chance.float(kind), chance.float(kind));
            let (short_a, short_b) = (a as u64, b as u64);
            for op in FLOAT_COMPARISONS {
                let word = compare_floats(&Word, op, kind, &short_a, &short_b);
                assert_eq!(word, compare_floats(&Double, op, kind, &a, &b), "{op:?} {kind:?} {a:#x} {b:#x}");
            }
            for op in [BinaryOp::FAdd, BinaryOp::FSub, BinaryOp::FMul, BinaryOp::FDiv, BinaryOp::FRem] {
                let word = u128::from(binary(&Word, op, float, &short_a, &short_b).value);
                let double = binary(&Double, op, float, &a, &b).value;
                // Which NaN an operation gives depends on how the compiler orders its operands.
                let is_same = word == double || (nan::is_nan(kind, word) && nan::is_nan(kind, double));
                assert!(is_same, "{op:?} {kind:?} {a:#x} {b:#x}");
            }
            assert_eq!(u128::from(negate(&Word, kind, &short_a)), negate(&Double, kind, &a));
            assert_eq!(u128::from(magnitude(&Word, kind, &short_a)), magnitude(&Double, kind, &a));
            // In narrower formats the general conversions are the only ones.
            for bits in [8, 16, 32, 64] {
                let number = chance.integer(bits.into());
                same(CastOp::FpToSi, float, Scalar::Int(bits), a);
                same(CastOp::FpToUi, float, Scalar::Int(bits), a);
                same(CastOp::SiToFp, Scalar::Int(bits), float, number);
                same(CastOp::UiToFp, Scalar::Int(bits), float, number);
            }
            match kind {
                FloatKind::Double => same(CastOp::FpTrunc, float, Scalar::Float(FloatKind::Single), a),
                _ => same(CastOp::FpExt, float, Scalar::Float(FloatKind::Double), a),
            }
        }
    }
}

/// What an operation of the runtime's table is here.
enum Meaning {
    Binary(BinaryOp),
    Compare(ICmp),
    Float(BinaryOp),
    CompareFloats(FCmp),
}

const TABLE: [(Operation, Meaning); 33] = {
    use Meaning::*;
    use Operation::*;
    [
        (Equal, Compare(ICmp::Eq)),
        (NotEqual, Compare(ICmp::Ne)),
        (Above, Compare(ICmp::Ugt)),
        (AboveOrEqual, Compare(ICmp::Uge)),
        (Below, Compare(ICmp::Ult)),
        (BelowOrEqual, Compare(ICmp::Ule)),
        (Greater, Compare(ICmp::Sgt)),
        (GreaterOrEqual, Compare(ICmp::Sge)),
        (Less, Compare(ICmp::Slt)),
        (LessOrEqual, Compare(ICmp::Sle)),
        (FloatEqual, CompareFloats(FCmp::Oeq)),
        (FloatNotEqual, CompareFloats(FCmp::Une)),
        (FloatGreater, CompareFloats(FCmp::Ogt)),
        (FloatGreaterOrEqual, CompareFloats(FCmp::Oge)),
        (FloatLess, CompareFloats(FCmp::Olt)),
        (FloatLessOrEqual, CompareFloats(FCmp::Ole)),
        (Plus, Binary(BinaryOp::Add)),
        (Minus, Binary(BinaryOp::Sub)),
        (Times, Binary(BinaryOp::Mul)),
        (Divide, Binary(BinaryOp::SDiv)),
        (DivideUnsigned, Binary(BinaryOp::UDiv)),
        (Remainder, Binary(BinaryOp::SRem)),
        (RemainderUnsigned, Binary(BinaryOp::URem)),
        (And, Binary(BinaryOp::And)),
        (Or, Binary(BinaryOp::Or)),
        (Xor, Binary(BinaryOp::Xor)),
        (ShiftLeft, Binary(BinaryOp::Shl)),
        (ShiftRight, Binary(BinaryOp::LShr)),
        (ShiftRightSigned, Binary(BinaryOp::AShr)),
        (FloatPlus, Float(BinaryOp::FAdd)),
        (FloatMinus, Float(BinaryOp::FSub)),
        (FloatTimes, Float(BinaryOp::FMul)),
        (FloatDivide, Float(BinaryOp::FDiv)),
    ]
};

impl Meaning {
    /// `None` where the machine raises an error, or has no such shift.
    fn of(&self, width: u32, a: u128, b: u128) -> Option<u128> {
        let kind = if width == 32 { FloatKind::Single } else { FloatKind::Double };
        match *self {
            Meaning::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) if b >= u128::from(width) => None,
            Meaning::Binary(op) => {
                let made = binary(&Double, op, Scalar::Int(width), &a, &b);
                (!made.traps).then_some(made.value)
            }
            Meaning::Compare(op) => Some(compare(&Double, op, width, &a, &b).into()),
            Meaning::Float(op) => Some(binary(&Double, op, Scalar::Float(kind), &a, &b).value),
            Meaning::CompareFloats(op) => Some(compare_floats(&Double, op, kind, &a, &b).into()),
        }
    }
}

#[test]
fn edits_compute_the_same() {
    let mut chance = Chance(5);
    let own = 0x5a5a_a5a5_1234_8765;
    for width in 1..=64_u32 {
        for (operation, meaning) in &TABLE {
            let is_float = matches!(meaning, Meaning::Float(_) | Meaning::CompareFloats(_));
            let kind = match width {
                32 => FloatKind::Single,
                64 => FloatKind::Double,
                _ if is_float => continue,
                _ => FloatKind::Double,
            };
            for _ in 0..if is_float { 2000 } else { 200 } {
                let mut operand = || if is_float { chance.float(kind) } else { chance.integer(width.into()) };
                let (a, b) = (operand(), operand());
                let edit = |rewrite| Edit { rewrite, operation: *operation, width: width as u8, bits: 64, number: 0 };
                // What lies beyond the width does not count.
                let beyond = if width < 64 { own << width } else { 0 };
                let (first, second) = (a as u64 | beyond, b as u64 | beyond);
                let at_hand = AtHand { value: own, first, second, before: 0 };
                for (rewrite, a, b) in [(Rewrite::Compute, a, b), (Rewrite::Reversed, b, a)] {
                    let edited = u128::from(edit(rewrite).apply(at_hand));
                    let made = meaning.of(width, a, b).unwrap_or(own.into());
                    let is_same = edited == made || (is_float && nan::is_nan(kind, edited) && nan::is_nan(kind, made));
                    assert!(is_same, "{operation:?} i{width} {a:#x} {b:#x}: {edited:#x}, not {made:#x}");
                }
            }
        }
    }
}
