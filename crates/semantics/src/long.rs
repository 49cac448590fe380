//! Numbers of any width (`_BitInt`).

use program::{BinaryOp, FloatKind};

use crate::domain::{Domain, Reading, float_width};
use crate::double::Double;
use crate::words::{
    Words, add, complement, cut, divide, is_negative, long_of, magnitude, multiply, negate, order, shift_amount,
    short_of,
};
use crate::{bits, from_int, to_int};

/// Floats have no more than 128 bits.
#[derive(Clone, Copy, Default, Debug)]
pub struct Long;

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
        float_of(to, from_int::converted(reading, value, from, to))
    }
}

fn float_of(kind: FloatKind, encoding: u128) -> Words {
    long_of(encoding, float_width(kind))
}
