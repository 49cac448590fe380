//! Deep terms: no recursion, and no cost that grows faster than they do.

use std::time::{Duration, Instant};

use crate::ask::{Answer, Limits, Query, Solver, Why};
use crate::model::Model;
use crate::term::{Term, Terms};
use crate::text;

const DEEP: usize = 1_000_000;

/// Runs on a small stack, within a time that something quadratic would exceed by far.
fn shallow(work: impl FnOnce() + Send + 'static) {
    let begun = Instant::now();
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(work).expect("a thread");
    thread.join().expect("no panic");
    let taken = begun.elapsed();
    assert!(taken < Duration::from_secs(60), "{taken:?}");
}

/// What each use of a deep term costs, and that it is right.
fn used(mut terms: Terms, deep: Term, expected: impl Fn(u128) -> u128) {
    assert_eq!(terms.value(deep), expected(3));
    let symbols = terms.symbols_of(deep).to_vec();
    let model: Model = [(symbols[0], 5)].into_iter().collect();
    assert_eq!(terms.evaluate(deep, &model), expected(5));
    let goal = terms.constant(terms.width(deep), expected(5));
    let wanted = [terms.equal(deep, goal)];
    let query = Query { known: &[], wanted: &wanted };
    assert!(text::dump(&terms, query).lines().count() > DEEP);
    let limits = Limits { bytes: 50 << 20, ..Limits::default() };
    let answer = Solver::new().ask(&terms, query, &limits, &|| false);
    assert_eq!(answer, Answer::Unknown(Why::Memory));
}

#[test]
fn a_million_operations_on_one_symbol() {
    shallow(|| {
        let mut terms = Terms::new();
        let symbol = terms.symbol(32, 3);
        let mut deep = symbol;
        for round in 0..DEEP {
            deep = if round & 1 == 0 { terms.multiply(deep, symbol) } else { terms.add(deep, symbol) };
        }
        let expected = |value: u128| {
            let rounds = 0..DEEP;
            rounds.fold(value, |deep, round| {
                let next = if round & 1 == 0 { deep * value } else { deep + value };
                next & 0xffff_ffff
            })
        };
        used(terms, deep, expected);
    });
}

#[test]
fn a_million_sums_of_as_many_symbols() {
    shallow(|| {
        let mut terms = Terms::new();
        let mut deep = terms.symbol(32, 3);
        for _ in 0..DEEP {
            let next = terms.symbol(32, 1);
            deep = terms.add(deep, next);
        }
        assert_eq!(terms.symbols_of(deep).len(), DEEP + 1);
        used(terms, deep, |value| value + DEEP as u128);
    });
}

#[test]
fn a_million_choices() {
    shallow(|| {
        let mut terms = Terms::new();
        let symbol = terms.symbol(32, 3);
        let mut deep = symbol;
        for round in 0..DEEP as u128 {
            let constant = terms.constant(32, round);
            let condition = terms.less_unsigned(symbol, constant);
            let sum = terms.xor(deep, constant);
            deep = terms.choose(condition, sum, constant);
            let _ = terms.extract(deep, 0, 8);
        }
        let expected = |value: u128| {
            let rounds = 0..DEEP as u128;
            rounds.fold(value, |deep, round| if value < round { deep ^ round } else { round })
        };
        used(terms, deep, expected);
    });
}
