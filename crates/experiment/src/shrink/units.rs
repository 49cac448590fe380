//! The pieces a text is made of, coarse ones first. Put together again, they are the text.

use std::ops::Range;

/// How a text is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Each with its end.
    Lines,
    /// Words, numbers, runs of blanks, single other characters.
    Tokens,
    /// Of UTF-8; bytes where it is not.
    Characters,
}

impl Cut {
    pub const ALL: [Cut; 3] = [Cut::Lines, Cut::Tokens, Cut::Characters];

    pub fn name(self) -> &'static str {
        match self {
            Cut::Lines => "lines",
            Cut::Tokens => "tokens",
            Cut::Characters => "characters",
        }
    }
}

/// Where the pieces are.
pub fn units(text: &[u8], cut: Cut) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut begin = 0;
    while begin < text.len() {
        let length = match cut {
            Cut::Lines => text[begin..].iter().position(|byte| *byte == b'\n').map_or(text.len() - begin, |at| at + 1),
            Cut::Tokens => token_length(&text[begin..]),
            Cut::Characters => character_length(&text[begin..]),
        };
        units.push(begin..begin + length);
        begin += length;
    }
    units
}

/// What belongs to one token.
#[derive(PartialEq, Eq)]
enum Kind {
    Word,
    Blank,
    Other,
}

fn kind(byte: u8) -> Kind {
    match byte {
        b'_' | 0x80.. => Kind::Word,
        byte if byte.is_ascii_alphanumeric() => Kind::Word,
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Kind::Blank,
        _ => Kind::Other,
    }
}

fn token_length(text: &[u8]) -> usize {
    let first = kind(text[0]);
    match first {
        Kind::Other => 1,
        Kind::Word | Kind::Blank => text.iter().take_while(|byte| kind(**byte) == first).count(),
    }
}

fn character_length(text: &[u8]) -> usize {
    let width = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    match text.get(..width) {
        Some(bytes) if std::str::from_utf8(bytes).is_ok() => width,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, cut: Cut) -> Vec<&str> {
        units(text.as_bytes(), cut).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn pieces_are_as_people_see_them() {
        assert_eq!(cut("a\n\nbc", Cut::Lines), ["a\n", "\n", "bc"]);
        assert_eq!(cut("x1 =\t 20+f_g;\n", Cut::Tokens), ["x1", " ", "=", "\t ", "20", "+", "f_g", ";", "\n"]);
        assert_eq!(cut("aé日", Cut::Characters), ["a", "é", "日"]);
        assert_eq!(units(b"\xff\xc3", Cut::Characters), [0..1, 1..2]);
    }

    #[test]
    fn pieces_make_the_whole() {
        let text: Vec<u8> = (0..=255).chain([0xe6, 0x97, 0xa5, b'\n']).collect();
        for cut in Cut::ALL {
            let together: Vec<u8> = units(&text, cut).into_iter().flat_map(|range| text[range].to_vec()).collect();
            assert_eq!(together, text);
        }
    }
}
