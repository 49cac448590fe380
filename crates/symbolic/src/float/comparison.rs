//! Comparisons: with a NaN only `is_unordered` holds.

use smt::{Term, Terms};

use super::Format;
use super::parts::{is_nan, is_zero, magnitude, sign};

pub fn is_unordered(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (a, b) = (is_nan(terms, format, a), is_nan(terms, format, b));
    terms.or(a, b)
}

pub fn equal(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (same, zeros) = (terms.equal(a, b), both_zero(terms, format, a, b));
    let equal = terms.or(same, zeros);
    ordered(terms, format, a, b, equal)
}

pub fn less(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let below = below(terms, format, a, b);
    let zeros = both_zero(terms, format, a, b);
    let not = terms.not(zeros);
    let less = terms.and(below, not);
    ordered(terms, format, a, b, less)
}

pub fn less_or_equal(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let greater = below(terms, format, b, a);
    let zeros = both_zero(terms, format, a, b);
    let not = terms.not(greater);
    let less = terms.or(not, zeros);
    ordered(terms, format, a, b, less)
}

/// In the order of encodings, in which a negative zero is below a positive one.
fn below(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (sign_a, sign_b) = (sign(terms, format, a), sign(terms, format, b));
    let (is_less, is_greater) = (terms.less_unsigned(a, b), terms.less_unsigned(b, a));
    // Of two negative floats that with the larger encoding is less.
    let same = terms.choose(sign_a, is_greater, is_less);
    let differ = terms.xor(sign_a, sign_b);
    terms.choose(differ, sign_a, same)
}

fn both_zero(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (a, b) = (magnitude(terms, format, a), magnitude(terms, format, b));
    let all = terms.or(a, b);
    is_zero(terms, all)
}

fn ordered(terms: &mut Terms, format: Format, a: Term, b: Term, holds: Term) -> Term {
    let unordered = is_unordered(terms, format, a, b);
    let not = terms.not(unordered);
    terms.and(holds, not)
}
