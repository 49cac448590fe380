//! Numbers of other lengths, on paths made by hand.

use std::collections::{BTreeSet, HashMap, HashSet};

use abi::{FunctionId, InstructionId};
use program::{FunctionKey, Site};
use replay::Step;
use smt::{Term, Terms};

use super::{Turn, Turned, Turner};
use crate::domain::TermDomain;
use crate::input::{Input, Name, Symbols};
use crate::lost::Lost;
use crate::path::{Condition, Kind, Other, Path, Way};
use crate::shadow::Shadowed;

/// A condition that holds, and could be the other way round.
fn branch(terms: &mut Terms, holds: Term) -> Condition {
    let function = FunctionKey { module: 0, function: FunctionId(0) };
    let at = Step { clock: 0, depth: 0, site: Site { function, instruction: InstructionId(0) } };
    assert!(terms.holds(holds));
    let other = Other { holds: terms.not(holds), way: Way::Branch(false) };
    Condition::added(at, Kind::Branch, holds, vec![other])
}

fn shadowed(content: &str, path: impl FnOnce(&mut Terms, &[Term]) -> Vec<Term>) -> Shadowed {
    let domain = TermDomain::new(Terms::new());
    let input = Input { name: Name::Standard, content: content.as_bytes().to_vec() };
    let mut symbols = Symbols::of(vec![input], 1 << 10);
    let bytes: Vec<Term> = (0..content.len() as u64).filter_map(|at| symbols.byte(&domain, 0, at)).collect();
    let conditions = domain.with(|terms| {
        let held = path(terms, &bytes);
        held.into_iter().map(|holds| branch(terms, holds)).collect()
    });
    Shadowed {
        domain,
        symbols,
        path: Path { conditions, identity: 0, beyond: 0 },
        lost: Lost::default(),
        wrote: Vec::new(),
        compared: Vec::new(),
        at_end: None,
        ways: HashMap::new(),
        chosen: HashMap::new(),
        fresh: HashMap::new(),
        taken: HashSet::new(),
        unset: BTreeSet::new(),
    }
}

/// A digit as a number of 32 bits; and that it is one.
fn digit(terms: &mut Terms, byte: Term, held: &mut Vec<Term>) -> Term {
    let (zero, ten) = (terms.constant(32, u128::from(b'0')), terms.constant(32, 10));
    let broad = terms.zero_extend(byte, 32);
    let digit = terms.subtract(broad, zero);
    held.push(terms.less_unsigned(digit, ten));
    digit
}

/// As a loop reads it.
fn number(terms: &mut Terms, bytes: &[Term], held: &mut Vec<Term>) -> Term {
    let mut all = terms.constant(32, 0);
    for &byte in bytes {
        let digit = digit(terms, byte, held);
        let ten = terms.constant(32, 10);
        let tens = terms.multiply(all, ten);
        all = terms.add(tens, digit);
    }
    all
}

/// The input in which the last condition is turned by other numbers.
fn renumbered(shadowed: &Shadowed) -> Option<String> {
    let mut turner = Turner::new(shadowed, smt::Limits::default());
    let turn = Turn { condition: shadowed.path.conditions.len() - 1, other: 0 };
    assert!(matches!(turner.turn(turn, &|| false), Turned::Never(_)), "no input of this layout does that");
    let (found, _) = turner.renumber(turn, &|| false)?;
    Some(String::from_utf8_lossy(&found.inputs[0].content).into_owned())
}

#[test]
fn a_number_gets_more_digits() {
    let shadowed = shadowed("x=17;", |terms, bytes| {
        let mut held = Vec::new();
        let number = number(terms, &bytes[2..4], &mut held);
        let (three, wanted) = (terms.constant(32, 3), terms.constant(32, 4713));
        let product = terms.multiply(number, three);
        let is_wanted = terms.equal(product, wanted);
        held.push(terms.not(is_wanted));
        held
    });
    assert_eq!(renumbered(&shadowed).as_deref(), Some("x=1571;"));
}

#[test]
fn numbers_change_together_and_what_was_said_of_them_holds() {
    let shadowed = shadowed("12 3", |terms, bytes| {
        let mut held = Vec::new();
        let a = number(terms, &bytes[..2], &mut held);
        let b = number(terms, &bytes[3..], &mut held);
        held.push(terms.less_unsigned(b, a));
        let (sum, wanted) = (terms.add(a, b), terms.constant(32, 2001));
        let is_less = terms.less_unsigned(sum, wanted);
        held.push(is_less);
        held
    });
    let text = renumbered(&shadowed).expect("an input");
    let numbers: Vec<u32> = text.split(' ').map(|number| number.parse().expect("a number")).collect();
    assert!(numbers[0] + numbers[1] >= 2001 && numbers[1] < numbers[0], "{text}");
}

#[test]
fn what_so_many_digits_decide_more_of_them_turn() {
    let shadowed = shadowed("7", |terms, bytes| {
        let mut held = Vec::new();
        let number = number(terms, bytes, &mut held);
        let wanted = terms.constant(32, 4242);
        let decided = terms.equal(number, wanted);
        assert_eq!(terms.as_constant(decided), Some(0));
        let is_wanted = terms.undecided(smt::Operation::Equal, number, wanted).expect("a comparison");
        held.push(terms.not(is_wanted));
        held
    });
    assert_eq!(renumbered(&shadowed).as_deref(), Some("4242"));
}

#[test]
fn a_number_may_become_negative() {
    let shadowed = shadowed("41", |terms, bytes| {
        let mut held = Vec::new();
        let number = number(terms, bytes, &mut held);
        let limit = terms.constant(32, 5_u128.wrapping_neg() & 0xffff_ffff);
        let is_less = terms.less_signed(number, limit);
        held.push(terms.not(is_less));
        held
    });
    let text = renumbered(&shadowed).expect("an input");
    assert!(text.parse::<i32>().expect("a number") < -5, "{text}");
}

#[test]
fn what_is_no_number_is_none() {
    let shadowed = shadowed("ab", |terms, bytes| {
        let wanted = terms.constant(8, u128::from(b'a'));
        let is_wanted = terms.equal(bytes[0], wanted);
        let (low, high) = (terms.zero_extend(bytes[0], 16), terms.zero_extend(bytes[1], 16));
        let (sum, most) = (terms.add(low, high), terms.constant(16, 600));
        vec![is_wanted, terms.less_unsigned(sum, most)]
    });
    assert_eq!(renumbered(&shadowed), None);
}
