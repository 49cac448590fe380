//! z3 as the judge: of our answers, and of the text it is given.

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::random::{self, Plain};
use crate::ask::{Answer, Limits, Query, Solver};
use crate::term::{Term, Terms};
use crate::text;

/// What z3 says of each text.
fn judged(texts: &[String]) -> Vec<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-t:500"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command z3; `./x setup` installs it");
    let mut input = child.stdin.take().expect("it is piped");
    let text = texts.join("(reset)\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("no panic").expect("z3 reads to the end");
    let lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect();
    assert_eq!(lines.len(), texts.len(), "{lines:?}");
    lines
}

/// How often each answer was given; those that either gave up on are not compared.
#[derive(Default, Debug)]
struct Compared {
    yes: u32,
    no: u32,
    unknown: u32,
}

fn compare(plain: &Plain, seed: &[u128], compared: &mut Compared) -> Result<(), TestCaseError> {
    let mut terms = Terms::new();
    let seed = random::assignment(plain, seed);
    let symbols = random::symbols(&mut terms, plain, &seed);
    let made = plain.terms(&mut terms, &symbols);
    // Bits as constraints; and words, which must be what they are not under the seed.
    let mut constraints: Vec<Term> = Vec::new();
    for &term in &made[symbols.len()..] {
        if terms.width(term) == 1 {
            constraints.push(term);
        } else {
            let other = terms.constant(terms.width(term), terms.value(term) ^ 1);
            let equal = terms.equal(term, other);
            if constraints.len() & 1 == 0 {
                constraints.push(terms.not(equal));
            } else {
                constraints.push(equal);
            }
        }
    }
    let mut solver = Solver::new();
    let limits = Limits { conflicts: 3000, ..Limits::default() };
    let queries: Vec<Query<'_>> = (0..constraints.len())
        .map(|last| Query { known: &constraints[last.saturating_sub(2)..last], wanted: &constraints[last..=last] })
        .collect();
    let texts: Vec<String> = queries.iter().map(|query| text::dump(&terms, *query)).collect();
    for (query, verdict) in queries.iter().zip(judged(&texts)) {
        match (solver.ask(&terms, *query, &limits, &|| false), verdict.as_str()) {
            (Answer::Yes(_), "sat") => compared.yes += 1,
            (Answer::No(_), "unsat") => compared.no += 1,
            (Answer::Unknown(_), _) | (_, "unknown") => compared.unknown += 1,
            (answer, verdict) => {
                prop_assert!(false, "{:?}, but z3 says {}:\n{}", answer, verdict, text::dump(&terms, *query));
            }
        }
    }
    Ok(())
}

fn compare_many(plain: impl Strategy<Value = Plain>, cases: u32) {
    let mut runner = TestRunner::new(Config::with_cases(cases));
    let compared = std::cell::RefCell::new(Compared::default());
    let seed = proptest::collection::vec(random::number(), 4);
    let result = runner.run(&(plain, seed), |(plain, seed)| compare(&plain, &seed, &mut compared.borrow_mut()));
    let compared = compared.into_inner();
    println!("{compared:?}");
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(compared.yes > cases && compared.no > cases / 4, "{compared:?}");
    assert!(compared.unknown < compared.yes / 4, "{compared:?}");
}

#[test]
fn z3_agrees_about_bytes() {
    let widths = prop_oneof![Just(8u32), Just(16), Just(32)];
    compare_many(random::plain(Just(vec![8, 8, 8, 8]), widths, 14), 60);
}

#[test]
fn z3_agrees_about_any_widths() {
    let symbols = proptest::collection::vec(prop_oneof![1u32..20, Just(32u32), Just(64)], 3);
    compare_many(random::plain(symbols, prop_oneof![1u32..40, Just(64u32)], 10), 25);
}
