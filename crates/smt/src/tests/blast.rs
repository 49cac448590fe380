//! Gates compute what terms are: inputs are fixed by assumptions, outputs read.

use proptest::prelude::*;

use super::random::{self, Op, Plain};
use crate::blast::Blasted;
use crate::operation::ones;
use crate::sat::{Literal, Patience, Verdict};
use crate::term::{Term, Terms};

fn patience(stop: &dyn Fn() -> bool) -> Patience<'_> {
    Patience { conflicts: u64::MAX, until: None, bytes: 1 << 30, stop }
}

/// The values of terms, by gates, where symbols have given ones.
fn by_gates(blasted: &mut Blasted, terms: &Terms, symbols: &[(Term, u128)], asked: &[Term]) -> Vec<u128> {
    let go_on = || false;
    let bits = |blasted: &mut Blasted, term: Term| -> Vec<Literal> {
        blasted.bits(terms, term, patience(&go_on)).expect("within limits").to_vec()
    };
    let outputs: Vec<Vec<Literal>> = asked.iter().map(|term| bits(blasted, *term)).collect();
    let mut assumptions = Vec::new();
    for &(symbol, value) in symbols {
        for (at, bit) in bits(blasted, symbol).into_iter().enumerate() {
            assumptions.push(if value >> at & 1 == 1 { bit } else { !bit });
        }
    }
    assert_eq!(blasted.sat().solve(&assumptions, patience(&go_on)), Verdict::Satisfied);
    let value = |word: &Vec<Literal>| {
        let ones = word.iter().enumerate().filter(|(_, bit)| blasted.sat().value(**bit));
        ones.fold(0, |value, (at, _)| value | 1 << at)
    };
    outputs.iter().map(value).collect()
}

#[test]
fn every_operation_on_all_small_numbers() {
    for op in random::OPS {
        for width in 1..=4u32 {
            let mut terms = Terms::new();
            let (a, b) = (terms.symbol(width, 0), terms.symbol(width, 0));
            let of_unknowns = random::apply(&mut terms, op, a, b);
            let constants: Vec<Term> = (0..=ones(width)).map(|number| terms.constant(width, number)).collect();
            let by_constant: Vec<Term> =
                constants.iter().map(|constant| random::apply(&mut terms, op, a, *constant)).collect();
            let mut blasted = Blasted::new();
            for x in 0..=ones(width) {
                for y in 0..=ones(width) {
                    let asked = [of_unknowns, by_constant[y as usize]];
                    let expected = random::compute(op, width, x, y);
                    let found = by_gates(&mut blasted, &terms, &[(a, x), (b, y)], &asked);
                    assert_eq!(found, [expected, expected], "{op:?} of {x} and {y}, {width} bits");
                }
            }
        }
    }
}

/// An operation on two symbols, or on a symbol and a constant.
fn operation(op: Op, width: u32, numbers: &[(u128, u128)]) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let (a, b) = (terms.symbol(width, 0), terms.symbol(width, 0));
    let of_unknowns = random::apply(&mut terms, op, a, b);
    let mut blasted = Blasted::new();
    for &(x, y) in numbers {
        let (x, y) = (x & ones(width), y & ones(width));
        let (left, right) = (terms.constant(width, x), terms.constant(width, y));
        let asked = [of_unknowns, random::apply(&mut terms, op, a, right), random::apply(&mut terms, op, left, b)];
        let expected = random::compute(op, width, x, y);
        let found = by_gates(&mut blasted, &terms, &[(a, x), (b, y)], &asked);
        prop_assert_eq!(found, vec![expected; 3], "{:?} of {} and {}", op, x, y);
    }
    Ok(())
}

fn whole(plain: &Plain, assignments: &[Vec<u128>]) -> Result<(), TestCaseError> {
    let assignments: Vec<Vec<u128>> = assignments.iter().map(|numbers| random::assignment(plain, numbers)).collect();
    let mut terms = Terms::new();
    let symbols = random::symbols(&mut terms, plain, &assignments[0]);
    let made = plain.terms(&mut terms, &symbols);
    let mut blasted = Blasted::new();
    for values in &assignments {
        let inputs: Vec<(Term, u128)> = symbols.iter().copied().zip(values.iter().copied()).collect();
        prop_assert_eq!(by_gates(&mut blasted, &terms, &inputs, &made), plain.values(values));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn operations_of_any_width(
        op in proptest::sample::select(&random::OPS[..]),
        width in 1u32..65,
        numbers in proptest::collection::vec((random::number(), random::number()), 1..4),
    ) {
        operation(op, width, &numbers)?;
    }

    #[test]
    fn terms_of_any_operations(
        plain in random::plain(Just(vec![8, 8, 16]), prop_oneof![Just(8u32), Just(16), Just(24)], 10),
        assignments in proptest::collection::vec(proptest::collection::vec(random::number(), 3), 3),
    ) {
        whole(&plain, &assignments)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn operations_of_wide_words(
        op in proptest::sample::select(&random::OPS[..]),
        width in 65u32..129,
        numbers in proptest::collection::vec((random::number(), random::number()), 1..3),
    ) {
        operation(op, width, &numbers)?;
    }
}
