//! Sums, products and quotients.

use program::BinaryOp;
use smt::{Term, Terms};

use super::Format;
use super::parts::{
    EXPONENT, Parts, constant, fields, infinity, is_infinite, is_nan, is_zero, magnitude, normalized, parts, quieted,
    rounded, shifted_with_rest, sign, signed, zero,
};

/// `None`: there is no term for this operation.
pub fn binary(terms: &mut Terms, format: Format, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let result = match op {
        BinaryOp::FAdd => sum(terms, format, a, b),
        BinaryOp::FSub => {
            let minus = terms.constant(format.width(), format.sign());
            let negative = terms.xor(b, minus);
            sum(terms, format, a, negative)
        }
        BinaryOp::FMul => product(terms, format, a, b),
        BinaryOp::FDiv => quotient(terms, format, a, b),
        _ => return None,
    };
    Some(with_nans(terms, format, a, b, result))
}

/// A NaN among the operands is the result, the first one if both are.
fn with_nans(terms: &mut Terms, format: Format, a: Term, b: Term, result: Term) -> Term {
    let mut result = result;
    for operand in [b, a] {
        let (is_nan, quiet) = (is_nan(terms, format, operand), quieted(terms, format, operand));
        result = terms.choose(is_nan, quiet, result);
    }
    result
}

fn sum(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    /// Bits below the significand: for a half, a quarter, and whatever is less.
    const BELOW: u32 = 3;
    let (of_a, of_b) = (magnitude(terms, format, a), magnitude(terms, format, b));
    let is_less = terms.less_unsigned(of_a, of_b);
    let (large, small) = (terms.choose(is_less, b, a), terms.choose(is_less, a, b));
    let (sign_large, sign_small) = (sign(terms, format, large), sign(terms, format, small));
    let differ = terms.xor(sign_large, sign_small);
    let ((exponent, high), (lower, low)) = (fields(terms, format, large), fields(terms, format, small));
    let below = terms.constant(BELOW, 0);
    let width = format.fraction + 1 + BELOW + 1;
    let widened = |terms: &mut Terms, significand| {
        let all = terms.concat(significand, below);
        terms.zero_extend(all, width)
    };
    let (high, low) = (widened(terms, high), widened(terms, low));
    let distance = terms.subtract(exponent, lower);
    let low = shifted_with_rest(terms, low, distance);
    let (added, subtracted) = (terms.add(high, low), terms.subtract(high, low));
    let significand = terms.choose(differ, subtracted, added);
    let is_nothing = is_zero(terms, significand);
    // The highest bit is one above that of the larger operand.
    let offset = constant(terms, format.bias() - 1);
    let exponent = terms.subtract(exponent, offset);
    let normal = normalized(terms, exponent, significand);
    let rounded = rounded(terms, format, normal);
    let result = signed(terms, format, sign_large, rounded);
    // What cancels is a positive zero; two zeros of one sign keep it.
    let both = terms.and(sign_large, sign_small);
    let nothing = zero(terms, format, both);
    let result = terms.choose(is_nothing, nothing, result);
    let (is_infinite_large, is_infinite_small) = (is_infinite(terms, format, large), is_infinite(terms, format, small));
    let opposed = terms.and(is_infinite_small, differ);
    let invalid = terms.constant(format.width(), format.invalid());
    let infinite = terms.choose(opposed, invalid, large);
    terms.choose(is_infinite_large, infinite, result)
}

fn product(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let negative = signs(terms, format, a, b);
    let (x, y) = (parts(terms, format, a), parts(terms, format, b));
    let width = 2 * (format.fraction + 1);
    let (high, low) = (terms.zero_extend(x.significand, width), terms.zero_extend(y.significand, width));
    let significand = terms.multiply(high, low);
    let (exponent, one) = (terms.add(x.exponent, y.exponent), constant(terms, 1));
    let exponent = terms.add(exponent, one);
    let normal = one_step(terms, exponent, significand);
    let rounded = rounded(terms, format, normal);
    let result = signed(terms, format, negative, rounded);
    let (nothing, unbounded) = (zero(terms, format, negative), infinity(terms, format, negative));
    let (zero_a, zero_b) = (is_nothing(terms, format, a), is_nothing(terms, format, b));
    let (infinite_a, infinite_b) = (is_infinite(terms, format, a), is_infinite(terms, format, b));
    let (any_zero, any_infinite) = (terms.or(zero_a, zero_b), terms.or(infinite_a, infinite_b));
    let invalid = terms.constant(format.width(), format.invalid());
    let infinite = terms.choose(any_zero, invalid, unbounded);
    let finite = terms.choose(any_zero, nothing, result);
    terms.choose(any_infinite, infinite, finite)
}

fn quotient(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    /// Bits below the result's: the quotient of significands may be less than one.
    const BELOW: u32 = 3;
    let negative = signs(terms, format, a, b);
    let (x, y) = (parts(terms, format, a), parts(terms, format, b));
    let more = format.fraction + BELOW;
    let width = format.fraction + 1 + more;
    let nothing_below = terms.constant(more, 0);
    let dividend = terms.concat(x.significand, nothing_below);
    let divisor = terms.zero_extend(y.significand, width);
    let quotient = terms.divide_unsigned(dividend, divisor);
    let remainder = terms.remainder_unsigned(dividend, divisor);
    let is_exact = is_zero(terms, remainder);
    let rest = terms.not(is_exact);
    // It is less than two, and not less than a half.
    let kept = terms.extract(quotient, 0, more + 1);
    let significand = terms.concat(kept, rest);
    let exponent = terms.subtract(x.exponent, y.exponent);
    let normal = one_step(terms, exponent, significand);
    let rounded = rounded(terms, format, normal);
    let result = signed(terms, format, negative, rounded);
    let (nothing, unbounded) = (zero(terms, format, negative), infinity(terms, format, negative));
    let (zero_a, zero_b) = (is_nothing(terms, format, a), is_nothing(terms, format, b));
    let (infinite_a, infinite_b) = (is_infinite(terms, format, a), is_infinite(terms, format, b));
    let (both_zero, both_infinite) = (terms.and(zero_a, zero_b), terms.and(infinite_a, infinite_b));
    let is_invalid = terms.or(both_zero, both_infinite);
    let invalid = terms.constant(format.width(), format.invalid());
    let (vanishes, grows) = (terms.or(zero_a, infinite_b), terms.or(infinite_a, zero_b));
    let result = terms.choose(grows, unbounded, result);
    let result = terms.choose(vanishes, nothing, result);
    terms.choose(is_invalid, invalid, result)
}

fn signs(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (a, b) = (sign(terms, format, a), sign(terms, format, b));
    terms.xor(a, b)
}

fn is_nothing(terms: &mut Terms, format: Format, float: Term) -> Term {
    let magnitude = magnitude(terms, format, float);
    is_zero(terms, magnitude)
}

/// A significand whose highest bit or the one below is set.
fn one_step(terms: &mut Terms, exponent: Term, significand: Term) -> Parts {
    let width = terms.width(significand);
    let is_high = terms.extract(significand, width - 1, 1);
    let low = terms.extract(significand, 0, width - 1);
    let nothing = terms.constant(1, 0);
    let moved = terms.concat(low, nothing);
    let one = terms.constant(EXPONENT, 1);
    let less = terms.subtract(exponent, one);
    Parts { exponent: terms.choose(is_high, exponent, less), significand: terms.choose(is_high, significand, moved) }
}
