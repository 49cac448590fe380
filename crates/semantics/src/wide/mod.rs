//! Values of any type, computed slowly and plainly: the general case behind the fast interpreter, and its oracle.
//!
//! In: values as words. Out: values as words. Deliberately absent: memory, the log, anything fast.
//!
//! A value is the memory image of its type, as little-endian words: `ceil(store size / 8)` of them. Bytes beyond the
//! store size are zero, and so are the bits of an integer beyond its width. Vectors have no padding between
//! elements: an element stands at its index times its width in bits, as LLVM lays them out.
//!
//! Floats round to nearest even, the mode every program starts in. A program that changes it (`fesetround`, x87
//! control word) computes other values than this.
//!
//! Not computed alike, because LLVM leaves them to the choice of instructions: which of two NaNs a commuted SSE
//! operation returns (here always the first), and vectors of floats converted to integers they do not fit.

mod cast;
mod vector;
mod aggregate;
mod constant;
mod intrinsic;

#[cfg(test)]
pub mod tests;

use program::{BinaryOp, FCmp, ICmp, Type};

pub use aggregate::{extract_value, insert_value};
pub use cast::cast;
pub use constant::constant;
pub use intrinsic::computed;
pub use vector::{extract_element, insert_element, select, shuffle};

use crate::bits;
use crate::domain::{Domain, Scalar};
use crate::double::Double;
use crate::long::Long;
use crate::nan;

/// What stops the machine instead of giving a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Integer division by zero, or of the least value by -1; so for every width, also where the machine itself
    /// has no division that could trap.
    DivideError,
}

/// Words a value of this type takes.
pub fn words(ty: &Type) -> usize {
    ty.store_size().div_ceil(8) as usize
}

pub fn binary(op: BinaryOp, ty: &Type, lhs: &[u64], rhs: &[u64], out: &mut [u64]) -> Result<(), Trap> {
    if width(lanes(ty).0) > 128 {
        binary_in(&Long, op, ty, lhs, rhs, out)
    } else {
        binary_in(&Double, op, ty, lhs, rhs, out)
    }
}

fn binary_in(d: &impl InWords, op: BinaryOp, ty: &Type, lhs: &[u64], rhs: &[u64], out: &mut [u64]) -> Result<(), Trap> {
    out.fill(0);
    let (element, count) = lanes(ty);
    let element = scalar(element);
    let width = element.width();
    for lane in 0..count {
        let made = crate::binary(d, op, element, &d.take(lhs, lane, width), &d.take(rhs, lane, width));
        if made.traps {
            return Err(Trap::DivideError);
        }
        d.put(out, lane, width, &made.value);
    }
    Ok(())
}

pub fn fneg(ty: &Type, value: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (element, count) = lanes(ty);
    let Type::Float(kind) = element else { return };
    let width = scalar(element).width();
    for lane in 0..count {
        let negated = crate::negate(&Double, *kind, &Double.take(value, lane, width));
        Double.put(out, lane, width, &nan::after_sign_change(ty, negated));
    }
}

/// The result is an `i1`, or a vector of them.
pub fn icmp(op: ICmp, operand_type: &Type, lhs: &[u64], rhs: &[u64], out: &mut [u64]) {
    let width = scalar(lanes(operand_type).0).width();
    if width > 128 {
        compared(&Long, operand_type, lhs, rhs, out, |d, a, b| crate::compare(d, op, width, a, b));
    } else {
        compared(&Double, operand_type, lhs, rhs, out, |d, a, b| crate::compare(d, op, width, a, b));
    }
}

/// The result is an `i1`, or a vector of them.
pub fn fcmp(op: FCmp, operand_type: &Type, lhs: &[u64], rhs: &[u64], out: &mut [u64]) {
    let Type::Float(kind) = *lanes(operand_type).0 else { return out.fill(0) };
    compared(&Double, operand_type, lhs, rhs, out, |d, a, b| crate::compare_floats(d, op, kind, a, b));
}

fn compared<D: InWords>(
    d: &D,
    operand_type: &Type,
    lhs: &[u64],
    rhs: &[u64],
    out: &mut [u64],
    holds: impl Fn(&D, &D::Value, &D::Value) -> bool,
) {
    out.fill(0);
    let (element, count) = lanes(operand_type);
    let width = scalar(element).width();
    for lane in 0..count {
        let holds = holds(d, &d.take(lhs, lane, width), &d.take(rhs, lane, width));
        bits::put(out, lane, 1, holds.into());
    }
}

/// A domain whose values come from words and go there. Lanes are so many bits each, side by side.
trait InWords: Domain<Truth = bool> {
    fn take(&self, words: &[u64], lane: u64, width: u32) -> Self::Value;
    fn put(&self, words: &mut [u64], lane: u64, width: u32, value: &Self::Value);
}

impl InWords for Double {
    fn take(&self, words: &[u64], lane: u64, width: u32) -> u128 {
        bits::get(words, lane * u64::from(width), width.into())
    }

    fn put(&self, words: &mut [u64], lane: u64, width: u32, value: &u128) {
        bits::put(words, lane * u64::from(width), width.into(), *value);
    }
}

impl InWords for Long {
    fn take(&self, words: &[u64], lane: u64, width: u32) -> Vec<u64> {
        bits::slice(words, lane * u64::from(width), width.into())
    }

    fn put(&self, words: &mut [u64], lane: u64, width: u32, value: &Vec<u64>) {
        bits::copy(value, 0, words, lane * u64::from(width), width.into());
    }
}

/// What an element is.
fn scalar(element: &Type) -> Scalar {
    match Scalar::of(element) {
        Some(scalar) => scalar,
        None => unreachable!("{element} as one number is no IR"),
    }
}

/// The type and number of a vector's elements; any other type is its own single element.
fn lanes(ty: &Type) -> (&Type, u64) {
    match ty {
        Type::Vector { element, count, .. } => (element, *count),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer | Type::Array { .. } | Type::Struct { .. } => {
            (ty, 1)
        }
    }
}

/// Bits that carry a value of this type.
fn width(ty: &Type) -> u64 {
    match ty {
        Type::Int(bits) => u64::from(*bits),
        Type::Vector { element, count, .. } => count * width(element),
        Type::Void | Type::Float(_) | Type::Pointer | Type::Array { .. } | Type::Struct { .. } => ty.store_size() * 8,
    }
}
