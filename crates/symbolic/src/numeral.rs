//! Numbers that a run has read from digits of its input, found by what terms compute: a term that is, for other digits, too,
//! the number that they stand for. Whoever read them, a library or a loop of the program, is of no matter, nor in which form.

use std::ops::Range;

use smt::hash::Set;
use smt::{Evaluation, Model, Operation, Term, Terms};

use crate::input::{Symbol, Symbols};

/// A number as it stands in an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Numeral {
    pub input: usize,
    /// Where it stands, with its sign if that is a minus.
    pub span: Range<u64>,
    pub base: u128,
    /// Digits behind a point.
    pub behind: usize,
}

/// A term that is a numeral's number, or its negative, and a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub term: Term,
    pub is_negated: bool,
    pub plus: u128,
}

/// Digits that fit into 64 bits for sure.
const MOST_DIGITS: usize = 18;
/// Terms of one condition that are looked at.
const MOST_TERMS: usize = 1 << 13;

impl Numeral {
    /// What it is written as with another value.
    pub fn text(&self, value: i64) -> Vec<u8> {
        let magnitude = match self.base {
            16 => format!("{:x}", value.unsigned_abs()),
            8 => format!("{:o}", value.unsigned_abs()),
            _ => value.unsigned_abs().to_string(),
        };
        let mut digits = magnitude.into_bytes();
        if self.behind > 0 {
            while digits.len() <= self.behind {
                digits.insert(0, b'0');
            }
            digits.insert(digits.len() - self.behind, b'.');
        }
        if value < 0 {
            digits.insert(0, b'-');
        }
        digits
    }

    /// What stands there now.
    pub fn value(&self, content: &[u8]) -> i64 {
        let text = content.get(self.span.start as usize..self.span.end as usize).unwrap_or_default();
        let digits = text.iter().filter_map(|byte| char::from(*byte).to_digit(self.base as u32));
        let magnitude = digits.fold(0_i64, |all, digit| all.wrapping_mul(self.base as i64).wrapping_add(digit.into()));
        if text.first() == Some(&b'-') { -magnitude } else { magnitude }
    }

    pub fn has(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Byte { input, position } if input == self.input && self.span.contains(&position))
    }

    pub fn meets(&self, other: &Numeral) -> bool {
        self.input == other.input && self.span.start < other.span.end && other.span.start < self.span.end
    }
}

/// The numerals that a term is made of, each with a term that is its number: the outermost such terms.
pub(crate) fn numerals(terms: &Terms, symbols: &Symbols, of: Term) -> Vec<(Numeral, Reading)> {
    let mut found = Vec::new();
    let mut seen: Set<Term> = Set::default();
    let mut waiting = vec![of];
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) || seen.len() > MOST_TERMS {
            continue;
        }
        match numeral(terms, symbols, term) {
            Some(numeral) => found.push(numeral),
            None => waiting.extend(terms.operands(term)),
        }
    }
    found
}

/// Whether a term is the very number that some digits stand for, and not one made of it.
pub(crate) fn is_number(terms: &Terms, symbols: &Symbols, term: Term) -> bool {
    numeral(terms, symbols, term).is_some_and(|(_, reading)| reading.plus == 0)
}

/// The digits that a term depends on, if it depends on nothing else and they stand there as a number does.
fn numeral(terms: &Terms, symbols: &Symbols, term: Term) -> Option<(Numeral, Reading)> {
    let is_number = (8..=64).contains(&terms.width(term)) && terms.operation(term) != Operation::Symbol;
    if !is_number || terms.as_constant(term).is_some() {
        return None;
    }
    let of_term = terms.symbols_of(term);
    if of_term.len() > MOST_DIGITS {
        return None;
    }
    let mut places = Vec::with_capacity(of_term.len());
    for symbol in of_term.iter() {
        let Symbol::Byte { input, position } = symbols.origin(symbol.0 as usize)? else { return None };
        places.push((input, position, *symbol));
    }
    places.sort_unstable();
    let (&(input, first, _), &(last_input, last, _)) = (places.first()?, places.last()?);
    let content = &symbols.inputs()[input].content;
    let at = |position: u64| content.get(usize::try_from(position).ok()?).copied();
    let is_hexadecimal = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
    let is_decimal = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
    let digits: Vec<u8> = places.iter().map(|(_, position, _)| at(*position).unwrap_or(0)).collect();
    let point = (first..last).find(|position| at(*position) == Some(b'.'));
    let length = places.len() as u64 + u64::from(point.is_some());
    if last_input != input || last - first + 1 != length || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let before = first.checked_sub(1);
    let is_whole = |is_digit: &dyn Fn(Option<u8>) -> bool| {
        !before.is_some_and(|before| is_digit(at(before))) && !is_digit(at(last + 1))
    };
    let has_letters = !digits.iter().all(u8::is_ascii_digit);
    let bases: &[u128] = match (has_letters, point) {
        (true, Some(_)) => return None,
        (true, None) => &[16],
        (false, Some(_)) => &[10],
        (false, None) => &[10, 16, 8],
    };
    let own: Vec<_> = places.iter().map(|(.., symbol)| *symbol).collect();
    for &base in bases {
        let is_whole = if base == 16 { is_whole(&is_hexadecimal) } else { is_whole(&is_decimal) };
        if !is_whole {
            continue;
        }
        let Some((is_negated, plus)) = reads(terms, term, &own, &digits, base) else { continue };
        let has_minus = before.is_some_and(|before| at(before) == Some(b'-'));
        let start = if has_minus { first - 1 } else { first };
        let behind = point.map_or(0, |point| (last - point) as usize);
        let numeral = Numeral { input, span: start..last + 1, base, behind };
        // The numeral's value has the sign that stands before it.
        return Some((numeral, Reading { term, is_negated: is_negated != has_minus, plus }));
    }
    None
}

/// Whether a term is the number that digits stand for, whatever they are; with which sign, and more by how much.
fn reads(terms: &Terms, term: Term, symbols: &[smt::Symbol], now: &[u8], base: u128) -> Option<(bool, u128)> {
    /// Digits that are tried in place of those that stand there, by their position: none twice in a row.
    const TRIED: [[u8; 7]; 5] = [
        [7, 1, 4, 2, 6, 3, 5],
        [2, 6, 1, 7, 3, 5, 4],
        [5, 3, 7, 1, 2, 4, 6],
        [1, 1, 2, 3, 5, 7, 4],
        [6, 5, 3, 4, 7, 2, 1],
    ];
    let mask = u128::MAX >> (128 - terms.width(term));
    let (mut same, mut negated) = (None, None);
    let (mut is_same, mut is_negated) = (true, true);
    for digits in TRIED {
        let (mut model, mut number) = (Model::new(), 0_u128);
        for (at, (&symbol, &byte)) in symbols.iter().zip(now).enumerate() {
            let digit = digits[at % digits.len()];
            // A letter stays one, as the run has taken it for one.
            let (byte, digit) = match byte {
                b'0'..=b'9' => (b'0' + digit, digit),
                _ => ((byte & 0x60) + 1 + digit % 6, 10 + digit % 6),
            };
            model.set(symbol, byte.into());
            number = number.wrapping_mul(base).wrapping_add(digit.into());
        }
        let value = Evaluation::new(&model).value(terms, term);
        is_same &= *same.get_or_insert(value.wrapping_sub(number) & mask) == value.wrapping_sub(number) & mask;
        is_negated &= *negated.get_or_insert(value.wrapping_add(number) & mask) == value.wrapping_add(number) & mask;
        if !is_same && !is_negated {
            return None;
        }
    }
    if is_same { Some((false, same?)) } else { Some((true, negated?)) }
}
