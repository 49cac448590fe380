//! The intrinsics of `abi::COMPUTED` on integers, in terms of what a domain has.

use crate::domain::{Domain, Reading};
use crate::operation::{complement, is_zero, least};

use Reading::{Signed, Unsigned};

/// The result, and whether it did not fit. `None`: no such intrinsic.
pub fn with_overflow<D: Domain>(
    d: &D,
    name: &str,
    width: u32,
    a: &D::Value,
    b: &D::Value,
) -> Option<(D::Value, D::Truth)> {
    Some(match name {
        "sadd.with.overflow" => sum(d, Signed, width, a, b),
        "uadd.with.overflow" => sum(d, Unsigned, width, a, b),
        "ssub.with.overflow" => difference(d, Signed, width, a, b),
        "usub.with.overflow" => difference(d, Unsigned, width, a, b),
        "smul.with.overflow" => (d.multiply(width, a, b), d.product_overflows(Signed, width, a, b)),
        "umul.with.overflow" => (d.multiply(width, a, b), d.product_overflows(Unsigned, width, a, b)),
        _ => return None,
    })
}

fn is_negative<D: Domain>(d: &D, width: u32, value: &D::Value) -> D::Truth {
    d.less(Signed, width, value, &d.number(width, 0))
}

fn sum<D: Domain>(d: &D, reading: Reading, width: u32, a: &D::Value, b: &D::Value) -> (D::Value, D::Truth) {
    let sum = d.add(width, a, b);
    let overflows = match reading {
        Unsigned => d.less(Unsigned, width, &sum, a),
        // Both operands have the sign that the sum does not have.
        Signed => {
            let (from_a, from_b) = (d.exclusive_or(width, &sum, a), d.exclusive_or(width, &sum, b));
            is_negative(d, width, &d.and(width, &from_a, &from_b))
        }
    };
    (sum, overflows)
}

fn difference<D: Domain>(d: &D, reading: Reading, width: u32, a: &D::Value, b: &D::Value) -> (D::Value, D::Truth) {
    let difference = d.subtract(width, a, b);
    let overflows = match reading {
        Unsigned => d.less(Unsigned, width, a, b),
        // The operands differ in sign, and so do the first and the difference.
        Signed => {
            let (from_b, from_a) = (d.exclusive_or(width, a, b), d.exclusive_or(width, a, &difference));
            is_negative(d, width, &d.and(width, &from_b, &from_a))
        }
    };
    (difference, overflows)
}

/// `None`: no such intrinsic.
pub fn on_integers<D: Domain>(d: &D, name: &str, width: u32, [a, b, c]: [&D::Value; 3]) -> Option<D::Value> {
    let zero = || d.number(width, 0);
    let smaller = |reading| d.choose(&d.less(reading, width, a, b), a, b);
    let larger = |reading| d.choose(&d.less(reading, width, a, b), b, a);
    // Where it does not fit, the end of the range that it would have passed.
    let saturated = |(value, overflows): (D::Value, D::Truth)| {
        let (least, greatest) = (least(d, width), complement(d, width, &least(d, width)));
        let end = d.choose(&is_negative(d, width, a), &least, &greatest);
        d.choose(&overflows, &end, &value)
    };
    Some(match name {
        "abs" => d.choose(&is_negative(d, width, a), &d.subtract(width, &zero(), a), a),
        "bitreverse" => d.reverse_bits(width, a),
        "bswap" => d.swap_bytes(width, a),
        // Of zero, the width. With `is_zero_poison` set the machine may leave anything; so it must not be set.
        "ctlz" => d.leading_zeros(width, a),
        "cttz" => d.trailing_zeros(width, a),
        "ctpop" => d.count_ones(width, a),
        "fshl" => funnel(d, width, c, |amount, rest| {
            (a, d.shift_left(width, a, amount), d.shift_right(Unsigned, width, b, rest))
        }),
        "fshr" => funnel(d, width, c, |amount, rest| {
            (b, d.shift_right(Unsigned, width, b, amount), d.shift_left(width, a, rest))
        }),
        "smax" => larger(Signed),
        "smin" => smaller(Signed),
        "umax" => larger(Unsigned),
        "umin" => smaller(Unsigned),
        "sadd.sat" => saturated(sum(d, Signed, width, a, b)),
        "ssub.sat" => saturated(difference(d, Signed, width, a, b)),
        "uadd.sat" => {
            let (value, overflows) = sum(d, Unsigned, width, a, b);
            d.choose(&overflows, &complement(d, width, &zero()), &value)
        }
        "usub.sat" => {
            let (value, overflows) = difference(d, Unsigned, width, a, b);
            d.choose(&overflows, &zero(), &value)
        }
        "ptrmask" => d.and(width, a, b),
        _ => return None,
    })
}

/// A shift of two values side by side, by the amount modulo the width. `parts` gives the value that is not shifted out of,
/// and both parts of the result.
fn funnel<'v, D: Domain>(
    d: &D,
    width: u32,
    amount: &D::Value,
    parts: impl FnOnce(&D::Value, &D::Value) -> (&'v D::Value, D::Value, D::Value),
) -> D::Value
where
    D::Value: 'v,
{
    let modulus = d.number(width, u64::from(width));
    let amount = d.remainder(Unsigned, width, amount, &modulus);
    let rest = d.subtract(width, &modulus, &amount);
    let (unshifted, high, low) = parts(&amount, &rest);
    d.choose(&is_zero(d, width, &amount), unshifted, &d.or(width, &high, &low))
}
