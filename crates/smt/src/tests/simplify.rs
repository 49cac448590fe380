//! Simplified terms mean what they were asked to mean, under every assignment.

use proptest::prelude::*;

use super::random::{self, Plain};
use crate::term::{Term, Terms};

/// Terms of a list of steps over a seed, compared with the steps under it and further assignments.
fn compare(plain: &Plain, assignments: &[Vec<u128>]) -> Result<(), TestCaseError> {
    let assignments: Vec<Vec<u128>> = assignments.iter().map(|numbers| random::assignment(plain, numbers)).collect();
    let mut terms = Terms::new();
    let symbols = random::symbols(&mut terms, plain, &assignments[0]);
    let made = plain.terms(&mut terms, &symbols);
    for (number, values) in assignments.iter().enumerate() {
        let expected = plain.values(values);
        let model = random::model(values);
        for (at, &term) in made.iter().enumerate() {
            prop_assert_eq!(terms.width(term), plain.steps[at].1);
            prop_assert_eq!(terms.evaluate(term, &model), expected[at], "step {} of {:?}", at, values);
            if number == 0 {
                prop_assert_eq!(terms.value(term), expected[at], "step {} under the seed", at);
            }
            let bounds = terms.bounds(term);
            let is_within = bounds.certain & !expected[at] == 0
                && expected[at] & !bounds.possible == 0
                && (bounds.least..=bounds.greatest).contains(&expected[at]);
            prop_assert!(is_within, "step {}: {} is not within {:?}", at, expected[at], bounds);
        }
    }
    Ok(())
}

fn assignments(count: usize) -> impl Strategy<Value = Vec<Vec<u128>>> {
    proptest::collection::vec(proptest::collection::vec(random::number(), 4), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn bytes_mean_the_same(
        plain in random::plain(Just(vec![8, 8, 8]), prop_oneof![Just(8u32), Just(16), Just(32)], 14),
        assignments in assignments(12),
    ) {
        compare(&plain, &assignments)?;
    }

    #[test]
    fn any_widths_mean_the_same(
        plain in random::plain(proptest::collection::vec(random::width(), 3), random::width(), 14),
        assignments in assignments(12),
    ) {
        compare(&plain, &assignments)?;
    }

    #[test]
    fn replaced_symbols_mean_the_same(
        plain in random::plain(proptest::collection::vec(random::width(), 3), random::width(), 14),
        assignments in assignments(2),
    ) {
        let assignments: Vec<Vec<u128>> = assignments.iter().map(|numbers| random::assignment(&plain, numbers)).collect();
        let mut terms = Terms::new();
        let symbols = random::symbols(&mut terms, &plain, &assignments[0]);
        let made = plain.terms(&mut terms, &symbols);
        let others = random::symbols(&mut terms, &plain, &assignments[1]);
        let mut replacing = crate::Replacing::new(symbols.into_iter().zip(others));
        for (term, expected) in made.into_iter().zip(plain.values(&assignments[1])) {
            let anew = replacing.replaced(&mut terms, term);
            prop_assert_eq!(terms.value(anew), expected);
        }
    }

    #[test]
    fn small_widths_mean_the_same_everywhere(plain in random::plain(Just(vec![2, 3]), 1u32..5, 12)) {
        let all: Vec<Vec<u128>> = (0..32).map(|at| vec![at & 3, at >> 2]).collect();
        compare(&plain, &all)?;
    }
}

fn bytes(terms: &mut Terms) -> [Term; 4] {
    [1, 2, 3, 4].map(|seed| terms.symbol(8, seed))
}

/// As a program loads a word from bytes: extended, shifted, united.
fn loaded(terms: &mut Terms, bytes: &[Term]) -> Term {
    let mut word = terms.constant(32, 0);
    for (at, &byte) in (0u128..).zip(bytes) {
        let (extended, by) = (terms.zero_extend(byte, 32), terms.constant(32, 8 * at));
        let shifted = terms.shift_left(extended, by);
        word = terms.or(word, shifted);
    }
    word
}

#[test]
fn a_word_cut_apart_is_its_bytes_again() {
    let mut terms = Terms::new();
    let bytes = bytes(&mut terms);
    let word = loaded(&mut terms, &bytes);
    for (at, &byte) in (0u128..).zip(&bytes) {
        let by = terms.constant(32, 8 * at);
        let shifted = terms.shift_right_logical(word, by);
        assert_eq!(terms.extract(shifted, 0, 8), byte);
        let mask = terms.constant(32, 0xff);
        let masked = terms.and(shifted, mask);
        assert_eq!(masked, terms.zero_extend(byte, 32));
    }
    let again = terms.concat(bytes[1], bytes[0]);
    let high = terms.concat(bytes[3], bytes[2]);
    assert_eq!(terms.concat(high, again), word);
}

#[test]
fn a_word_is_compared_by_bytes() {
    let mut terms = Terms::new();
    let bytes = bytes(&mut terms);
    let word = loaded(&mut terms, &bytes);
    let magic = terms.constant(32, 0x0403_0201);
    let equal = terms.equal(word, magic);
    let parts = [1, 2, 3, 4].map(|value| terms.constant(8, value));
    let each: Vec<Term> = bytes.iter().zip(parts).map(|(byte, value)| terms.equal(*byte, value)).collect();
    let (high, low) = (terms.and(each[3], each[2]), terms.and(each[1], each[0]));
    // The same conjunction, whatever its order.
    let mut expected = terms.symbols_of(equal).to_vec();
    expected.sort();
    assert_eq!(expected.len(), 4);
    let _ = terms.and(high, low);
    assert_eq!(terms.value(equal), 1);
}

#[test]
fn comparisons_are_narrowed_and_decided() {
    let mut terms = Terms::new();
    let [a, b, ..] = bytes(&mut terms);
    let wide = terms.zero_extend(a, 32);
    let (beyond, within) = (terms.constant(32, 256), terms.constant(32, 65));
    let never = terms.equal(wide, beyond);
    assert_eq!(terms.as_constant(never), Some(0));
    let narrow = terms.constant(8, 65);
    assert_eq!(terms.equal(wide, within), terms.equal(a, narrow));
    let other = terms.zero_extend(b, 32);
    assert_eq!(terms.less_signed(wide, other), terms.less_unsigned(a, b));
    let (signed, other) = (terms.sign_extend(a, 32), terms.sign_extend(b, 32));
    assert_eq!(terms.less_signed(signed, other), terms.less_signed(a, b));
    assert_eq!(terms.equal(signed, other), terms.equal(a, b));
    let always = terms.less_unsigned(wide, beyond);
    assert_eq!(terms.as_constant(always), Some(1));
}

#[test]
fn a_flag_stored_and_tested_is_the_flag() {
    let mut terms = Terms::new();
    let [a, b, ..] = bytes(&mut terms);
    let flag = terms.less_unsigned(a, b);
    let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
    let stored = terms.choose(flag, one, zero);
    let tested = terms.equal(stored, zero);
    assert_eq!(terms.not(tested), flag);
    let extended = terms.zero_extend(flag, 32);
    let tested = terms.equal(extended, zero);
    assert_eq!(terms.not(tested), flag);
}

#[test]
fn constants_of_a_decimal_number_meet() {
    let mut terms = Terms::new();
    let digits = bytes(&mut terms);
    let (ten, less) = (terms.constant(32, 10), terms.constant(32, 48u128.wrapping_neg()));
    let mut value = terms.constant(32, 0);
    for digit in digits {
        let shifted = terms.multiply(value, ten);
        let extended = terms.zero_extend(digit, 32);
        let digit = terms.add(extended, less);
        value = terms.add(shifted, digit);
    }
    let (_, constant) = match terms.view(value) {
        crate::term::View::Binary(crate::Operation::Add, sum, constant) => (sum, constant),
        other => panic!("{other:?}"),
    };
    assert_eq!(terms.as_constant(constant), Some(53328u128.wrapping_neg() & 0xffff_ffff));
}

#[test]
fn a_full_arena_returns_what_holds_under_the_seed() {
    let mut terms = Terms::with_limit(4000);
    let a = terms.symbol(32, 7);
    let mut sum = a;
    for _ in 0..1000 {
        let product = terms.multiply(sum, a);
        sum = terms.add(product, a);
    }
    assert!(terms.is_full());
    assert!(terms.concretised() > 0);
    let mut expected = 7u128;
    for _ in 0..1000 {
        expected = (expected * 7 + 7) & 0xffff_ffff;
    }
    assert_eq!(terms.value(sum), expected);
    assert!(terms.bytes() < 100_000, "{}", terms.bytes());
}

#[test]
fn a_term_takes_few_bytes() {
    let mut terms = Terms::new();
    let [a, b, ..] = bytes(&mut terms);
    let mut last = a;
    for _ in 0..10_000 {
        let sum = terms.multiply(last, b);
        last = terms.xor(sum, a);
    }
    assert!(terms.bytes() <= 64 * terms.count() + 4096);
    assert!(size_of::<Option<Term>>() == 4);
}

#[test]
fn replaced_terms_are_made_anew() {
    let mut terms = Terms::new();
    let [a, b, ..] = bytes(&mut terms);
    let [a, b] = [a, b].map(|byte| terms.zero_extend(byte, 32));
    let product = terms.multiply(a, b);
    let (thousand, square) = (terms.constant(32, 1000), terms.multiply(product, product));
    let is_more = terms.less_unsigned(thousand, square);
    let other = terms.symbol(32, 600);
    let symbol = terms.symbol_of(other).expect("a symbol");
    let mut replacing = crate::Replacing::new([(product, other)]);
    let anew = replacing.replaced(&mut terms, is_more);
    assert_eq!(*terms.symbols_of(anew), [symbol]);
    assert_eq!(terms.value(anew), 1);
    let model = [(symbol, 30)].into_iter().collect();
    assert_eq!(terms.evaluate(anew, &model), 0);
    assert_eq!(replacing.replaced(&mut terms, a), a, "nothing in it is replaced");
}
