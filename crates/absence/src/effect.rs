//! What an experiment did to the failure: how much of the output it made right.

use std::cmp::Reverse;

use experiment::Ran;

use subject::Subject;

/// How much is right that was wrong in the failing run; the most first. If anything is, a dependence is strong (definition 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Righted {
    /// The run satisfies the oracle.
    All,
    /// The output, through the word in which it went wrong.
    Word,
    /// Only the first wrong byte, or a few.
    Byte,
    /// Something else is wrong there.
    Changed,
    Nothing,
}

impl Righted {
    pub fn is_strong(self) -> bool {
        self <= Righted::Byte
    }
}

/// What an experiment did to the failure; the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Effect {
    pub righted: Righted,
    /// So many bytes of the output are right before the first wrong one.
    pub bytes: Reverse<u64>,
}

impl Effect {
    pub const NONE: Effect = Effect { righted: Righted::Nothing, bytes: Reverse(0) };
    pub const ALL: Effect = Effect { righted: Righted::All, bytes: Reverse(u64::MAX) };
    /// The word is right, and nothing behind it.
    pub const LEAST_WORD: Effect = Effect { righted: Righted::Word, bytes: Reverse(0) };

    pub fn is_strong(self) -> bool {
        self.righted.is_strong()
    }
}

/// How much of the output of a run that does not pass is right, beyond what is right in the failing run.
pub fn effect(subject: &Subject<'_, '_>, ran: &Ran) -> Effect {
    let Some(expected) = &subject.lab.oracle().output else { return Effect::NONE };
    let shown = ran.shown();
    let righted = right_through(&subject.lab.baseline().ran.shown(), expected, &shown);
    let right = shown.iter().zip(expected).take_while(|(a, b)| a == b).count();
    Effect { righted, bytes: Reverse(right as u64) }
}

fn right_through(failing: &[u8], expected: &[u8], output: &[u8]) -> Righted {
    let wrong = failing.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let end = expected[wrong..].iter().position(u8::is_ascii_whitespace).map_or(expected.len(), |at| wrong + at + 1);
    match expected.get(wrong..end).filter(|word| !word.is_empty()) {
        Some(_) if output.starts_with(&expected[..end]) => Righted::Word,
        Some(_) if output.starts_with(&expected[..=wrong]) => Righted::Byte,
        // The failing run wrote too much.
        None if output == expected => Righted::Word,
        _ if output.starts_with(&expected[..wrong]) && word(output, wrong) != word(failing, wrong) => Righted::Changed,
        _ => Righted::Nothing,
    }
}

/// The word that begins here, or goes on.
fn word(text: &[u8], from: usize) -> &[u8] {
    text[from..].split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Righted, right_through};

    #[test]
    fn the_word_that_was_wrong_must_be_right() {
        let of = |output: &str| right_through(b"a 17 b\n", b"a 12 c\n", output.as_bytes());
        assert_eq!(["a 12 c\n", "a 12 b\n"].map(of), [Righted::Word; 2]);
        assert_eq!(["a 17 c\n", "b 12 c\n", "a 17"].map(of), [Righted::Nothing; 3]);
        assert_eq!(["a 18 b\n", "a 1", "a\n"].map(of), [Righted::Changed, Righted::Changed, Righted::Nothing]);
        assert_eq!(of("a 121 c\n"), Righted::Byte);
        // What is missing, and what is too much.
        assert_eq!(right_through(b"a\n", b"a\nb\n", b"a\nb\nc"), Righted::Word);
        assert_eq!(right_through(b"a\n", b"a\nb\n", b"a\n"), Righted::Nothing);
        assert_eq!(right_through(b"a\nb\n", b"a\n", b"a\n"), Righted::Word);
        assert_eq!(right_through(b"a\nb\n", b"a\n", b"a\nc"), Righted::Changed);
    }
}
