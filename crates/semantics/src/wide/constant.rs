//! Constants, once the addresses of a run are known.

use program::{Constant, ConstantOp, Type};

use super::{aggregate, cast, icmp, width, words};
use crate::bits;

/// `address_of` gives the address at a position of the module descriptor's table.
pub fn constant(constant: &Constant, address_of: &dyn Fn(u32) -> u64, out: &mut [u64]) {
    let value = |of: &Constant| {
        let mut words = vec![0; words(&of.ty)];
        self::constant(of, address_of, &mut words);
        words
    };
    out.fill(0);
    match &constant.op {
        ConstantOp::Zero => {}
        ConstantOp::Scalar(word) => bits::put(out, 0, width(&constant.ty), (*word).into()),
        ConstantOp::Bytes(bytes) => {
            for (at, byte) in (0..).step_by(8).zip(bytes.iter()) {
                bits::put(out, at, 8, (*byte).into());
            }
        }
        ConstantOp::Address(position) => out[0] = address_of(*position),
        ConstantOp::Aggregate(elements) => {
            for (index, element) in (0..).zip(elements) {
                let at = match &constant.ty {
                    Type::Vector { element, .. } => u64::from(index) * width(element),
                    ty => aggregate::member(ty, &[index]).1 * 8,
                };
                bits::copy(&value(element), 0, out, at, width(&element.ty));
            }
        }
        ConstantOp::Offset(base, offset) => out[0] = value(base)[0].wrapping_add_signed(*offset),
        ConstantOp::Cast(op, of) => cast(*op, &of.ty, &constant.ty, &value(of), out),
        ConstantOp::Binary(op, lhs, rhs) => {
            // LLVM has no constant division, so nothing can trap.
            let _ = super::binary(*op, &constant.ty, &value(lhs), &value(rhs), out);
        }
        ConstantOp::Compare(op, lhs, rhs) => icmp(*op, &lhs.ty, &value(lhs), &value(rhs), out),
    }
}
