//! Integers and pointers of up to 128 bits, held in a `u128` with the bits beyond the width zero.

use program::{BinaryOp, ICmp};

use super::Trap;
use super::bits::mask;

pub fn binary(op: BinaryOp, width: u64, lhs: u128, rhs: u128) -> Result<u128, Trap> {
    let (signed_lhs, signed_rhs) = (signed(width, lhs), signed(width, rhs));
    // Larger amounts are masked before the IR is saved, so the remainder only keeps this function total.
    let amount = (rhs % u128::from(width)) as u32;
    let value = match op {
        BinaryOp::Add => lhs.wrapping_add(rhs),
        BinaryOp::Sub => lhs.wrapping_sub(rhs),
        BinaryOp::Mul => lhs.wrapping_mul(rhs),
        BinaryOp::UDiv => lhs.checked_div(rhs).ok_or(Trap::DivideError)?,
        BinaryOp::URem => lhs.checked_rem(rhs).ok_or(Trap::DivideError)?,
        BinaryOp::SDiv | BinaryOp::SRem => {
            if rhs == 0 || (signed_lhs == least(width) && signed_rhs == -1) {
                return Err(Trap::DivideError);
            }
            match op {
                BinaryOp::SDiv => (signed_lhs / signed_rhs) as u128,
                _ => (signed_lhs % signed_rhs) as u128,
            }
        }
        BinaryOp::Shl => lhs << amount,
        BinaryOp::LShr => lhs >> amount,
        BinaryOp::AShr => (signed_lhs >> amount) as u128,
        BinaryOp::And => lhs & rhs,
        BinaryOp::Or => lhs | rhs,
        BinaryOp::Xor => lhs ^ rhs,
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            unreachable!("{op:?} of an integer is no IR")
        }
    };
    Ok(value & mask(width))
}

pub fn compare(op: ICmp, width: u64, lhs: u128, rhs: u128) -> bool {
    let (signed_lhs, signed_rhs) = (signed(width, lhs), signed(width, rhs));
    match op {
        ICmp::Eq => lhs == rhs,
        ICmp::Ne => lhs != rhs,
        ICmp::Ugt => lhs > rhs,
        ICmp::Uge => lhs >= rhs,
        ICmp::Ult => lhs < rhs,
        ICmp::Ule => lhs <= rhs,
        ICmp::Sgt => signed_lhs > signed_rhs,
        ICmp::Sge => signed_lhs >= signed_rhs,
        ICmp::Slt => signed_lhs < signed_rhs,
        ICmp::Sle => signed_lhs <= signed_rhs,
    }
}

/// The value with its sign bit spread.
pub fn signed(width: u64, value: u128) -> i128 {
    let unused = 128 - width;
    if unused >= 128 {
        return 0;
    }
    (value << unused) as i128 >> unused
}

/// The least signed value of a width.
pub fn least(width: u64) -> i128 {
    i128::MIN >> (128 - width)
}

/// The greatest signed value of a width.
pub fn greatest(width: u64) -> i128 {
    i128::MAX >> (128 - width)
}
