//! `std::string`, as far as the library keeps its functions to itself: those that look at characters say by conditions what they
//! found, as code of the program's would; those that make strings of others hand characters over.
//!
//! What code outside has written is in the replay's memory only once the program has loaded it. Of a string that it has not
//! looked into yet the characters are those that are awaited there.

use std::cmp::Ordering;

use replay::Observed;
use smt::Term;

use super::Shadow;
use super::characters::Character;
use super::memory::Cell;
use crate::path::{Kind, Other, Way};

/// Functions that leave a string as it is, and those that may change it.
const CONST: &str = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
const PLAIN: &str = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
/// Longer ones are not followed.
const LONGEST: u64 = 1 << 16;

type Text = Vec<Character>;

/// Whether a function is one of those that are followed here, by its name.
pub(super) fn is_of_strings(name: &str) -> bool {
    name.starts_with(CONST) || name.starts_with(PLAIN)
}

/// Where a text stands in another one, at the earliest from there on. Nothing is not looked for behind the end.
fn position(own: &[Character], wanted: &[Character], first: usize) -> Option<usize> {
    let is_at =
        |at: &usize| own[*at..].len() >= wanted.len() && own[*at..].iter().zip(wanted).all(|(a, b)| a.value == b.value);
    (first..own.len()).find(is_at)
}

/// These characters of a text, as far as there are some.
fn part(text: &[Character], first: u64, length: u64) -> &[Character] {
    let first = first.min(text.len() as u64) as usize;
    let length = length.min((text.len() - first) as u64) as usize;
    &text[first..first + length]
}

impl Shadow<'_> {
    /// A function that may change a string is called: the string's characters, which it may leave.
    pub(super) fn note_string(&mut self, step: &Observed<'_>, name: &str, words: &[u64]) {
        if name.starts_with(PLAIN)
            && let Some(string) = words.first()
        {
            self.string_before = self.string(step, *string);
        }
    }

    /// A function of strings has come back. Whether it could be followed.
    pub(super) fn follow_string(
        &mut self,
        step: &Observed<'_>,
        name: &str,
        words: &[u64],
        result: Option<u64>,
    ) -> bool {
        if let Some(name) = name.strip_prefix(CONST) {
            return self.look_at_string(step, name, words, result).is_some();
        }
        let (Some(name), Some(&string)) = (name.strip_prefix(PLAIN), words.first()) else { return false };
        match self.made_string(step, name, words) {
            Some(text) => {
                let text = text.into_iter().map(|character| Some(self.character_term(character))).collect();
                self.await_text(string, text);
                true
            }
            None => {
                self.awaited.remove(&string);
                false
            }
        }
    }

    /// None: it is not known, or found something else than what is known here.
    fn look_at_string(&mut self, step: &Observed<'_>, name: &str, words: &[u64], result: Option<u64>) -> Option<()> {
        let own = self.string(step, *words.first()?)?;
        let word = |at: usize| words.get(at).copied();
        let (own, other) = match name {
            "7compareEPKc" => (&own[..], self.zero_ended(step, word(1)?)?),
            "7compareERKS4_" => (&own[..], self.string(step, word(1)?)?),
            "7compareEmmPKc" => (part(&own, word(1)?, word(2)?), self.zero_ended(step, word(3)?)?),
            "7compareEmmRKS4_" => (part(&own, word(1)?, word(2)?), self.string(step, word(3)?)?),
            "7compareEmmPKcm" => (part(&own, word(1)?, word(2)?), self.characters_at(step, word(3)?, word(4)?)?),
            "4findEcm" => return self.find(step, &own, &[plain(word(1)?)], word(2)?, result?),
            "4findEPKcmm" => {
                let wanted = self.characters_at(step, word(1)?, word(3)?)?;
                return self.find(step, &own, &wanted, word(2)?, result?);
            }
            "5rfindEcm" => return self.find_last(step, &own, plain(word(1)?), word(2)?, result?),
            _ => return None,
        };
        let value = |character: &Character| character.value;
        let order = own.iter().map(value).cmp(other.iter().map(value));
        if order != (result? as i32).cmp(&0) {
            return None;
        }
        self.note_compared(step, own, &other);
        for (a, b) in own.iter().zip(&other) {
            if !self.is_same(step, *a, *b) {
                break;
            }
        }
        Some(())
    }

    fn find(
        &mut self,
        step: &Observed<'_>,
        own: &[Character],
        wanted: &[Character],
        first: u64,
        result: u64,
    ) -> Option<()> {
        let first = first.min(own.len() as u64) as usize;
        let found = position(own, wanted, first);
        if found.map_or(u64::MAX, |found| found as u64) != result {
            return None;
        }
        for begin in first..own.len() {
            if own[begin..].len() < wanted.len()
                || own[begin..].iter().zip(wanted).all(|(a, b)| self.is_same(step, *a, *b))
            {
                break;
            }
        }
        Some(())
    }

    fn find_last(
        &mut self,
        step: &Observed<'_>,
        own: &[Character],
        wanted: Character,
        last: u64,
        result: u64,
    ) -> Option<()> {
        let candidates = part(own, 0, last.saturating_add(1));
        let found = candidates.iter().rposition(|character| character.value == wanted.value);
        if found.map_or(u64::MAX, |found| found as u64) != result {
            return None;
        }
        for character in candidates.iter().rev() {
            if self.is_same(step, *character, wanted) {
                break;
            }
        }
        Some(())
    }

    /// Whether a character is another one, or which of them is less: a condition of the path.
    fn is_same(&mut self, step: &Observed<'_>, a: Character, b: Character) -> bool {
        if a.term.is_some() || b.term.is_some() {
            let (x, y) = (self.character_term(a), self.character_term(b));
            let (equal, less, greater) =
                self.domain.with(|terms| (terms.equal(x, y), terms.less_unsigned(x, y), terms.less_unsigned(y, x)));
            let (holds, others) = match a.value.cmp(&b.value) {
                Ordering::Equal => (equal, [less, greater]),
                Ordering::Less => (less, [equal, greater]),
                Ordering::Greater => (greater, [equal, less]),
            };
            let others = others.map(|holds| Other { holds, way: Way::Elsewhere }).to_vec();
            self.condition(step.step(), Kind::Extent, holds, Way::Elsewhere, others);
        }
        a.value == b.value
    }

    /// What a string is made of now.
    fn made_string(&mut self, step: &Observed<'_>, name: &str, words: &[u64]) -> Option<Text> {
        let word = |at: usize| words.get(at).copied();
        let before = self.string_before.take();
        let joined = |more: Text| before.clone().map(|own| [own, more].concat());
        match name {
            "9_M_appendEPKcm" | "6appendEPKcm" => joined(self.characters_at(step, word(1)?, word(2)?)?),
            "6appendEPKc" | "pLEPKc" => joined(self.zero_ended(step, word(1)?)?),
            "6appendERKS4_" | "pLERKS4_" => joined(self.string(step, word(1)?)?),
            // The caller writes the characters that room is made for.
            "9_M_mutateEmmPKcm" | "10_M_replaceEmmPKcm" => {
                let by = match word(3)? {
                    0 => vec![plain(0); usize::try_from(word(4)?.min(LONGEST)).ok()?],
                    at => self.characters_at(step, at, word(4)?)?,
                };
                spliced(&before?, word(1)?, word(2)?, by)
            }
            "14_M_replace_auxEmmmc" => {
                let by = vec![plain(word(4)?); usize::try_from(word(3)?.min(LONGEST)).ok()?];
                spliced(&before?, word(1)?, word(2)?, by)
            }
            "9_M_assignERKS4_" | "aSERKS4_" | "6assignERKS4_" | "C1ERKS4_" | "C2ERKS4_" => self.string(step, word(1)?),
            "aSEPKc" | "6assignEPKc" => self.zero_ended(step, word(1)?),
            "C1ERKS4_mm" | "C2ERKS4_mm" => {
                let other = self.string(step, word(1)?)?;
                Some(part(&other, word(2)?, word(3)?).to_vec())
            }
            "12_M_constructIPKcEEvT_S8_St20forward_iterator_tag"
            | "12_M_constructIPcEEvT_S7_St20forward_iterator_tag" => {
                self.characters_at(step, word(1)?, word(2)?.wrapping_sub(word(1)?))
            }
            "7reserveEm" => before,
            _ => None,
        }
    }

    /// The characters of a string; none if they are not known.
    pub(super) fn string(&self, step: &Observed<'_>, string: u64) -> Option<Text> {
        if let Some(cells) = self.awaited.get(&string) {
            let known = |cell: &Option<Cell>| {
                let cell = (*cell)?;
                Some(Character { value: cell.value(&self.domain), term: Some(cell.byte(&self.domain)) })
            };
            return cells.iter().map(known).collect();
        }
        let word =
            |at: u64| (0..8).rev().fold(0, |all, byte| all << 8 | u64::from(self.functions.byte(step, at + byte)));
        match word(string) {
            0 => None,
            at => self.characters_at(step, at, word(string + 8)),
        }
    }

    fn characters_at(&self, step: &Observed<'_>, at: u64, length: u64) -> Option<Text> {
        let character = |more: u64| {
            let (value, term) = self.in_memory(step, at.wrapping_add(more));
            Character { value, term }
        };
        (length <= LONGEST).then(|| (0..length).map(character).collect())
    }

    fn zero_ended(&self, step: &Observed<'_>, at: u64) -> Option<Text> {
        let length = (0..LONGEST).find(|more| self.in_memory(step, at.wrapping_add(*more)).0 == 0)?;
        self.characters_at(step, at, length)
    }
}

/// One that is the same in every run.
fn plain(word: u64) -> Character {
    Character { value: word as u8, term: None::<Term> }
}

/// A text with others in place of some of its characters.
fn spliced(own: &[Character], first: u64, count: u64, by: Text) -> Option<Text> {
    let (first, count) = (usize::try_from(first).ok()?, usize::try_from(count).ok()?);
    let end = first.checked_add(count)?;
    (end <= own.len()).then(|| [&own[..first], &by[..], &own[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(of: &str) -> Text {
        of.bytes().map(|byte| plain(byte.into())).collect()
    }

    fn told(text: &[Character]) -> String {
        text.iter().map(|character| char::from(character.value)).collect()
    }

    #[test]
    fn a_part_is_as_long_as_there_are_characters() {
        let whole = text("faultline");
        assert_eq!(told(part(&whole, 5, 4)), "line");
        assert_eq!(told(part(&whole, 5, u64::MAX)), "line");
        assert_eq!(told(part(&whole, 0, 5)), "fault");
        assert_eq!(told(part(&whole, 20, 3)), "");
    }

    #[test]
    fn characters_are_replaced_by_others() {
        let whole = text("faultline");
        let made = |first, count, by| spliced(&whole, first, count, text(by)).map(|text| told(&text));
        assert_eq!(made(0, 5, "dead").as_deref(), Some("deadline"));
        assert_eq!(made(9, 0, "s").as_deref(), Some("faultlines"));
        assert_eq!(made(5, 4, "").as_deref(), Some("fault"));
        assert_eq!(made(5, 5, ""), None, "there are not so many");
        assert_eq!(made(u64::MAX, 1, ""), None);
    }

    #[test]
    fn a_text_is_found_where_the_library_finds_it() {
        let whole = text("a=b=c");
        let at = |wanted: &str, first| position(&whole, &text(wanted), first);
        assert_eq!((at("=", 0), at("=", 1), at("=", 2), at("=", 4)), (Some(1), Some(1), Some(3), None));
        assert_eq!((at("b=", 0), at("b=d", 0), at("a=b=cd", 0)), (Some(2), None, None));
    }

    #[test]
    fn only_strings_of_plain_characters_are_followed() {
        assert!(is_of_strings("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7compareEPKc"));
        assert!(is_of_strings("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc"));
        assert!(!is_of_strings("_ZNKSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE7compareEPKw"));
        assert!(!is_of_strings("strcmp"));
    }
}
