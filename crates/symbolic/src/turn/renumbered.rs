//! Inputs in which numbers are written otherwise, with more digits or fewer, or with a sign: for turns that no input of the
//! same layout makes. A number of one digit is less than ten on its path; what the program asks of it says nothing of digits.
//!
//! Of a turn's condition, and of those before it, each numeral's number becomes a symbol of its own; what was said of its
//! digits alone is left out. What the solver makes of it is written in place of the digits, and all behind it moves. That the
//! run goes the same way until there is likely and no more, as it is with other guesses.

use smt::hash::Map;
use smt::{Limits, Model, Query, Replacing, SoftAnswer, Term, Terms};

use super::{Found, Turn, Turner};
use crate::input::Input;
use crate::numeral::{Numeral, Reading, numerals};
use crate::path::{Condition, Kind};

/// How many bits a number may have, and whether the highest is a sign: the smallest that will do is the easiest to find, and
/// what programs expect.
const SIZES: [(u32, bool); 3] = [(20, false), (32, true), (64, true)];
/// What a guess may cost: so many times less than another question. Products of unknowns take all that they are given.
const LESS: u64 = 10;
/// Longer paths are not made anew for each guess.
const LONGEST: usize = 1 << 13;

impl Turner<'_> {
    /// An input for a turn, with other numbers; also tells the first condition that was given up.
    pub fn renumber(&mut self, turn: Turn, stop: &dyn Fn() -> bool) -> Option<(Found, usize)> {
        let (_, other) = self.at(turn)?;
        let conditions = &self.shadowed.path.conditions[..turn.condition];
        if conditions.len() > LONGEST {
            return None;
        }
        let symbols = &self.shadowed.symbols;
        let mut read: Vec<(Numeral, Vec<Reading>)> = Vec::new();
        let found = self.shadowed.domain.with(|terms| numerals(terms, symbols, other.holds));
        for (numeral, reading) in found {
            match read.iter_mut().find(|(known, _)| known.meets(&numeral)) {
                Some((known, readings)) if *known == numeral => readings.push(reading),
                Some(_) => {}
                None => read.push((numeral, vec![reading])),
            }
        }
        if read.is_empty() {
            return None;
        }
        // What the path says of the same numbers, it may say by other terms.
        let is_about = |holds: Term, terms: &Terms| {
            let of = terms.symbols_of(holds);
            let mut origins = of.iter().filter_map(|symbol| symbols.origin(symbol.0 as usize));
            origins.any(|origin| read.iter().any(|(numeral, _)| numeral.has(origin)))
        };
        let about: Vec<usize> = self.shadowed.domain.with(|terms| {
            let is_about = |at: &usize| is_about(conditions[*at].holds, terms);
            (0..conditions.len()).filter(is_about).collect()
        });
        for &at in &about {
            let found = self.shadowed.domain.with(|terms| numerals(terms, symbols, conditions[at].holds));
            for (numeral, reading) in found {
                if let Some((_, readings)) = read.iter_mut().find(|(known, _)| *known == numeral) {
                    readings.push(reading);
                }
            }
        }
        SIZES.iter().find_map(|size| self.with_numbers(turn, other.holds, &read, &about, *size, stop))
    }

    fn with_numbers(
        &mut self,
        turn: Turn,
        wanted: Term,
        read: &[(Numeral, Vec<Reading>)],
        about: &[usize],
        (width, is_signed): (u32, bool),
        stop: &dyn Fn() -> bool,
    ) -> Option<(Found, usize)> {
        let conditions = &self.shadowed.path.conditions[..turn.condition];
        let mut first = turn.condition;
        let (wanted, known, numbers) = self.shadowed.domain.with(|terms| {
            let mut numbers = Vec::new();
            let mut by = Map::default();
            for (numeral, readings) in read {
                let now = numeral.value(&self.shadowed.symbols.inputs()[numeral.input].content);
                let number = terms.symbol(width, now as u64 as u128);
                let broad = match is_signed {
                    true => terms.sign_extend(number, 64),
                    false => terms.zero_extend(number, 64),
                };
                for reading in readings {
                    by.insert(reading.term, read_as(terms, broad, reading));
                }
                numbers.push((numeral, number));
            }
            let mut replacing = Replacing::new(by);
            let wanted = replacing.replaced(terms, wanted);
            let mut known = Vec::with_capacity(conditions.len());
            let mut next = about.iter().copied().peekable();
            for (at, condition) in conditions.iter().enumerate() {
                if next.next_if_eq(&at).is_none() {
                    if !is_of_layout(condition) {
                        known.push(condition.holds);
                    }
                    continue;
                }
                let replaced = replacing.replaced(terms, condition.holds);
                match is_of_layout(condition) || self.says_digits(terms, read, condition.holds, replaced) {
                    true => first = first.min(at),
                    false => known.push(replaced),
                }
            }
            (wanted, known, numbers)
        });
        if self.shadowed.domain.with(|terms| self.mentions(terms, read, wanted)) {
            return None;
        }
        let known: Vec<Term> = self.known[..self.possible].iter().copied().chain(known).collect();
        let query = Query { known: &known, wanted: &[wanted] };
        let soft = &self.soft[..self.better];
        let limits =
            Limits { conflicts: self.limits.conflicts / LESS, time: self.limits.time / LESS as u32, ..self.limits };
        let answer = self.shadowed.domain.with(|terms| self.guesses.ask_soft(terms, query, soft, &limits, stop));
        let SoftAnswer::Yes { model, .. } = answer else { return None };
        let mut inputs = self.inputs(&model);
        let mut written: Vec<(&Numeral, i64)> = Vec::new();
        for (numeral, number) in numbers {
            let value = self.shadowed.domain.with(|terms| terms.evaluate(number, &model)) as i64;
            let unused = 64 - width;
            written.push((numeral, if is_signed { value << unused >> unused } else { value }));
        }
        write(&mut inputs, written);
        let found = Found { inputs, fresh: self.fresh(&model), longer: None, given_up: 1 };
        Some((found, first))
    }

    /// Whether a condition that is made anew still says something of digits; or says no more of a single digit than that it is
    /// one.
    fn says_digits(&self, terms: &Terms, read: &[(Numeral, Vec<Reading>)], holds: Term, replaced: Term) -> bool {
        if self.mentions(terms, read, replaced) {
            return true;
        }
        match *terms.symbols_of(holds) {
            [symbol] => (b'0'..=b'9').all(|digit| {
                let model: Model = [(symbol, digit.into())].into_iter().collect();
                terms.evaluate(holds, &model) == 1
            }),
            _ => false,
        }
    }

    fn mentions(&self, terms: &Terms, read: &[(Numeral, Vec<Reading>)], term: Term) -> bool {
        let of = terms.symbols_of(term);
        let mut origins = of.iter().filter_map(|symbol| self.shadowed.symbols.origin(symbol.0 as usize));
        origins.any(|origin| read.iter().any(|(numeral, _)| numeral.has(origin)))
    }
}

/// What a reading is if the numeral has this value.
fn read_as(terms: &mut Terms, value: Term, reading: &Reading) -> Term {
    let width = terms.width(reading.term);
    let value = terms.extract(value, 0, width);
    let value = if reading.is_negated { terms.negate(value) } else { value };
    let plus = terms.constant(width, reading.plus);
    terms.add(value, plus)
}

/// What an assumption of ours says, or how long an input is: all that follows a number moves.
fn is_of_layout(condition: &Condition) -> bool {
    matches!(condition.kind, Kind::Pin | Kind::Reached | Kind::Length)
}

/// Puts numbers where others stand, the last first, since all that follows one moves.
fn write(inputs: &mut [Input], mut written: Vec<(&Numeral, i64)>) {
    written.sort_by_key(|(numeral, _)| std::cmp::Reverse(numeral.span.start));
    for (numeral, value) in written {
        let content = &mut inputs[numeral.input].content;
        let (start, end) = (numeral.span.start as usize, (numeral.span.end as usize).min(content.len()));
        content.splice(start.min(end)..end, numeral.text(value));
    }
}
