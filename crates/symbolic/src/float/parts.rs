//! Encodings taken apart, and put together again with rounding.

use smt::{Term, Terms};

use super::Format;

/// Bits of exponents in between: enough for products of subnormals.
pub(super) const EXPONENT: u32 = 16;

/// A float that is finite and not zero: `significand` times two to the power of `exponent`, where the point stands behind the
/// significand's highest bit, which is set.
pub(super) struct Parts {
    pub exponent: Term,
    pub significand: Term,
}

pub(super) fn constant(terms: &mut Terms, value: i64) -> Term {
    terms.constant(EXPONENT, u128::from(value as u16))
}

pub(super) fn is_zero(terms: &mut Terms, term: Term) -> Term {
    let zero = terms.constant(terms.width(term), 0);
    terms.equal(term, zero)
}

pub(super) fn sign(terms: &mut Terms, format: Format, float: Term) -> Term {
    terms.extract(float, format.width() - 1, 1)
}

/// Without its sign, of the same width.
pub(super) fn magnitude(terms: &mut Terms, format: Format, float: Term) -> Term {
    let rest = terms.extract(float, 0, format.width() - 1);
    terms.zero_extend(rest, format.width())
}

pub(super) fn is_nan(terms: &mut Terms, format: Format, float: Term) -> Term {
    let magnitude = magnitude(terms, format, float);
    let infinity = terms.constant(format.width(), format.infinity());
    terms.less_unsigned(infinity, magnitude)
}

pub(super) fn is_infinite(terms: &mut Terms, format: Format, float: Term) -> Term {
    let magnitude = magnitude(terms, format, float);
    let infinity = terms.constant(format.width(), format.infinity());
    terms.equal(magnitude, infinity)
}

pub(super) fn quieted(terms: &mut Terms, format: Format, nan: Term) -> Term {
    let quiet = terms.constant(format.width(), format.quiet());
    terms.or(nan, quiet)
}

/// An encoding with this sign.
pub(super) fn signed(terms: &mut Terms, format: Format, sign: Term, magnitude: Term) -> Term {
    let rest = terms.extract(magnitude, 0, format.width() - 1);
    terms.concat(sign, rest)
}

pub(super) fn infinity(terms: &mut Terms, format: Format, sign: Term) -> Term {
    let magnitude = terms.constant(format.width(), format.infinity());
    signed(terms, format, sign, magnitude)
}

pub(super) fn zero(terms: &mut Terms, format: Format, sign: Term) -> Term {
    let magnitude = terms.constant(format.width(), 0);
    signed(terms, format, sign, magnitude)
}

/// The exponent as encoded, and the significand with its highest bit, which is zero of a subnormal float. That has the
/// exponent 1, as the smallest of the others.
pub(super) fn fields(terms: &mut Terms, format: Format, float: Term) -> (Term, Term) {
    let exponent = terms.extract(float, format.fraction, format.exponent);
    let fraction = terms.extract(float, 0, format.fraction);
    let is_subnormal = is_zero(terms, exponent);
    let highest = terms.not(is_subnormal);
    let significand = terms.concat(highest, fraction);
    let exponent = terms.zero_extend(exponent, EXPONENT);
    let one = constant(terms, 1);
    (terms.choose(is_subnormal, one, exponent), significand)
}

/// Of a float that is finite and not zero.
pub(super) fn parts(terms: &mut Terms, format: Format, float: Term) -> Parts {
    let (exponent, significand) = fields(terms, format, float);
    let bias = constant(terms, format.bias());
    let exponent = terms.subtract(exponent, bias);
    normalized(terms, exponent, significand)
}

/// Shifts a significand until its highest bit is set; of zero it is not.
pub(super) fn normalized(terms: &mut Terms, exponent: Term, significand: Term) -> Parts {
    let width = terms.width(significand);
    let (mut exponent, mut significand) = (exponent, significand);
    for step in (0..width.next_power_of_two().ilog2()).rev().map(|bit| 1 << bit).filter(|step| *step < width) {
        let high = terms.extract(significand, width - step, step);
        let is_clear = is_zero(terms, high);
        let low = terms.extract(significand, 0, width - step);
        let nothing = terms.constant(step, 0);
        let moved = terms.concat(low, nothing);
        significand = terms.choose(is_clear, moved, significand);
        let step = constant(terms, step.into());
        let less = terms.subtract(exponent, step);
        exponent = terms.choose(is_clear, less, exponent);
    }
    Parts { exponent, significand }
}

/// Shifts to the right; bits that fall out are remembered in the lowest one.
pub(super) fn shifted_with_rest(terms: &mut Terms, significand: Term, by: Term) -> Term {
    let width = terms.width(significand);
    let amount = if width < EXPONENT {
        let limit = terms.constant(EXPONENT, width.into());
        let is_less = terms.less_unsigned(by, limit);
        let by = terms.choose(is_less, by, limit);
        terms.extract(by, 0, width)
    } else {
        terms.zero_extend(by, width)
    };
    let shifted = terms.shift_right_logical(significand, amount);
    let back = terms.shift_left(shifted, amount);
    let is_exact = terms.equal(back, significand);
    let rest = terms.not(is_exact);
    let rest = terms.zero_extend(rest, width);
    terms.or(shifted, rest)
}

/// The encoding, without a sign, of what is nearest. The significand has its highest bit set, and more bits than the format.
pub(super) fn rounded(terms: &mut Terms, format: Format, parts: Parts) -> Term {
    let Parts { exponent, significand } = parts;
    let width = terms.width(significand);
    let (bias, one) = (constant(terms, format.bias()), constant(terms, 1));
    let exponent = terms.add(exponent, bias);
    // Below the smallest exponent the significand is moved to that one.
    let is_subnormal = terms.less_signed(exponent, one);
    let missing = terms.subtract(one, exponent);
    let nothing = constant(terms, 0);
    let missing = terms.choose(is_subnormal, missing, nothing);
    let significand = shifted_with_rest(terms, significand, missing);
    let kept = terms.extract(significand, width - 1 - format.fraction, format.fraction + 1);
    let dropped = width - 1 - format.fraction;
    let half = terms.extract(significand, dropped - 1, 1);
    let is_more = match dropped {
        1 => terms.constant(1, 0),
        _ => {
            let rest = terms.extract(significand, 0, dropped - 1);
            let is_clear = is_zero(terms, rest);
            terms.not(is_clear)
        }
    };
    let is_odd = terms.extract(kept, 0, 1);
    let tie = terms.or(is_more, is_odd);
    let up = terms.and(half, tie);
    // The highest bit of the significand adds one to the exponent, and so does one that rounding carries there.
    let field = terms.subtract(exponent, one);
    let field = terms.choose(is_subnormal, nothing, field);
    let width = format.width();
    let field = terms.extract(field, 0, format.exponent);
    let empty = terms.constant(format.fraction, 0);
    let field = terms.concat(field, empty);
    let field = terms.zero_extend(field, width);
    let kept = terms.zero_extend(kept, width);
    let up = terms.zero_extend(up, width);
    let sum = terms.add(field, kept);
    let sum = terms.add(sum, up);
    let most = constant(terms, (1 << format.exponent) - 2);
    let is_too_large = terms.less_signed(most, exponent);
    let infinity = terms.constant(width, format.infinity());
    terms.choose(is_too_large, infinity, sum)
}
