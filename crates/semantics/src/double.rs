//! Numbers of up to 128 bits, plainly.

use std::cmp::Ordering;

use program::{BinaryOp, FloatKind};

use crate::bits::{greatest, least, mask};
use crate::domain::{Domain, Reading};
use crate::words::{long_of, short_of};
use crate::{float, from_int, to_int};

#[derive(Clone, Copy, Default, Debug)]
pub struct Double;

impl Domain for Double {
    type Value = u128;
    type Truth = bool;

    fn number(&self, width: u32, value: u64) -> u128 {
        u128::from(value) & mask(width.into())
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

    fn choose(&self, holds: &bool, then: &u128, otherwise: &u128) -> u128 {
        if *holds { *then } else { *otherwise }
    }

    fn add(&self, width: u32, a: &u128, b: &u128) -> u128 {
        a.wrapping_add(*b) & mask(width.into())
    }

    fn subtract(&self, width: u32, a: &u128, b: &u128) -> u128 {
        a.wrapping_sub(*b) & mask(width.into())
    }

    fn multiply(&self, width: u32, a: &u128, b: &u128) -> u128 {
        a.wrapping_mul(*b) & mask(width.into())
    }

    fn divide(&self, reading: Reading, width: u32, a: &u128, b: &u128) -> u128 {
        match (reading, *b) {
            (_, 0) => 0,
            (Reading::Unsigned, b) => a / b,
            (Reading::Signed, b) => signed(width, *a).wrapping_div(signed(width, b)) as u128 & mask(width.into()),
        }
    }

    fn remainder(&self, reading: Reading, width: u32, a: &u128, b: &u128) -> u128 {
        match (reading, *b) {
            (_, 0) => 0,
            (Reading::Unsigned, b) => a % b,
            (Reading::Signed, b) => signed(width, *a).wrapping_rem(signed(width, b)) as u128 & mask(width.into()),
        }
    }

    fn product_overflows(&self, reading: Reading, width: u32, a: &u128, b: &u128) -> bool {
        match reading {
            Reading::Unsigned => a.checked_mul(*b).is_none_or(|product| product > mask(width.into())),
            Reading::Signed => {
                let product = signed(width, *a).checked_mul(signed(width, *b));
                product.is_none_or(|product| product < least(width) || product > greatest(width))
            }
        }
    }

    fn shift_left(&self, width: u32, a: &u128, amount: &u128) -> u128 {
        (a << amount_within(width, *amount)) & mask(width.into())
    }

    fn shift_right(&self, reading: Reading, width: u32, a: &u128, amount: &u128) -> u128 {
        let amount = amount_within(width, *amount);
        match reading {
            Reading::Unsigned => a >> amount,
            Reading::Signed => (signed(width, *a) >> amount) as u128 & mask(width.into()),
        }
    }

    fn and(&self, _width: u32, a: &u128, b: &u128) -> u128 {
        a & b
    }

    fn or(&self, _width: u32, a: &u128, b: &u128) -> u128 {
        a | b
    }

    fn exclusive_or(&self, _width: u32, a: &u128, b: &u128) -> u128 {
        a ^ b
    }

    fn equal(&self, _width: u32, a: &u128, b: &u128) -> bool {
        a == b
    }

    fn less(&self, reading: Reading, width: u32, a: &u128, b: &u128) -> bool {
        match reading {
            Reading::Unsigned => a < b,
            Reading::Signed => signed(width, *a) < signed(width, *b),
        }
    }

    fn cut(&self, _from: u32, to: u32, value: &u128) -> u128 {
        value & mask(to.into())
    }

    fn widen(&self, reading: Reading, from: u32, to: u32, value: &u128) -> u128 {
        match reading {
            Reading::Unsigned => *value,
            Reading::Signed => signed(from, *value) as u128 & mask(to.into()),
        }
    }

    fn float_binary(&self, op: BinaryOp, kind: FloatKind, a: &u128, b: &u128) -> u128 {
        float::binary(op, kind, *a, *b)
    }

    fn float_equal(&self, kind: FloatKind, a: &u128, b: &u128) -> bool {
        float::order(kind, *a, *b) == Some(Ordering::Equal)
    }

    fn float_less(&self, kind: FloatKind, a: &u128, b: &u128) -> bool {
        float::order(kind, *a, *b) == Some(Ordering::Less)
    }

    fn float_less_or_equal(&self, kind: FloatKind, a: &u128, b: &u128) -> bool {
        matches!(float::order(kind, *a, *b), Some(Ordering::Less | Ordering::Equal))
    }

    fn float_unordered(&self, kind: FloatKind, a: &u128, b: &u128) -> bool {
        float::order(kind, *a, *b).is_none()
    }

    fn float_convert(&self, from: FloatKind, to: FloatKind, value: &u128) -> u128 {
        float::convert(from, to, *value)
    }

    fn float_to_integer(&self, reading: Reading, from: FloatKind, to: u32, value: &u128) -> u128 {
        short_of(&to_int::converted(reading, from, *value, to.into())) & mask(to.into())
    }

    fn integer_to_float(&self, reading: Reading, from: u32, to: FloatKind, value: &u128) -> u128 {
        from_int::converted(reading, &long_of(*value, from), from, to)
    }

    fn count_ones(&self, _width: u32, a: &u128) -> u128 {
        a.count_ones().into()
    }

    fn leading_zeros(&self, width: u32, a: &u128) -> u128 {
        u128::from(a.leading_zeros() + width - 128)
    }

    fn trailing_zeros(&self, width: u32, a: &u128) -> u128 {
        a.trailing_zeros().min(width).into()
    }

    fn reverse_bits(&self, width: u32, a: &u128) -> u128 {
        a.reverse_bits() >> (128 - width)
    }

    fn swap_bytes(&self, width: u32, a: &u128) -> u128 {
        a.swap_bytes() >> (128 - width)
    }
}

/// Larger amounts are masked before the IR is saved, so the remainder only keeps shifts total.
fn amount_within(width: u32, amount: u128) -> u32 {
    (amount % u128::from(width)) as u32
}

/// The value with its sign bit spread.
fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    if unused >= 128 {
        return 0;
    }
    (value << unused) as i128 >> unused
}
