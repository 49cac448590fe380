//! The tables are consistent with themselves and with the C library's own declarations.

use super::effect::{Channel, Effect, Term};
use super::{FAMILIES, known, spoken_name};

#[test]
fn every_table_is_sorted_and_a_name_stands_once() {
    for table in FAMILIES {
        for pair in table.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} stands before {}", pair[0].name, pair[1].name);
        }
    }
    let mut names: Vec<_> = FAMILIES.iter().flat_map(|table| table.iter().map(|known| known.name)).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1], "in two tables");
    }
}

#[test]
fn every_name_is_found() {
    for entry in FAMILIES.iter().flat_map(|table| table.iter()) {
        assert_eq!(known(entry.name).map(|found| found.name), Some(entry.name));
    }
    assert!(known("no_such_function").is_none());
    assert_eq!(spoken_name("__faultline_twin_strlen"), "strlen");
}

#[test]
fn only_what_returns_gives_a_result() {
    for entry in FAMILIES.iter().flat_map(|table| table.iter()).filter(|entry| !entry.returns()) {
        let speaks_of_result = entry.effects.iter().any(|effect| terms(effect).contains(&Term::Result));
        assert!(!speaks_of_result, "{} does not return", entry.name);
    }
}

/// All terms an effect is made of, outermost first.
pub fn terms(effect: &Effect) -> Vec<Term> {
    let channel = |channel: &Channel| match *channel {
        Channel::Stream(term) | Channel::Descriptor(term) => vec![term],
        Channel::StandardInput | Channel::StandardOutput | Channel::StandardError => Vec::new(),
    };
    let mut found = match effect {
        Effect::Reads(at, extent) | Effect::Writes(at, extent) => vec![*at, *extent],
        Effect::Copies(to, from, extent) => vec![*to, *from, *extent],
        Effect::Aliases(i) | Effect::Opens(i) | Effect::Calls(i) => vec![Term::Arg(*i)],
        Effect::Borrows(term) | Effect::Allocates(term) | Effect::Frees(term) => vec![*term],
        Effect::Input(from, at, extent) | Effect::Output(from, at, extent) => {
            [channel(from), vec![*at, *extent]].concat()
        }
        Effect::OutputCharacter(to, i) | Effect::OutputNumber(to, i) => [channel(to), vec![Term::Arg(*i)]].concat(),
        Effect::InputFormatted(to, i) | Effect::OutputFormatted(to, i) => [channel(to), vec![Term::Arg(*i)]].concat(),
        Effect::InputCharacter(of) | Effect::Reopens(of) | Effect::Closes(of) | Effect::Seeks(of) => channel(of),
        Effect::Redirects(from, to) => [channel(from), channel(to)].concat(),
        Effect::Exits(status) => status.iter().map(|&i| Term::Arg(i)).collect(),
        Effect::Pure | Effect::Fails | Effect::Jumps | Effect::From(_) | Effect::ChangesWorld => Vec::new(),
    };
    let mut at = 0;
    while at < found.len() {
        match found[at] {
            Term::Product(a, b) | Term::Least(a, b) => found.extend([*a, *b]),
            Term::TextWithin(a) => found.push(*a),
            _ => {}
        }
        at += 1;
    }
    found
}
