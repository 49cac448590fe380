//! Integers of more than 128 bits (`_BitInt`), word by word as on paper. Of any width, so that tests can hold them
//! against the shorter ones.

use std::cmp::Ordering;

use program::{BinaryOp, ICmp};

use super::{Trap, bits};

/// Words, least significant first, as many as the width needs; the bits beyond it zero.
type Long = Vec<u64>;

pub fn binary(op: BinaryOp, width: u64, lhs: &[u64], rhs: &[u64]) -> Result<Long, Trap> {
    let amount = shift_amount(width, rhs);
    let value = match op {
        BinaryOp::Add => add(lhs, rhs, false),
        BinaryOp::Sub => add(lhs, &complement(rhs), true),
        BinaryOp::Mul => multiply(lhs, rhs),
        BinaryOp::UDiv => divide(width, lhs, rhs)?.0,
        BinaryOp::URem => divide(width, lhs, rhs)?.1,
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (lhs_negative, rhs_negative) = (is_negative(width, lhs), is_negative(width, rhs));
            let magnitude = |value: &[u64], negative| if negative { negate(width, value) } else { value.to_vec() };
            let (quotient, remainder) = divide(width, &magnitude(lhs, lhs_negative), &magnitude(rhs, rhs_negative))?;
            let same_sign = lhs_negative == rhs_negative;
            // Only the least value by -1 has a quotient of positive sign that does not fit.
            if same_sign && is_negative(width, &quotient) {
                return Err(Trap::DivideError);
            }
            match op {
                BinaryOp::SDiv => magnitude(&quotient, !same_sign),
                _ => magnitude(&remainder, lhs_negative),
            }
        }
        BinaryOp::Shl => {
            let mut out = vec![0; lhs.len()];
            bits::copy(lhs, 0, &mut out, amount, width - amount);
            out
        }
        BinaryOp::LShr => bits::slice(lhs, amount, lhs.len() as u64 * 64),
        BinaryOp::AShr => sign_extended(width - amount, &bits::slice(lhs, amount, width - amount), width),
        BinaryOp::And => lhs.iter().zip(rhs).map(|(a, b)| a & b).collect(),
        BinaryOp::Or => lhs.iter().zip(rhs).map(|(a, b)| a | b).collect(),
        BinaryOp::Xor => lhs.iter().zip(rhs).map(|(a, b)| a ^ b).collect(),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            unreachable!("{op:?} of an integer is no IR")
        }
    };
    Ok(bits::slice(&value, 0, width))
}

pub fn compare(op: ICmp, width: u64, lhs: &[u64], rhs: &[u64]) -> bool {
    let unsigned = order(lhs, rhs);
    let signed = is_negative(width, rhs).cmp(&is_negative(width, lhs)).then(unsigned);
    match op {
        ICmp::Eq => unsigned.is_eq(),
        ICmp::Ne => unsigned.is_ne(),
        ICmp::Ugt => unsigned.is_gt(),
        ICmp::Uge => unsigned.is_ge(),
        ICmp::Ult => unsigned.is_lt(),
        ICmp::Ule => unsigned.is_le(),
        ICmp::Sgt => signed.is_gt(),
        ICmp::Sge => signed.is_ge(),
        ICmp::Slt => signed.is_lt(),
        ICmp::Sle => signed.is_le(),
    }
}

pub fn is_negative(width: u64, value: &[u64]) -> bool {
    bits::get(value, width - 1, 1) == 1
}

pub fn negate(width: u64, value: &[u64]) -> Long {
    bits::slice(&add(&complement(value), &vec![0; value.len()], true), 0, width)
}

/// A value of one width as one of a larger width.
pub fn sign_extended(width: u64, value: &[u64], to: u64) -> Long {
    let mut out = bits::slice(value, 0, to);
    if is_negative(width, value) {
        bits::copy(&vec![u64::MAX; out.len()], 0, &mut out, width, to - width);
    }
    out
}

fn shift_amount(width: u64, amount: &[u64]) -> u64 {
    let modulus = u128::from(width);
    let remainder = amount.iter().rev().fold(0, |rest: u128, word| ((rest << 64) | u128::from(*word)) % modulus);
    remainder as u64
}

fn complement(value: &[u64]) -> Long {
    value.iter().map(|word| !word).collect()
}

fn add(lhs: &[u64], rhs: &[u64], carry: bool) -> Long {
    let mut carry = u128::from(carry);
    let mut step = |a: &u64, b: &u64| {
        let sum = u128::from(*a) + u128::from(*b) + carry;
        carry = sum >> 64;
        sum as u64
    };
    lhs.iter().zip(rhs).map(|(a, b)| step(a, b)).collect()
}

fn multiply(lhs: &[u64], rhs: &[u64]) -> Long {
    let mut out = vec![0u64; lhs.len()];
    for (i, a) in lhs.iter().enumerate() {
        let mut carry = 0;
        for (j, b) in rhs.iter().enumerate().take(lhs.len() - i) {
            let sum = u128::from(*a) * u128::from(*b) + u128::from(out[i + j]) + carry;
            out[i + j] = sum as u64;
            carry = sum >> 64;
        }
    }
    out
}

/// Quotient and remainder, bit by bit.
fn divide(width: u64, lhs: &[u64], rhs: &[u64]) -> Result<(Long, Long), Trap> {
    if rhs.iter().all(|&word| word == 0) {
        return Err(Trap::DivideError);
    }
    // One word more than the operands, for the bit shifted out of a remainder as large as the divisor allows.
    let divisor = [rhs, &[0]].concat();
    let mut quotient = vec![0; lhs.len()];
    let mut remainder = vec![0; divisor.len()];
    for bit in (0..width).rev() {
        let mut shifted = vec![0; divisor.len()];
        bits::copy(&remainder, 0, &mut shifted, 1, divisor.len() as u64 * 64 - 1);
        bits::put(&mut shifted, 0, 1, bits::get(lhs, bit, 1));
        remainder = shifted;
        if order(&remainder, &divisor).is_ge() {
            remainder = add(&remainder, &complement(&divisor), true);
            bits::put(&mut quotient, bit, 1, 1);
        }
    }
    remainder.pop();
    Ok((quotient, remainder))
}

fn order(lhs: &[u64], rhs: &[u64]) -> Ordering {
    lhs.iter().rev().cmp(rhs.iter().rev())
}
