//! Answers: against all assignments where they are few, with layers on and off, and each core asked again.

use std::time::Duration;

use proptest::prelude::*;

use super::random::{self, Plain};
use crate::ask::{Answer, Layers, Limits, Query, SoftAnswer, Solver, Why};
use crate::model::Model;
use crate::term::{Term, Terms};

fn go_on() -> bool {
    false
}

fn ask(solver: &mut Solver, terms: &Terms, known: &[Term], wanted: &[Term]) -> Answer {
    solver.ask(terms, Query { known, wanted }, &Limits::default(), &go_on)
}

fn all_hold(terms: &Terms, model: &Model, constraints: &[Term]) -> bool {
    constraints.iter().all(|constraint| terms.evaluate(*constraint, model) == 1)
}

/// Every step of one bit as a constraint, every other one negated.
fn constraints(terms: &mut Terms, plain: &Plain, seed: &[u128]) -> Vec<Term> {
    let symbols = random::symbols(terms, plain, seed);
    let made = plain.terms(terms, &symbols);
    let mut constraints = Vec::new();
    for (at, term) in made.into_iter().enumerate().skip(plain.symbols.len()) {
        let bit = terms.extract(term, 0, 1);
        constraints.push(if at & 1 == 0 { bit } else { terms.not(bit) });
    }
    constraints
}

/// Asks for each constraint with those before it, as branches of a run are asked; and compares with trying everything.
fn against_all_assignments(plain: &Plain, seed: &[u128], layers: Layers) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let seed = random::assignment(plain, seed);
    let constraints = constraints(&mut terms, plain, &seed);
    let mut all: Vec<Vec<u128>> = vec![Vec::new()];
    for width in &plain.symbols {
        let longer = |before: &Vec<u128>| {
            let before = before.clone();
            (0..1u128 << width).map(move |value| [&before[..], &[value]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    let models: Vec<Model> = all.iter().map(|values| random::model(values)).collect();
    let mut solver = Solver::with_layers(layers);
    for last in 0..constraints.len() {
        let (known, wanted) = constraints.split_at(last);
        let wanted = terms.not(wanted[0]);
        let possible = |constraints: &[Term]| models.iter().any(|model| all_hold(&terms, model, constraints));
        let together = [known, &[wanted]].concat();
        match ask(&mut solver, &terms, known, &[wanted]) {
            Answer::Yes(model) => prop_assert!(all_hold(&terms, &model, &together), "{:?}", model),
            Answer::No(core) => {
                prop_assert!(!possible(&together), "there is a model");
                let mut of_core: Vec<Term> = core.known.iter().map(|place| known[*place]).collect();
                of_core.extend(core.wanted.iter().map(|_| wanted));
                prop_assert!(!possible(&of_core), "{:?} is no contradiction", core);
            }
            Answer::Unknown(why) => prop_assert!(false, "{:?}", why),
        }
    }
    Ok(())
}

fn layers() -> impl Strategy<Value = Layers> {
    let one = |slices, models, cores, exhaust| Layers { slices, models, cores, exhaust };
    prop_oneof![
        Just(Layers::ALL),
        Just(Layers::NONE),
        Just(one(true, false, false, false)),
        Just(one(false, true, false, false)),
        Just(one(false, false, true, false)),
        Just(one(false, false, false, true)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_are_those_of_trying_everything(
        plain in random::plain(Just(vec![3, 2, 3, 1]), 1u32..5, 16),
        seed in proptest::collection::vec(random::number(), 4),
        layers in layers(),
    ) {
        against_all_assignments(&plain, &seed, layers)?;
    }

    #[test]
    fn layers_do_not_change_answers(
        plain in random::plain(Just(vec![8, 8, 8, 8]), prop_oneof![Just(8u32), Just(16), Just(1)], 16),
        seed in proptest::collection::vec(random::number(), 4),
        layers in layers(),
    ) {
        let mut terms = Terms::new();
        let seed = random::assignment(&plain, &seed);
        let constraints = constraints(&mut terms, &plain, &seed);
        let (mut with, mut without) = (Solver::with_layers(layers), Solver::with_layers(Layers::NONE));
        for last in 0..constraints.len() {
            let (known, wanted) = (&constraints[..last], &constraints[last..last + 1]);
            let answers = [ask(&mut with, &terms, known, wanted), ask(&mut without, &terms, known, wanted)];
            for answer in &answers {
                match answer {
                    Answer::Yes(model) => prop_assert!(all_hold(&terms, model, &constraints[..=last])),
                    Answer::No(core) => {
                        let known: Vec<Term> = core.known.iter().map(|place| known[*place]).collect();
                        let wanted: Vec<Term> = core.wanted.iter().map(|place| wanted[*place]).collect();
                        let again = ask(&mut Solver::with_layers(Layers::NONE), &terms, &known, &wanted);
                        prop_assert!(matches!(again, Answer::No(_)), "the core alone: {:?}", again);
                    }
                    Answer::Unknown(why) => prop_assert!(false, "{:?}", why),
                }
            }
            let kinds = answers.each_ref().map(std::mem::discriminant);
            prop_assert_eq!(kinds[0], kinds[1], "{:?}", answers);
        }
    }

    #[test]
    fn soft_constraints_are_dropped_until_it_is_possible(
        plain in random::plain(Just(vec![3, 2, 3]), 1u32..4, 16),
        seed in proptest::collection::vec(random::number(), 3),
    ) {
        let mut terms = Terms::new();
        let seed = random::assignment(&plain, &seed);
        let constraints = constraints(&mut terms, &plain, &seed);
        let third = constraints.len() / 3;
        let (known, rest) = constraints.split_at(third);
        let (soft, wanted) = rest.split_at(third);
        let query = Query { known, wanted };
        let hard = ask(&mut Solver::new(), &terms, known, wanted);
        match Solver::new().ask_soft(&terms, query, soft, &Limits::default(), &go_on) {
            SoftAnswer::Yes { model, dropped } => {
                prop_assert!(all_hold(&terms, &model, known) && all_hold(&terms, &model, wanted));
                let kept = (0..soft.len()).filter(|place| !dropped.contains(place));
                prop_assert!(kept.into_iter().all(|place| terms.evaluate(soft[place], &model) == 1));
                let all = [known, soft].concat();
                let with_all = ask(&mut Solver::new(), &terms, &all, wanted);
                prop_assert_eq!(dropped.is_empty(), matches!(with_all, Answer::Yes(_)));
            }
            SoftAnswer::No(core) => {
                prop_assert!(matches!(hard, Answer::No(_)));
                let known: Vec<Term> = core.known.iter().map(|place| known[*place]).collect();
                let wanted: Vec<Term> = core.wanted.iter().map(|place| wanted[*place]).collect();
                let again = ask(&mut Solver::new(), &terms, &known, &wanted);
                prop_assert!(matches!(again, Answer::No(_)));
            }
            SoftAnswer::Unknown(why) => prop_assert!(false, "{:?}", why),
        }
    }
}

/// `a * b == product`, neither being 1: hard if the product has only large factors.
fn factors(terms: &mut Terms, width: u32, product: u128) -> Vec<Term> {
    let (a, b) = (terms.symbol(width, 0), terms.symbol(width, 0));
    let (x, y) = (terms.zero_extend(a, 2 * width), terms.zero_extend(b, 2 * width));
    let (product, one) = (terms.constant(2 * width, product), terms.constant(width, 1));
    let multiplied = terms.multiply(x, y);
    let (first, second) = (terms.less_unsigned(one, a), terms.less_unsigned(one, b));
    vec![first, second, terms.equal(multiplied, product)]
}

#[test]
fn limits_hold() {
    let mut terms = Terms::new();
    // A prime, which takes a search of all smaller numbers.
    let hard = factors(&mut terms, 32, (1 << 61) - 1);
    let ask = |limits: Limits, stop: &dyn Fn() -> bool| {
        let begun = std::time::Instant::now();
        let answer = Solver::new().ask(&terms, Query { known: &hard[..2], wanted: &hard[2..] }, &limits, stop);
        (answer, begun.elapsed())
    };
    let many = Limits { conflicts: u64::MAX, time: Duration::from_secs(60), bytes: 1 << 30 };
    let (answer, _) = ask(Limits { conflicts: 100, ..many }, &go_on);
    assert_eq!(answer, Answer::Unknown(Why::Conflicts));
    let (answer, time) = ask(Limits { time: Duration::from_millis(100), ..many }, &go_on);
    assert_eq!(answer, Answer::Unknown(Why::Time));
    assert!(time < Duration::from_secs(2), "{time:?}");
    let (answer, _) = ask(Limits { bytes: 1 << 16, ..many }, &go_on);
    assert_eq!(answer, Answer::Unknown(Why::Memory));
    let (answer, _) = ask(Limits { bytes: 3 << 20, ..many }, &go_on);
    assert_eq!(answer, Answer::Unknown(Why::Memory));
    let end = std::time::Instant::now() + Duration::from_millis(100);
    let (answer, time) = ask(many, &|| std::time::Instant::now() > end);
    assert_eq!(answer, Answer::Unknown(Why::Stopped));
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[test]
fn after_a_limit_other_questions_are_answered() {
    let mut terms = Terms::new();
    let hard = factors(&mut terms, 32, (1 << 61) - 1);
    let easy = factors(&mut terms, 8, 221);
    let mut solver = Solver::new();
    let limits = Limits { conflicts: 100, ..Limits::default() };
    for _ in 0..3 {
        let answer = solver.ask(&terms, Query { known: &[], wanted: &hard }, &limits, &go_on);
        assert_eq!(answer, Answer::Unknown(Why::Conflicts));
        let Answer::Yes(model) = ask(&mut solver, &terms, &[], &easy) else { panic!("13 times 17") };
        assert!(all_hold(&terms, &model, &easy));
        // With the hard question beside it, which has no symbol in common.
        let both = [&hard[..], &easy].concat();
        let answer = solver.ask(&terms, Query { known: &[], wanted: &both }, &limits, &go_on);
        assert_eq!(answer, Answer::Unknown(Why::Conflicts));
    }
}

#[test]
fn only_what_is_connected_is_asked() {
    let mut terms = Terms::new();
    let symbols: Vec<Term> = (0..100).map(|_| terms.symbol(16, 5)).collect();
    let mut known = Vec::new();
    for pair in symbols.chunks(2) {
        let squared = terms.multiply(pair[0], pair[1]);
        let expected = terms.constant(16, 25);
        known.push(terms.equal(squared, expected));
    }
    let six = terms.constant(16, 6);
    let wanted = terms.less_unsigned(six, symbols[40]);
    let Answer::Yes(model) = ask(&mut Solver::new(), &terms, &known, &[wanted]) else { panic!("it is possible") };
    assert!(all_hold(&terms, &model, &known));
    let changed: Vec<u32> = model.iter().map(|(symbol, _)| symbol.0).collect();
    assert_eq!(changed, [40, 41]);
}

#[test]
fn a_seed_that_violates_what_is_known_is_repaired() {
    let mut terms = Terms::new();
    let (a, b) = (terms.symbol(16, 5), terms.symbol(16, 5));
    let (seven, nine) = (terms.constant(16, 7), terms.constant(16, 9));
    let known = [terms.equal(a, seven)];
    let wanted = [terms.equal(b, nine)];
    let Answer::Yes(model) = ask(&mut Solver::new(), &terms, &known, &wanted) else { panic!("it is possible") };
    assert!(all_hold(&terms, &model, &known) && all_hold(&terms, &model, &wanted));
    let other = terms.equal(a, nine);
    let Answer::No(core) = ask(&mut Solver::new(), &terms, &[known[0], wanted[0], other], &[]) else {
        panic!("it is impossible")
    };
    assert_eq!((core.known, core.wanted), (vec![0, 2], vec![]));
}

#[test]
fn other_answers_differ() {
    let mut terms = Terms::new();
    let byte = terms.symbol(8, 0);
    let symbol = terms.symbol_of(byte).expect("a symbol");
    let (three, mask) = (terms.constant(8, 3), terms.constant(8, 0xf7));
    let masked = terms.and(byte, mask);
    let mut wanted = vec![terms.less_unsigned(masked, three)];
    let mut found = Vec::new();
    let mut solver = Solver::new();
    while let Answer::Yes(model) = ask(&mut solver, &terms, &[], &wanted) {
        found.push(model.get(symbol).unwrap_or(0));
        wanted.push(terms.differs_from(&model, &[symbol]));
    }
    found.sort();
    assert_eq!(found, [0, 1, 2, 8, 9, 10]);
}

#[test]
fn a_search_goes_the_same_way_each_time() {
    let mut terms = Terms::new();
    // A prime.
    let wanted = factors(&mut terms, 12, 8_388_593);
    let searched = || {
        let mut solver = Solver::new();
        let answer = ask(&mut solver, &terms, &[], &wanted);
        (answer, solver.statistics().conflicts)
    };
    let first = searched();
    assert!(first.1 > 1200, "more than a stretch: {first:?}");
    assert_eq!(first, searched());
}
