//! Integers of any width, word by word as on paper.

use std::cmp::Ordering;

use crate::bits;
use crate::domain::Reading;

/// Least significant first, as many as the width needs; the bits beyond it are zero.
pub type Words = Vec<u64>;

pub fn long_of(value: u128, width: u32) -> Words {
    cut(width, &[value as u64, (value >> 64) as u64])
}

/// The lowest 128 bits.
pub fn short_of(value: &[u64]) -> u128 {
    bits::get(value, 0, 128)
}

pub fn cut(width: u32, value: &[u64]) -> Words {
    bits::slice(value, 0, width.into())
}

pub fn is_negative(reading: Reading, width: u32, value: &[u64]) -> bool {
    reading == Reading::Signed && bits::get(value, u64::from(width) - 1, 1) == 1
}

pub fn negate(width: u32, value: &[u64]) -> Words {
    cut(width, &add(&complement(value), &vec![0; value.len()], true))
}

pub fn magnitude(reading: Reading, width: u32, value: &[u64]) -> Words {
    if is_negative(reading, width, value) { negate(width, value) } else { value.to_vec() }
}

/// Larger amounts are masked before the IR is saved, so the remainder only keeps shifts total.
pub fn shift_amount(width: u32, amount: &[u64]) -> u64 {
    let modulus = u128::from(width);
    let remainder = amount.iter().rev().fold(0, |rest: u128, word| ((rest << 64) | u128::from(*word)) % modulus);
    remainder as u64
}

pub fn complement(value: &[u64]) -> Words {
    value.iter().map(|word| !word).collect()
}

pub fn add(lhs: &[u64], rhs: &[u64], carry: bool) -> Words {
    let mut carry = u128::from(carry);
    let mut step = |a: &u64, b: &u64| {
        let sum = u128::from(*a) + u128::from(*b) + carry;
        carry = sum >> 64;
        sum as u64
    };
    lhs.iter().zip(rhs).map(|(a, b)| step(a, b)).collect()
}

pub fn multiply(lhs: &[u64], rhs: &[u64], words: usize) -> Words {
    let mut out = vec![0u64; words];
    for (i, a) in lhs.iter().enumerate() {
        let mut carry = 0;
        for (j, b) in rhs.iter().enumerate().take(words - i) {
            let sum = u128::from(*a) * u128::from(*b) + u128::from(out[i + j]) + carry;
            out[i + j] = sum as u64;
            carry = sum >> 64;
        }
    }
    out
}

/// Quotient and remainder, bit by bit; zeros for a division by zero.
pub fn divide(width: u32, lhs: &[u64], rhs: &[u64]) -> (Words, Words) {
    if rhs.iter().all(|&word| word == 0) {
        return (vec![0; lhs.len()], vec![0; lhs.len()]);
    }
    // One word more than the operands, for the bit shifted out of a remainder as large as the divisor allows.
    let divisor = [rhs, &[0]].concat();
    let mut quotient = vec![0; lhs.len()];
    let mut remainder = vec![0; divisor.len()];
    for bit in (0..u64::from(width)).rev() {
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
    (quotient, remainder)
}

pub fn order(lhs: &[u64], rhs: &[u64]) -> Ordering {
    lhs.iter().rev().cmp(rhs.iter().rev())
}
