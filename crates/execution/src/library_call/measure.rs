//! What is noted of a call while its texts are in memory.

use program::library::{Conversion, Effect, Known, Term, conversions};

use super::touched::number;

/// Longer texts are taken to end here.
const LONGEST_TEXT: u64 = 1 << 20;

/// One word about a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Bytes of the text an argument points to, with its zero; no more than the bound if there is one.
    Text { argument: u8, within: Option<Term> },
    /// The same for characters of four bytes.
    WideText { argument: u8 },
    /// What a format of `scanf` writes through an argument.
    Conversion { format: u8, argument: u8 },
}

/// All that has to be noted of a call of this function with so many arguments.
pub(super) fn measures(known: &Known, arguments: usize) -> Vec<Measure> {
    let mut measures = Vec::new();
    let conversions = |measures: &mut Vec<Measure>, first: u8, format: u8| {
        let last = u8::try_from(arguments).unwrap_or(u8::MAX);
        measures.extend((first..last).map(|argument| Measure::Conversion { format, argument }));
    };
    for effect in known.effects {
        match *effect {
            Effect::Reads(Term::Arg(argument), length) | Effect::Copies(_, Term::Arg(argument), length) => {
                measures.extend(Measure::of(argument, length));
            }
            Effect::Writes(Term::Rest(first), Term::Formatted(format)) => conversions(&mut measures, first, format),
            Effect::InputFormatted(_, format) => conversions(&mut measures, format + 1, format),
            _ => {}
        }
    }
    measures
}

impl Measure {
    /// How the length of what an argument points to is measured; `None` if the arguments tell it.
    pub(super) fn of(argument: u8, length: Term) -> Option<Measure> {
        match length {
            Term::Text => Some(Measure::Text { argument, within: None }),
            Term::TextWithin(bound) => Some(Measure::Text { argument, within: Some(*bound) }),
            Term::WideText => Some(Measure::WideText { argument }),
            _ => None,
        }
    }

    /// The word, of a call with these arguments, when memory has these bytes.
    pub fn take(self, arguments: &[u64], byte: impl Fn(u64) -> u8) -> u64 {
        let pointer = |argument: u8| arguments.get(usize::from(argument)).copied().filter(|&pointer| pointer != 0);
        match self {
            Measure::Text { argument, within } => {
                let most = within.and_then(|bound| number(bound, arguments, None)).unwrap_or(LONGEST_TEXT);
                pointer(argument).map_or(0, |text| length(text, most.min(LONGEST_TEXT), byte))
            }
            Measure::WideText { argument } => {
                let is_end = |text: u64| (0..4).all(|i| byte(text.wrapping_add(i)) == 0);
                pointer(argument).map_or(0, |text| {
                    let characters = 0..LONGEST_TEXT / 4;
                    let end = characters.into_iter().find(|at| is_end(text.wrapping_add(4 * at)));
                    end.map_or(LONGEST_TEXT, |at| 4 * (at + 1))
                })
            }
            Measure::Conversion { format, argument } => {
                let Some(text) = pointer(format) else { return encode(None) };
                let format_text: Vec<u8> =
                    (0..length(text, LONGEST_TEXT, &byte)).map(|i| byte(text.wrapping_add(i))).collect();
                let position = usize::from(argument - format - 1);
                encode(conversions(&format_text).and_then(|all| all.get(position).copied()))
            }
        }
    }
}

/// With the terminating zero.
fn length(text: u64, most: u64, byte: impl Fn(u64) -> u8) -> u64 {
    (0..most).find(|&at| byte(text.wrapping_add(at)) == 0).map_or(most, |at| at + 1)
}

const KIND: u32 = 56;

/// A conversion as a word of the trace.
fn encode(conversion: Option<Conversion>) -> u64 {
    let low = |bytes: u64| bytes & ((1 << KIND) - 1);
    match conversion {
        None => 0,
        Some(Conversion::Bytes(bytes)) => 1 << KIND | low(bytes),
        Some(Conversion::Count(bytes)) => 2 << KIND | low(bytes),
        Some(Conversion::Text(None)) => 3 << KIND,
        Some(Conversion::Text(Some(most))) => 4 << KIND | low(most),
    }
}

/// `None` if the format was not understood.
pub(super) fn decode(word: u64) -> Option<Conversion> {
    let low = word & ((1 << KIND) - 1);
    match word >> KIND {
        1 => Some(Conversion::Bytes(low)),
        2 => Some(Conversion::Count(low)),
        3 => Some(Conversion::Text(None)),
        4 => Some(Conversion::Text(Some(low))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_come_back() {
        let all = [Conversion::Bytes(8), Conversion::Count(4), Conversion::Text(None), Conversion::Text(Some(0))];
        for conversion in all.map(Some).into_iter().chain([None]) {
            assert_eq!(decode(encode(conversion)), conversion);
        }
    }

    #[test]
    fn texts_are_measured_as_far_as_they_may_be_looked_at() {
        let memory = b"....hello\0%d %s\0a\0\0\0\0\0\0\0";
        let byte = |address: u64| memory.get(address as usize).copied().unwrap_or(0);
        let text = |within| Measure::Text { argument: 0, within }.take(&[4, 3], byte);
        assert_eq!(text(None), 6);
        assert_eq!(text(Some(Term::Arg(1))), 3);
        assert_eq!(Measure::WideText { argument: 0 }.take(&[16], byte), 8);
        assert_eq!(Measure::Text { argument: 0, within: None }.take(&[0], byte), 0);
        let conversion = |argument| decode(Measure::Conversion { format: 0, argument }.take(&[10, 1, 1, 1], byte));
        assert_eq!([1, 2, 3].map(conversion), [Some(Conversion::Bytes(4)), Some(Conversion::Text(None)), None]);
    }
}
