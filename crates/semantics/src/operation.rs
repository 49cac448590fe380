//! Arithmetic, comparisons and casts in terms of what a domain has.

use program::{BinaryOp, CastOp, FCmp, FloatKind, ICmp};

use crate::domain::{Domain, Reading, Scalar, float_width};

/// What an operation gives.
pub struct Made<D: Domain> {
    pub value: D::Value,
    /// The machine raises its divide error instead: a division by zero, or of the least value by -1; so for every width, also
    /// where the machine itself has no division that could trap.
    pub traps: D::Truth,
}

#[inline(always)]
pub fn binary<D: Domain>(d: &D, op: BinaryOp, of: Scalar, a: &D::Value, b: &D::Value) -> Made<D> {
    use BinaryOp::*;
    let width = of.width();
    let value = match (op, of) {
        (Add, _) => d.add(width, a, b),
        (Sub, _) => d.subtract(width, a, b),
        (Mul, _) => d.multiply(width, a, b),
        (UDiv, _) => d.divide(Reading::Unsigned, width, a, b),
        (SDiv, _) => d.divide(Reading::Signed, width, a, b),
        (URem, _) => d.remainder(Reading::Unsigned, width, a, b),
        (SRem, _) => d.remainder(Reading::Signed, width, a, b),
        (Shl, _) => d.shift_left(width, a, b),
        (LShr, _) => d.shift_right(Reading::Unsigned, width, a, b),
        (AShr, _) => d.shift_right(Reading::Signed, width, a, b),
        (And, _) => d.and(width, a, b),
        (Or, _) => d.or(width, a, b),
        (Xor, _) => d.exclusive_or(width, a, b),
        (FAdd | FSub | FMul | FDiv | FRem, Scalar::Float(kind)) => d.float_binary(op, kind, a, b),
        (FAdd | FSub | FMul | FDiv | FRem, Scalar::Int(_)) => unreachable!("{op:?} of an integer is no IR"),
    };
    let traps = match op {
        UDiv | URem => is_zero(d, width, b),
        SDiv | SRem => {
            let minus_one = complement(d, width, &d.number(width, 0));
            let is_too_large = d.both(&d.equal(width, a, &least(d, width)), &d.equal(width, b, &minus_one));
            d.either(&is_zero(d, width, b), &is_too_large)
        }
        Add | Sub | Mul | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul | FDiv | FRem => d.truth(false),
    };
    Made { value, traps }
}

#[inline(always)]
pub fn compare<D: Domain>(d: &D, op: ICmp, width: u32, a: &D::Value, b: &D::Value) -> D::Truth {
    use Reading::*;
    match op {
        ICmp::Eq => d.equal(width, a, b),
        ICmp::Ne => d.not(&d.equal(width, a, b)),
        ICmp::Ugt => d.less(Unsigned, width, b, a),
        ICmp::Uge => d.not(&d.less(Unsigned, width, a, b)),
        ICmp::Ult => d.less(Unsigned, width, a, b),
        ICmp::Ule => d.not(&d.less(Unsigned, width, b, a)),
        ICmp::Sgt => d.less(Signed, width, b, a),
        ICmp::Sge => d.not(&d.less(Signed, width, a, b)),
        ICmp::Slt => d.less(Signed, width, a, b),
        ICmp::Sle => d.not(&d.less(Signed, width, b, a)),
    }
}

#[inline(always)]
pub fn compare_floats<D: Domain>(d: &D, op: FCmp, kind: FloatKind, a: &D::Value, b: &D::Value) -> D::Truth {
    let unordered = || d.float_unordered(kind, a, b);
    let equal = || d.float_equal(kind, a, b);
    match op {
        FCmp::False => d.truth(false),
        FCmp::Oeq => equal(),
        FCmp::Ogt => d.float_less(kind, b, a),
        FCmp::Oge => d.float_less_or_equal(kind, b, a),
        FCmp::Olt => d.float_less(kind, a, b),
        FCmp::Ole => d.float_less_or_equal(kind, a, b),
        FCmp::One => d.not(&d.either(&unordered(), &equal())),
        FCmp::Ord => d.not(&unordered()),
        FCmp::Uno => unordered(),
        FCmp::Ueq => d.either(&unordered(), &equal()),
        FCmp::Ugt => d.not(&d.float_less_or_equal(kind, a, b)),
        FCmp::Uge => d.not(&d.float_less(kind, a, b)),
        FCmp::Ult => d.not(&d.float_less_or_equal(kind, b, a)),
        FCmp::Ule => d.not(&d.float_less(kind, b, a)),
        FCmp::Une => d.not(&equal()),
        FCmp::True => d.truth(true),
    }
}

#[inline(always)]
pub fn cast<D: Domain>(d: &D, op: CastOp, from: Scalar, to: Scalar, value: &D::Value) -> D::Value {
    use CastOp::*;
    use Reading::*;
    let (narrow, broad) = (from.width(), to.width());
    match (op, from, to) {
        (SExt, _, _) => d.widen(Signed, narrow, broad, value),
        (Trunc | ZExt | PtrToInt | IntToPtr | Bitcast, _, _) if broad < narrow => d.cut(narrow, broad, value),
        (Trunc | ZExt | PtrToInt | IntToPtr | Bitcast, _, _) => d.widen(Unsigned, narrow, broad, value),
        (FpTrunc | FpExt, Scalar::Float(from), Scalar::Float(to)) => d.float_convert(from, to, value),
        (FpToSi, Scalar::Float(kind), _) => d.float_to_integer(Signed, kind, broad, value),
        (FpToUi, Scalar::Float(kind), _) => d.float_to_integer(Unsigned, kind, broad, value),
        (SiToFp, _, Scalar::Float(kind)) => d.integer_to_float(Signed, narrow, kind, value),
        (UiToFp, _, Scalar::Float(kind)) => d.integer_to_float(Unsigned, narrow, kind, value),
        (FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp, _, _) => {
            unreachable!("{op:?} from {from:?} to {to:?} is no IR")
        }
    }
}

/// A float with the other sign.
#[inline(always)]
pub fn negate<D: Domain>(d: &D, kind: FloatKind, value: &D::Value) -> D::Value {
    let width = float_width(kind);
    d.exclusive_or(width, value, &least(d, width))
}

/// A float without its sign.
#[inline(always)]
pub fn magnitude<D: Domain>(d: &D, kind: FloatKind, value: &D::Value) -> D::Value {
    let width = float_width(kind);
    d.and(width, value, &complement(d, width, &least(d, width)))
}

#[inline(always)]
pub(crate) fn is_zero<D: Domain>(d: &D, width: u32, value: &D::Value) -> D::Truth {
    d.equal(width, value, &d.number(width, 0))
}

/// The least signed value: its sign bit alone.
#[inline(always)]
pub(crate) fn least<D: Domain>(d: &D, width: u32) -> D::Value {
    d.bit_alone(width, width - 1)
}

/// All bits the other way.
#[inline(always)]
pub(crate) fn complement<D: Domain>(d: &D, width: u32, value: &D::Value) -> D::Value {
    let zero = d.number(width, 0);
    d.exclusive_or(width, value, &d.subtract(width, &zero, &d.number(width, 1)))
}
