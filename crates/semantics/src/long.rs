//! Integers of any width (`_BitInt`), word by word as on paper.

use std::cmp::Ordering;

use program::{BinaryOp, FloatKind};

use crate::domain::{Domain, Reading, float_width};
use crate::double::Double;
use crate::{bits, float, to_int};

/// Words, least significant first, as many as the width needs; the bits beyond it zero. Floats have no more than 128 bits.
#[derive(Clone, Copy, Default, Debug)]
pub struct Long;

type Words = Vec<u64>;

impl Domain for Long {
    type Value = Words;
    type Truth = bool;

    fn number(&self, width: u32, value: u64) -> Words {
        bits::slice(&[value], 0, width.into())
    }

    fn truth(&self, holds: bool) -> bool {
        holds
    }

    fn both(&self, a: &bool, b: &bool) -> bool {
        *a && *b
    }

    fn either(&self, a: &bool, b: &bool) -> bool {
        *a || *b
    }

    fn not(&self, a: &bool) -> bool {
        !a
    }

    fn choose(&self, holds: &bool, then: &Words, otherwise: &Words) -> Words {
        if *holds { then.clone() } else { otherwise.clone() }
    }

    fn add(&self, width: u32, a: &Words, b: &Words) -> Words {
        cut(width, &add(a, b, false))
    }

    fn subtract(&self, width: u32, a: &Words, b: &Words) -> Words {
        cut(width, &add(a, &complement(b), true))
    }

    fn multiply(&self, width: u32, a: &Words, b: &Words) -> Words {
        cut(width, &multiply(a, b, a.len()))
    }

    fn divide(&self, reading: Reading, width: u32, a: &Words, b: &Words) -> Words {
        let quotient = divide(width, &magnitude(reading, width, a), &magnitude(reading, width, b)).0;
        if is_negative(reading, width, a) == is_negative(reading, width, b) {
            quotient
        } else {
            negate(width, &quotient)
        }
    }

    fn remainder(&self, reading: Reading, width: u32, a: &Words, b: &Words) -> Words {
        let remainder = divide(width, &magnitude(reading, width, a), &magnitude(reading, width, b)).1;
        if is_negative(reading, width, a) { negate(width, &remainder) } else { remainder }
    }

    fn product_overflows(&self, reading: Reading, width: u32, a: &Words, b: &Words) -> bool {
        // In twice the width nothing is lost.
        let double = width * 2;
        let (a, b) = (self.widen(reading, width, double, a), self.widen(reading, width, double, b));
        let product = self.multiply(double, &a, &b);
        self.widen(reading, width, double, &cut(width, &product)) != product
    }

    fn shift_left(&self, width: u32, a: &Words, amount: &Words) -> Words {
        let amount = shift_amount(width, amount);
        let mut out = vec![0; a.len()];
        bits::copy(a, 0, &mut out, amount, u64::from(width) - amount);
        out
    }

    fn shift_right(&self, reading: Reading, width: u32, a: &Words, amount: &Words) -> Words {
        let amount = shift_amount(width, amount);
        let left = u64::from(width) - amount;
        self.widen(reading, left as u32, width, &bits::slice(a, amount, left))
    }

    fn and(&self, _width: u32, a: &Words, b: &Words) -> Words {
        a.iter().zip(b).map(|(a, b)| a & b).collect()
    }

    fn or(&self, _width: u32, a: &Words, b: &Words) -> Words {
        a.iter().zip(b).map(|(a, b)| a | b).collect()
    }

    fn exclusive_or(&self, _width: u32, a: &Words, b: &Words) -> Words {
        a.iter().zip(b).map(|(a, b)| a ^ b).collect()
    }

    fn equal(&self, _width: u32, a: &Words, b: &Words) -> bool {
        a == b
    }

    fn less(&self, reading: Reading, width: u32, a: &Words, b: &Words) -> bool {
        is_negative(reading, width, b).cmp(&is_negative(reading, width, a)).then(order(a, b)).is_lt()
    }

    fn cut(&self, _from: u32, to: u32, value: &Words) -> Words {
        cut(to, value)
    }

    fn widen(&self, reading: Reading, from: u32, to: u32, value: &Words) -> Words {
        let mut out = cut(to, value);
        if is_negative(reading, from, value) {
            bits::copy(&vec![u64::MAX; out.len()], 0, &mut out, from.into(), (to - from).into());
        }
        out
    }

    fn float_binary(&self, op: BinaryOp, kind: FloatKind, a: &Words, b: &Words) -> Words {
        float_of(kind, Double.float_binary(op, kind, &short_of(a), &short_of(b)))
    }

    fn float_equal(&self, kind: FloatKind, a: &Words, b: &Words) -> bool {
        Double.float_equal(kind, &short_of(a), &short_of(b))
    }

    fn float_less(&self, kind: FloatKind, a: &Words, b: &Words) -> bool {
        Double.float_less(kind, &short_of(a), &short_of(b))
    }

    fn float_less_or_equal(&self, kind: FloatKind, a: &Words, b: &Words) -> bool {
        Double.float_less_or_equal(kind, &short_of(a), &short_of(b))
    }

    fn float_unordered(&self, kind: FloatKind, a: &Words, b: &Words) -> bool {
        Double.float_unordered(kind, &short_of(a), &short_of(b))
    }

    fn float_convert(&self, from: FloatKind, to: FloatKind, value: &Words) -> Words {
        float_of(to, Double.float_convert(from, to, &short_of(value)))
    }

    fn float_to_integer(&self, reading: Reading, from: FloatKind, to: u32, value: &Words) -> Words {
        cut(to, &to_int::converted(reading, from, short_of(value), to.into()))
    }

    fn integer_to_float(&self, reading: Reading, from: u32, to: FloatKind, value: &Words) -> Words {
        let is_negative = is_negative(reading, from, value);
        float_of(to, rounded(to, is_negative, &magnitude(reading, from, value)))
    }
}

pub fn long_of(value: u128, width: u32) -> Words {
    cut(width, &[value as u64, (value >> 64) as u64])
}

/// The lowest 128 bits.
pub fn short_of(value: &[u64]) -> u128 {
    bits::get(value, 0, 128)
}

fn float_of(kind: FloatKind, encoding: u128) -> Words {
    long_of(encoding, float_width(kind))
}

fn cut(width: u32, value: &[u64]) -> Words {
    bits::slice(value, 0, width.into())
}

fn is_negative(reading: Reading, width: u32, value: &[u64]) -> bool {
    reading == Reading::Signed && bits::get(value, u64::from(width) - 1, 1) == 1
}

pub fn negate(width: u32, value: &[u64]) -> Words {
    cut(width, &add(&complement(value), &vec![0; value.len()], true))
}

fn magnitude(reading: Reading, width: u32, value: &[u64]) -> Words {
    if is_negative(reading, width, value) { negate(width, value) } else { value.to_vec() }
}

/// An integer as a float. Half and bfloat are reached through single precision, as LLVM does: rounded twice.
fn rounded(kind: FloatKind, is_negative: bool, magnitude: &[u64]) -> u128 {
    if let FloatKind::Half | FloatKind::BFloat = kind {
        return float::convert(FloatKind::Single, kind, rounded(FloatKind::Single, is_negative, magnitude));
    }
    // The upper 128 bits decide, and whether any bit below them is set: no format keeps more than 113.
    let length = magnitude.len() as u64 * 64;
    let used = (0..length).rev().find(|&bit| bits::get(magnitude, bit, 1) == 1).map_or(0, |bit| bit + 1);
    let dropped = used.saturating_sub(128);
    let sticky = (0..dropped).any(|bit| bits::get(magnitude, bit, 1) == 1);
    let significand = bits::get(magnitude, dropped, 128) | u128::from(sticky);
    float::from_integer(kind, is_negative, significand, dropped)
}

/// Larger amounts are masked before the IR is saved, so the remainder only keeps shifts total.
fn shift_amount(width: u32, amount: &[u64]) -> u64 {
    let modulus = u128::from(width);
    let remainder = amount.iter().rev().fold(0, |rest: u128, word| ((rest << 64) | u128::from(*word)) % modulus);
    remainder as u64
}

fn complement(value: &[u64]) -> Words {
    value.iter().map(|word| !word).collect()
}

fn add(lhs: &[u64], rhs: &[u64], carry: bool) -> Words {
    let mut carry = u128::from(carry);
    let mut step = |a: &u64, b: &u64| {
        let sum = u128::from(*a) + u128::from(*b) + carry;
        carry = sum >> 64;
        sum as u64
    };
    lhs.iter().zip(rhs).map(|(a, b)| step(a, b)).collect()
}

fn multiply(lhs: &[u64], rhs: &[u64], words: usize) -> Words {
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
fn divide(width: u32, lhs: &[u64], rhs: &[u64]) -> (Words, Words) {
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

fn order(lhs: &[u64], rhs: &[u64]) -> Ordering {
    lhs.iter().rev().cmp(rhs.iter().rev())
}
