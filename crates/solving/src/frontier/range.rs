//! Which other values of an assignment would do: all between two, around one that was found, as a solver says for one path.

use program::Type;
use smt::{Answer, Query, Solver, Term, Terms};
use symbolic::{Shadowed, Stated};

/// Both ends are in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub ty: Type,
    pub least: u64,
    pub most: u64,
}

/// Values around this one under which the path is the same and the failure does not occur. Numbers are taken as signed.
pub fn around(
    shadowed: &Shadowed,
    stated: Stated,
    symbol: Term,
    value: u64,
    ty: &Type,
    limits: &smt::Limits,
) -> Option<Range> {
    let &Type::Int(bits @ 2..=64) = ty else { return None };
    let before = &shadowed.path.conditions[..stated.before.min(shadowed.path.conditions.len())];
    let mut all: Vec<Term> = before.iter().map(|condition| condition.holds).collect();
    all.push(stated.holds);
    let number = |word: u64| ((word << (64 - bits)) as i64) >> (64 - bits);
    let word = |number: i64| (number as u64) & (u64::MAX >> (64 - bits));
    shadowed.domain.with(|terms| {
        let wanted = terms.all(&all);
        let is_wrong = terms.not(wanted);
        let mut solver = Solver::new();
        // Whether all values between two will do.
        let mut will_do = |terms: &mut Terms, least: i64, most: i64| {
            let (low, high) = (terms.constant(bits, word(least).into()), terms.constant(bits, word(most).into()));
            let (below, above) = (terms.less_signed(symbol, low), terms.less_signed(high, symbol));
            let (at_least, at_most) = (terms.not(below), terms.not(above));
            let query = Query { known: &[at_least, at_most], wanted: &[is_wrong] };
            matches!(solver.ask(terms, query, limits, &|| false), Answer::No(_))
        };
        let found = number(value);
        let (lowest, highest) = (-1_i64 << (bits - 1), !(-1_i64 << (bits - 1)));
        if !will_do(terms, found, found) {
            return None;
        }
        let (mut least, mut too_low) = (found, i128::from(lowest) - 1);
        while i128::from(least) - too_low > 1 {
            let middle = ((i128::from(least) + too_low).div_euclid(2)) as i64;
            if will_do(terms, middle, found) {
                least = middle;
            } else {
                too_low = middle.into();
            }
        }
        let (mut most, mut too_high) = (found, i128::from(highest) + 1);
        while too_high - i128::from(most) > 1 {
            let middle = ((i128::from(most) + too_high).div_euclid(2)) as i64;
            if will_do(terms, found, middle) {
                most = middle;
            } else {
                too_high = middle.into();
            }
        }
        Some(Range { ty: ty.clone(), least: word(least), most: word(most) })
    })
}
