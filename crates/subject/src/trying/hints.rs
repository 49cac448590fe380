//! What the wrong and the expected output suggest of the values behind them.

use crate::Subject;

/// Where the outputs first differ: what is there, and what should be.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Hints {
    pub numbers: Vec<Pair>,
    /// Whole numbers that should be there, where nothing is.
    pub missing: Vec<i64>,
    /// The byte that should be there.
    pub byte: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pair {
    Whole { is: i64, should: i64 },
    Real { is: f64, should: f64 },
}

/// Numbers of a line that are looked at.
const MOST: usize = 2;

impl Hints {
    pub fn of_failure(subject: &Subject<'_, '_>) -> Hints {
        let expected = subject.lab.oracle().output.as_ref();
        expected.map_or_else(Hints::default, |expected| Hints::of(&subject.lab.baseline().ran.output, expected))
    }

    pub fn of(found: &[u8], expected: &[u8]) -> Hints {
        let at = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
        let byte = expected.get(at).copied();
        let begin = expected[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
        let (is, should) = (words(line(found, begin)), words(line(expected, begin)));
        let pairs = is.iter().zip(&should).filter(|(is, should)| is != should);
        let numbers = pairs.filter_map(|(is, should)| pair(is, should)).take(MOST).collect();
        let missing = should.iter().skip(is.len()).flat_map(|word| numbers_in(word)).take(MOST * 2).collect();
        Hints { numbers, missing, byte }
    }
}

fn line(text: &[u8], begin: usize) -> &[u8] {
    text[begin..].split(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// Runs of letters, digits, points and signs.
fn words(line: &[u8]) -> Vec<&str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    line.split(|byte| !is_part(byte))
        .filter_map(|word| std::str::from_utf8(word).ok())
        .map(|word| word.trim_end_matches(['.', '-']))
        .filter(|word| !word.is_empty())
        .collect()
}

/// What a word may stand for as a whole number: itself, or what it is with a point in it.
fn numbers_in(word: &str) -> Vec<i64> {
    let without = word.replace('.', "");
    [word, &without].iter().filter_map(|word| word.parse().ok()).take(1).collect()
}

fn pair(is: &str, should: &str) -> Option<Pair> {
    let whole = |radix: u32| -> Option<Pair> {
        let number = |text: &str| i64::from_str_radix(text, radix).ok();
        Some(Pair::Whole { is: number(is)?, should: number(should)? })
    };
    let real = || Some(Pair::Real { is: is.parse().ok()?, should: should.parse().ok()? });
    whole(10).or_else(real).or_else(|| whole(16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_are_paired() {
        let hints = |found: &str, expected: &str| Hints::of(found.as_bytes(), expected.as_bytes());
        let told = hints("a: 1\nsum 12, mean 3.5\n", "a: 1\nsum 14, mean 4.25\n");
        assert_eq!(told.numbers, [Pair::Whole { is: 12, should: 14 }, Pair::Real { is: 3.5, should: 4.25 }]);
        assert_eq!(told.byte, Some(b'4'));
        assert_eq!(hints("11da0397\n", "11e60398\n").numbers, [Pair::Whole { is: 0x11da0397, should: 0x11e60398 }]);
        assert_eq!(hints("", "7\n").numbers, []);
        assert_eq!(hints("yes\n", "no\n"), Hints { byte: Some(b'n'), ..Hints::default() });
        assert_eq!(hints("ok\n", "ok\n3 of 7.25 bad\n").missing, [3, 725]);
        assert_eq!(hints("3\nx", "3\n").byte, None);
    }
}
