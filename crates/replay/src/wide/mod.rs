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

mod bits;
mod int;
mod long;
mod nan;
mod float;
mod cast;
mod to_int;
mod vector;
mod aggregate;
mod constant;
mod intrinsic;

#[cfg(test)]
mod tests;

use program::{BinaryOp, FCmp, FloatKind, ICmp, Type};

pub use aggregate::{extract_value, insert_value};
pub use cast::cast;
pub use constant::constant;
pub use intrinsic::computed;
pub use vector::{extract_element, insert_element, select, shuffle};

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
    out.fill(0);
    let (element, count) = lanes(ty);
    let width = width(element);
    for at in (0..count).map(|lane| lane * width) {
        match element {
            Type::Float(kind) => {
                let value = float::binary(op, *kind, bits::get(lhs, at, width), bits::get(rhs, at, width));
                bits::put(out, at, width, value);
            }
            _ if width > 128 => {
                let value = long::binary(op, width, &bits::slice(lhs, at, width), &bits::slice(rhs, at, width))?;
                bits::copy(&value, 0, out, at, width);
            }
            _ => {
                let value = int::binary(op, width, bits::get(lhs, at, width), bits::get(rhs, at, width))?;
                bits::put(out, at, width, value);
            }
        }
    }
    Ok(())
}

pub fn fneg(ty: &Type, value: &[u64], out: &mut [u64]) {
    lanewise(ty, value, out, |element, bits| match element {
        Type::Float(kind) => nan::after_sign_change(ty, float::negate(*kind, bits)),
        _ => bits,
    });
}

/// The result is an `i1`, or a vector of them.
pub fn icmp(op: ICmp, operand_type: &Type, lhs: &[u64], rhs: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (element, count) = lanes(operand_type);
    let width = width(element);
    for lane in 0..count {
        let at = lane * width;
        let holds = if width > 128 {
            long::compare(op, width, &bits::slice(lhs, at, width), &bits::slice(rhs, at, width))
        } else {
            int::compare(op, width, bits::get(lhs, at, width), bits::get(rhs, at, width))
        };
        bits::put(out, lane, 1, holds.into());
    }
}

/// The result is an `i1`, or a vector of them.
pub fn fcmp(op: FCmp, operand_type: &Type, lhs: &[u64], rhs: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (element, count) = lanes(operand_type);
    let Type::Float(kind) = element else { return };
    let width = width(element);
    for lane in 0..count {
        let at = lane * width;
        let holds = float::compare(op, *kind, bits::get(lhs, at, width), bits::get(rhs, at, width));
        bits::put(out, lane, 1, holds.into());
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

fn float_width(kind: FloatKind) -> u64 {
    width(&Type::Float(kind))
}

/// Applies a function of up to 128 bits to each element.
fn lanewise(ty: &Type, value: &[u64], out: &mut [u64], function: impl Fn(&Type, u128) -> u128) {
    out.fill(0);
    let (element, count) = lanes(ty);
    let width = width(element);
    for at in (0..count).map(|lane| lane * width) {
        bits::put(out, at, width, function(element, bits::get(value, at, width)));
    }
}
