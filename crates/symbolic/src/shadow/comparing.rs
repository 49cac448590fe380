//! Texts of the input that are compared with other texts: what would have to stand in the input for both to be equal. One
//! byte after the other, conditions say the same; but only of bytes that are there, and of the first that differs.

use std::collections::HashSet;
use std::ops::Range;

use execution::library_call::called_name;
use program::{Call, Site};
use replay::{Observed, Step};
use smt::{Evaluation, Model, Operation, Terms};

use super::Shadow;
use super::characters::Character;
use super::step::number;
use crate::input::Symbol;

/// A text of an input that was compared with something else.
#[derive(Clone, Debug)]
pub struct Compared {
    pub at: Step,
    /// How many conditions of the path came before.
    pub before: usize,
    /// Which input it is from, and where it stands there.
    pub input: usize,
    pub span: Range<u64>,
    /// What would be equal, were it there in its place.
    pub wanted: Vec<u8>,
}

/// How a function compares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Both end with a zero.
    Texts,
    /// They do, or after as many bytes as the third argument says.
    TextsWithin,
    /// Blocks of so many bytes.
    Blocks,
    /// The second is looked for in the first.
    Within,
}

fn manner(name: &str) -> Option<Manner> {
    Some(match name {
        "strcmp" | "strcoll" | "strcasecmp" => Manner::Texts,
        "strncmp" | "strncasecmp" => Manner::TextsWithin,
        "memcmp" | "bcmp" => Manner::Blocks,
        "strstr" | "strcasestr" => Manner::Within,
        _ => return None,
    })
}

/// Bytes of a text that are looked at.
const LONGEST: u64 = 64;
/// Comparisons of one run that are noted.
const MOST: usize = 1 << 10;

/// What has been noted so far.
#[derive(Default)]
pub(super) struct Comparisons {
    pub all: Vec<Compared>,
    known: HashSet<(Site, usize, u64, Vec<u8>)>,
}

/// A byte of a text, and the symbol it depends on, if that is one.
#[derive(Clone, Copy)]
struct Byte {
    value: u8,
    term: Option<smt::Term>,
    origin: Option<(usize, u64, smt::Symbol)>,
}

impl Shadow<'_> {
    /// A function is called that may compare texts.
    pub(super) fn compare_texts(&mut self, step: &Observed<'_>, call: &Call) {
        if self.memory.count() == 0 || self.comparisons.all.len() >= MOST {
            return;
        }
        let Some(name) = called_name(step.module(), call) else { return };
        let Some(manner) = manner(name.strip_prefix(abi::TWIN_PREFIX).unwrap_or(name)) else { return };
        let word = |at: usize| call.arguments.get(at).map(|operand| number(step.operand(operand)) as u64);
        let (Some(a), Some(b)) = (word(0), word(1)) else { return };
        let most = match manner {
            Manner::Texts | Manner::Within => LONGEST,
            Manner::TextsWithin | Manner::Blocks => word(2).unwrap_or(0).min(LONGEST),
        };
        let (left, right) = (self.text_at(step, a, most, manner), self.text_at(step, b, most, manner));
        if manner == Manner::Within {
            return self.note_wanted_within(step, &left, &right);
        }
        self.note_wanted(step, &left, &right);
        self.note_wanted(step, &right, &left);
        if manner == Manner::Blocks {
            // Of strings that know their length, only what both have is compared so; behind it they mostly end with a zero.
            let whole = |address| self.text_at(step, address, LONGEST, Manner::Texts);
            let (left, right) = (whole(a), whole(b));
            self.note_wanted(step, &left, &right);
            self.note_wanted(step, &right, &left);
        }
    }

    fn text_at(&self, step: &Observed<'_>, address: u64, most: u64, manner: Manner) -> Vec<Byte> {
        let characters = (0..most).map(|at| self.in_memory(step, address.wrapping_add(at)));
        let characters = characters.take_while(|(value, _)| *value != 0 || manner == Manner::Blocks);
        characters.map(|(value, term)| self.byte_from(Character { value, term })).collect()
    }

    fn byte_from(&self, Character { value, term }: Character) -> Byte {
        let origin = term.and_then(|term| {
            let symbol = self.domain.with(|terms| match *terms.symbols_of(term) {
                [symbol] => Some(symbol),
                _ => None,
            })?;
            match self.symbols.origin(symbol.0 as usize)? {
                Symbol::Byte { input, position } => Some((input, position, symbol)),
                Symbol::Length { .. } | Symbol::Fresh { .. } => None,
            }
        });
        Byte { value, term, origin }
    }

    /// Both texts were compared with each other.
    pub(super) fn note_compared(&mut self, step: &Observed<'_>, a: &[Character], b: &[Character]) {
        let bytes = |text: &[Character]| -> Vec<Byte> {
            text.iter().take(LONGEST as usize).map(|character| self.byte_from(*character)).collect()
        };
        let (a, b) = (bytes(a), bytes(b));
        self.note_wanted(step, &a, &b);
        self.note_wanted(step, &b, &a);
    }

    /// Notes what must stand where a text came from for it to be the other one.
    fn note_wanted(&mut self, step: &Observed<'_>, text: &[Byte], other: &[Byte]) {
        if let Some((input, span, wanted)) = self.domain.with(|terms| wanted_in_place(terms, text, other)) {
            self.add_compared(step, input, span, wanted);
        }
    }

    /// Notes that a text might have gone on with what is looked for in it.
    fn note_wanted_within(&mut self, step: &Observed<'_>, text: &[Byte], other: &[Byte]) {
        let Some(last) = text.last() else { return };
        let Some((input, position, _)) = last.origin else { return };
        let wanted: Option<Vec<u8>> =
            self.domain.with(|terms| other.iter().map(|byte| made_from(terms, last, byte.value)).collect());
        if let Some(wanted) = wanted {
            self.add_compared(step, input, position + 1..position + 1, wanted);
        }
    }

    fn add_compared(&mut self, step: &Observed<'_>, input: usize, span: Range<u64>, wanted: Vec<u8>) {
        if self.comparisons.known.insert((step.site(), input, span.start, wanted.clone())) {
            let before = self.path.conditions.len();
            self.comparisons.all.push(Compared { at: step.step(), before, input, span, wanted });
        }
    }
}

/// What must stand in which input, and in place of what, for a text to be another one. `None`: they are the same; or the text
/// does not stand there in one piece.
fn wanted_in_place(terms: &Terms, text: &[Byte], other: &[Byte]) -> Option<(usize, Range<u64>, Vec<u8>)> {
    let is_equal = text.len() == other.len() && text.iter().zip(other).all(|(a, b)| a.value == b.value);
    let (input, first, _) = text.first().and_then(|byte| byte.origin).filter(|_| !is_equal)?;
    let follows = |(byte, at): (&Byte, u64)| matches!(byte.origin, Some((of, position, _)) if of == input && position == first + at);
    if !text.iter().zip(0..).all(follows) {
        return None;
    }
    let wanted: Option<Vec<u8>> =
        (0..other.len()).map(|at| made_from(terms, &text[at.min(text.len() - 1)], other[at].value)).collect();
    Some((input, first..first + text.len() as u64, wanted?))
}

/// The byte of the input that such a byte is made of when it has another value: letters may have been made larger.
fn made_from(terms: &Terms, byte: &Byte, value: u8) -> Option<u8> {
    let ((_, _, symbol), term) = (byte.origin?, byte.term?);
    if terms.operation(term) == Operation::Symbol {
        return Some(value);
    }
    let makes = |from: &u8| {
        let model: Model = [(symbol, (*from).into())].into_iter().collect();
        Evaluation::new(&model).value(terms, term) == value.into()
    };
    [value].into_iter().chain(0..=u8::MAX).find(makes)
}

impl Compared {
    /// The inputs of the run with what is wanted in its place.
    pub fn inputs(&self, inputs: &[crate::input::Input]) -> Vec<crate::input::Input> {
        let mut inputs = inputs.to_vec();
        let content = &mut inputs[self.input].content;
        let end = (self.span.end as usize).min(content.len());
        content.splice((self.span.start as usize).min(end)..end, self.wanted.iter().copied());
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Input, Name};

    /// Bytes of an input from a position on, each as it stands there.
    fn bytes(terms: &mut Terms, text: &str, first: u64) -> Vec<Byte> {
        let byte = |(position, value): (u64, u8)| {
            let term = terms.symbol(8, value.into());
            let symbol = terms.symbols_of(term)[0];
            Byte { value, term: Some(term), origin: Some((0, position, symbol)) }
        };
        (first..).zip(text.bytes()).map(byte).collect()
    }

    fn constants(text: &str) -> Vec<Byte> {
        text.bytes().map(|value| Byte { value, term: None, origin: None }).collect()
    }

    /// As `toupper` makes it.
    fn in_capitals(terms: &mut Terms, bytes: &mut [Byte]) {
        for byte in bytes {
            let term = byte.term.expect("it is of the input");
            let (a, letters, distance) = (terms.constant(8, 97), terms.constant(8, 26), terms.constant(8, 32));
            let letter = terms.subtract(term, a);
            let is_small = terms.less_unsigned(letter, letters);
            let large = terms.subtract(term, distance);
            let made = terms.choose(is_small, large, term);
            *byte = Byte { value: terms.value(made) as u8, term: Some(made), ..*byte };
        }
    }

    #[test]
    fn another_text_is_wanted_in_its_place() {
        let mut terms = Terms::new();
        let text = bytes(&mut terms, "abc", 5);
        let wanted = |other: &str| wanted_in_place(&terms, &text, &constants(other));
        assert_eq!(wanted("xy"), Some((0, 5..8, b"xy".to_vec())));
        assert_eq!(wanted("longer"), Some((0, 5..8, b"longer".to_vec())));
        assert_eq!(wanted("abc"), None, "it is that already");
    }

    #[test]
    fn what_is_not_of_one_piece_is_left() {
        let mut terms = Terms::new();
        let apart = [bytes(&mut terms, "ab", 5), bytes(&mut terms, "c", 9)].concat();
        assert_eq!(wanted_in_place(&terms, &apart, &constants("xyz")), None);
        let mixed = [bytes(&mut terms, "ab", 5), constants("c")].concat();
        assert_eq!(wanted_in_place(&terms, &mixed, &constants("xyz")), None);
        assert_eq!(wanted_in_place(&terms, &constants("abc"), &constants("xyz")), None);
        assert_eq!(wanted_in_place(&terms, &[], &constants("xyz")), None);
    }

    #[test]
    fn what_was_made_larger_is_wanted_as_it_is_made() {
        let mut terms = Terms::new();
        let mut text = bytes(&mut terms, "get", 0);
        in_capitals(&mut terms, &mut text);
        assert_eq!(wanted_in_place(&terms, &text, &constants("PUT")), Some((0, 0..3, b"PUT".to_vec())));
        assert_eq!(wanted_in_place(&terms, &text, &constants("put")), None, "capitals are never that");
    }

    #[test]
    fn it_is_put_where_the_other_stood() {
        let input = Input { name: Name::Standard, content: b"say abc!".to_vec() };
        let site = Site {
            function: program::FunctionKey { module: 0, function: abi::FunctionId(0) },
            instruction: abi::InstructionId(0),
        };
        let with = |span: Range<u64>| {
            let at = Step { clock: 0, depth: 0, site };
            let compared = Compared { at, before: 0, input: 0, span, wanted: b"hello".to_vec() };
            let inputs = compared.inputs(std::slice::from_ref(&input));
            String::from_utf8_lossy(&inputs[0].content).into_owned()
        };
        assert_eq!(with(4..7), "say hello!");
        assert_eq!(with(8..8), "say abc!hello");
        assert_eq!(with(7..20), "say abchello", "it is no longer than it is");
        assert_eq!(with(20..22), "say abc!hello");
    }

    #[test]
    fn functions_compare_in_their_manner() {
        assert!(manner("strcmp") == Some(Manner::Texts) && manner("strncasecmp") == Some(Manner::TextsWithin));
        assert!(manner("memcmp") == Some(Manner::Blocks) && manner("strstr") == Some(Manner::Within));
        assert!(manner("memcpy").is_none() && manner("compare").is_none());
    }
}
