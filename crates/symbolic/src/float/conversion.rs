//! Conversions between floats, and of floats to integers and back.

use semantics::Reading;
use smt::{Term, Terms};

use super::Format;
use super::parts::{
    EXPONENT, Parts, constant, infinity, is_infinite, is_nan, is_zero, magnitude, normalized, parts, rounded, sign,
    signed, zero,
};

/// Bits of a significand: more than any format has.
const ROOM: u32 = 64;

/// The same float in another format, rounded if that is narrower.
pub fn between(terms: &mut Terms, from: Format, to: Format, float: Term) -> Term {
    if from == to {
        return float;
    }
    let negative = sign(terms, from, float);
    let Parts { exponent, significand } = parts(terms, from, float);
    let significand = filled(terms, significand, ROOM);
    let rounded = rounded(terms, to, Parts { exponent, significand });
    let result = signed(terms, to, negative, rounded);
    let of_float = magnitude(terms, from, float);
    let (is_nothing, is_unbounded) = (is_zero(terms, of_float), is_infinite(terms, from, float));
    let (nothing, unbounded) = (zero(terms, to, negative), infinity(terms, to, negative));
    let result = terms.choose(is_nothing, nothing, result);
    let result = terms.choose(is_unbounded, unbounded, result);
    // A NaN keeps the highest bits of its fraction.
    let fraction = terms.extract(float, 0, from.fraction);
    let fraction = match from.fraction < to.fraction {
        true => filled(terms, fraction, to.fraction),
        false => terms.extract(fraction, from.fraction - to.fraction, to.fraction),
    };
    let fraction = terms.zero_extend(fraction, to.width());
    let quiet = terms.constant(to.width(), to.infinity() | to.quiet());
    let nan = terms.or(fraction, quiet);
    let nan = signed(terms, to, negative, nan);
    let is_nan = is_nan(terms, from, float);
    terms.choose(is_nan, nan, result)
}

/// Zeros below.
fn filled(terms: &mut Terms, term: Term, width: u32) -> Term {
    let missing = width - terms.width(term);
    let nothing = terms.constant(missing, 0);
    terms.concat(term, nothing)
}

/// `None`: an integer of more than 64 bits.
pub fn from_integer(terms: &mut Terms, reading: Reading, to: Format, integer: Term) -> Option<Term> {
    let width = terms.width(integer);
    if width > ROOM {
        return None;
    }
    let negative = match reading {
        Reading::Signed => terms.extract(integer, width - 1, 1),
        Reading::Unsigned => terms.constant(1, 0),
    };
    let nothing = terms.constant(width, 0);
    let minus = terms.subtract(nothing, integer);
    let absolute = terms.choose(negative, minus, integer);
    let is_nothing = is_zero(terms, absolute);
    // The highest bit that there may be stands for this power of two; an integer of few bits is never rounded.
    let significand = if width < ROOM { filled(terms, absolute, ROOM) } else { absolute };
    let exponent = constant(terms, i64::from(width) - 1);
    let normal = normalized(terms, exponent, significand);
    let rounded = rounded(terms, to, normal);
    let result = signed(terms, to, negative, rounded);
    let none = terms.constant(1, 0);
    let zero = zero(terms, to, none);
    Some(terms.choose(is_nothing, zero, result))
}

/// As the instructions do that LLVM chooses, also where the value does not fit. `None`: an integer of more than 64 bits, or
/// one of 64 without a sign.
pub fn to_integer(terms: &mut Terms, reading: Reading, from: Format, to: u32, float: Term) -> Option<Term> {
    // A larger conversion with a sign holds them all.
    let through = match (reading, to) {
        (Reading::Signed, ..=32) | (Reading::Unsigned, ..=16) => 32,
        (Reading::Signed, ..=64) | (Reading::Unsigned, ..=32) => 64,
        _ => return None,
    };
    let negative = sign(terms, from, float);
    let Parts { exponent, significand } = parts(terms, from, float);
    // Its bits before the point, with room for all that fit.
    let significand = if from.fraction + 1 < ROOM { filled(terms, significand, ROOM) } else { significand };
    let highest = constant(terms, i64::from(ROOM) - 1);
    let distance = terms.subtract(highest, exponent);
    let zero = constant(terms, 0);
    let is_below_one = terms.less_signed(exponent, zero);
    let distance = terms.extract(distance, 0, EXPONENT);
    let amount = terms.zero_extend(distance, ROOM);
    let whole = terms.shift_right_logical(significand, amount);
    let nothing = terms.constant(ROOM, 0);
    let whole = terms.choose(is_below_one, nothing, whole);
    let of_float = magnitude(terms, from, float);
    let is_nothing = is_zero(terms, of_float);
    let whole = terms.choose(is_nothing, nothing, whole);
    // It fits: less than the limit, or the least there is. NaNs and infinities have the greatest exponent.
    let limit = constant(terms, i64::from(through) - 1);
    let is_small = terms.less_signed(exponent, limit);
    let least = terms.constant(ROOM, 1 << (through - 1));
    let is_least = terms.equal(whole, least);
    let is_at_limit = terms.equal(exponent, limit);
    let is_least = terms.and(is_least, is_at_limit);
    let is_least = terms.and(is_least, negative);
    let fits = terms.or(is_small, is_least);
    let fits = terms.or(fits, is_nothing);
    let minus = terms.subtract(nothing, whole);
    let value = terms.choose(negative, minus, whole);
    let value = terms.choose(fits, value, least);
    Some(terms.extract(value, 0, to))
}
