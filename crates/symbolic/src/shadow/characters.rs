//! Characters one after the other, wherever they are from: an input, memory, or a text that a stream was made of. What is said
//! of each becomes a condition, so a word or number that ended may be made to go on, and the other way round.

use replay::Observed;
use smt::{Term, Terms};

use super::Shadow;
use super::reading::Place;
use crate::input::Held as Text;
use crate::path::{Kind, Other, Way};

/// Where characters are taken from, and the position of the next.
#[derive(Clone)]
pub(super) enum Characters {
    Input(Place),
    /// They end with a zero.
    Memory(u64),
    Text(Text, u64),
}

#[derive(Clone, Copy)]
pub(super) struct Character {
    pub value: u8,
    /// Of eight bits. None where nothing is symbolic.
    pub term: Option<Term>,
}

/// What a character may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Digit,
    Exactly(u8),
}

impl Class {
    pub fn has(self, value: u8) -> bool {
        match self {
            Class::Space => value == b' ' || (b'\t'..=b'\r').contains(&value),
            Class::Digit => value.is_ascii_digit(),
            Class::Exactly(byte) => value == byte,
        }
    }

    fn holds(self, terms: &mut Terms, character: Term) -> Term {
        let within = |terms: &mut Terms, first: u8, count: u8| {
            let (first, count) = (terms.constant(8, first.into()), terms.constant(8, count.into()));
            let distance = terms.subtract(character, first);
            terms.less_unsigned(distance, count)
        };
        match self {
            Class::Space => {
                let (blank, others) = (within(terms, b' ', 1), within(terms, b'\t', 5));
                terms.or(blank, others)
            }
            Class::Digit => within(terms, b'0', 10),
            Class::Exactly(byte) => within(terms, byte, 1),
        }
    }
}

impl Shadow<'_> {
    /// The next character, and that there is one; or none, and that there is none.
    pub(super) fn next(&mut self, step: &Observed<'_>, from: &Characters) -> Option<Character> {
        match from {
            Characters::Input(place) => {
                let value = self.symbols.inputs()[place.input].content.get(place.position as usize).copied();
                match value {
                    Some(value) => {
                        self.reaches(step, *place, place.position + 1);
                        let term = self.symbols.byte(&self.domain, place.input, place.position);
                        Some(Character { value, term })
                    }
                    None => {
                        self.ends(step, *place, place.position);
                        None
                    }
                }
            }
            Characters::Memory(address) => {
                let (value, term) = self.in_memory(step, *address);
                Some(Character { value, term })
            }
            Characters::Text(text, position) => {
                let (value, term) = *text.get(*position as usize)?;
                Some(Character { value, term })
            }
        }
    }

    /// A byte of memory. What code outside has put there the program may not have loaded yet: then only the symbol tells.
    pub(super) fn in_memory(&self, step: &Observed<'_>, address: u64) -> (u8, Option<Term>) {
        match self.memory.get(address) {
            Some(cell) => (cell.value(&self.domain), Some(cell.byte(&self.domain))),
            None => (self.functions.byte(step, address), None),
        }
    }

    /// Whether it is of a class: a condition of the path.
    pub(super) fn is_of(&mut self, step: &Observed<'_>, character: Character, class: Class) -> bool {
        let is = class.has(character.value);
        if let Some(term) = character.term {
            let holds = self.domain.with(|terms| class.holds(terms, term));
            let not = self.domain.with(|terms| terms.not(holds));
            let (holds, other) = if is { (holds, not) } else { (not, holds) };
            let other = Other { holds: other, way: Way::Elsewhere };
            self.condition(step.step(), Kind::Extent, holds, Way::Elsewhere, vec![other]);
        }
        is
    }

    /// As a term, also where it is the same in every run.
    pub(super) fn character_term(&self, character: Character) -> Term {
        character.term.unwrap_or_else(|| self.domain.constant(8, character.value.into()))
    }

    /// Goes behind white space; whether anything follows.
    pub(super) fn skip_space(&mut self, step: &Observed<'_>, from: &mut Characters) -> bool {
        while let Some(character) = self.next(step, from) {
            if !self.is_of(step, character, Class::Space) {
                return true;
            }
            from.advance();
        }
        false
    }
}

impl Characters {
    pub fn advance(&mut self) {
        match self {
            Characters::Input(place) => place.position += 1,
            Characters::Memory(address) => *address += 1,
            Characters::Text(_, position) => *position += 1,
        }
    }

    /// How many characters are between that position and this one.
    pub fn since(&self, before: &Characters) -> u64 {
        match (self, before) {
            (Characters::Input(here), Characters::Input(there)) => here.position - there.position,
            (Characters::Memory(here), Characters::Memory(there)) => here - there,
            (Characters::Text(_, here), Characters::Text(_, there)) => here - there,
            _ => 0,
        }
    }
}
