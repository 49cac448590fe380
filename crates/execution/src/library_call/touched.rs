//! Which memory a call read and wrote.

use program::library::{Conversion, Effect, Term};

use super::LibraryCall;
use super::measure::{Measure, decode};

/// How far a text is looked for whose length nobody knows.
const LONGEST_TEXT: u64 = 4096;

/// The words of one call.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The first word of each argument.
    pub arguments: &'a [u64],
    /// One for each measure.
    pub measured: &'a [u64],
    /// The result's first word, if it came back.
    pub result: Option<u64>,
}

/// How much of a range was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it.
    Whole,
    /// A text, from its beginning on; where it ends is not known.
    Text,
    /// Nobody knows what of it, if anything.
    Part,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub address: u64,
    pub length: u64,
    pub extent: Extent,
}

/// Bytes that went from one place to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copied {
    pub to: u64,
    pub from: u64,
    pub length: u64,
}

/// What of memory a call had to do with.
#[derive(Default, Debug)]
pub struct Touched {
    pub written: Vec<Range>,
    pub copied: Vec<Copied>,
    /// Address and length.
    pub read: Vec<(u64, u64)>,
}

/// What a call with these words read and wrote. Before it has come back, only what it read is right.
pub fn touched(call: &LibraryCall, words: Words<'_>) -> Touched {
    let mut touched = Touched::default();
    // `fgets` at the end of a file gives null and has written nothing.
    let failed = words.result == Some(0) && call.known.effects.iter().any(|e| matches!(e, Effect::Aliases(_)));
    for effect in call.known.effects {
        match *effect {
            Effect::Input(..) if failed => {}
            Effect::Writes(address, length) | Effect::Input(_, address, length) => {
                touched.written.extend(written(call, words, address, length));
            }
            Effect::InputFormatted(_, format) => {
                touched.written.extend(written(call, words, Term::Rest(format + 1), Term::Formatted(format)));
            }
            Effect::Borrows(length) => {
                let ranges = written(call, words, Term::Result, length);
                touched.written.extend(ranges.into_iter().map(|range| Range { extent: Extent::Part, ..range }));
            }
            Effect::Copies(to, from, length) => {
                if let (Some(to), Some((from, length))) =
                    (number(to, words.arguments, words.result), read(call, words, from, length))
                    && to != 0
                {
                    touched.copied.push(Copied { to, from, length });
                }
            }
            Effect::Reads(address, length) => touched.read.extend(read(call, words, address, length)),
            _ => {}
        }
    }
    touched
}

/// A range that is read, if it is known.
fn read(call: &LibraryCall, words: Words<'_>, address: Term, length: Term) -> Option<(u64, u64)> {
    let start = number(address, words.arguments, words.result).filter(|&address| address != 0)?;
    let measure = match address {
        Term::Arg(argument) => Measure::of(argument, length),
        _ => None,
    };
    let length = match measure {
        Some(measure) => words.measured.get(call.measures.iter().position(|m| *m == measure)?).copied()?,
        None => number(length, words.arguments, words.result).filter(|&length| (length as i64) >= 0)?,
    };
    Some((start, length))
}

fn written(call: &LibraryCall, words: Words<'_>, address: Term, length: Term) -> Vec<Range> {
    match address {
        Term::Rest(first) => through_format(call, words, first, length),
        // Where that points is not in the trace.
        Term::At(_) | Term::Unknown => vec![Range { address: 0, length: u64::MAX, extent: Extent::Part }],
        _ => {
            let Some(start) = number(address, words.arguments, words.result).filter(|&a| a != 0) else {
                return Vec::new();
            };
            let room = match address {
                Term::Arg(argument) => room(call, argument),
                _ => None,
            };
            let (length, extent) = match length {
                Term::Text | Term::WideText => (room.unwrap_or(LONGEST_TEXT), Extent::Text),
                Term::TextWithin(bound) => {
                    let bound = number(*bound, words.arguments, words.result).unwrap_or(LONGEST_TEXT);
                    (bound.min(room.unwrap_or(u64::MAX)), Extent::Text)
                }
                other => match number(other, words.arguments, words.result) {
                    // A negative result is an error: nothing was written.
                    Some(length) if (length as i64) < 0 => (0, Extent::Whole),
                    Some(length) => (length, Extent::Whole),
                    None => (room.unwrap_or(LONGEST_TEXT), Extent::Part),
                },
            };
            vec![Range { address: start, length, extent }]
        }
    }
}

/// What a format of `scanf` wrote through the arguments from `first` on.
fn through_format(call: &LibraryCall, words: Words<'_>, first: u8, length: Term) -> Vec<Range> {
    // The result counts the conversions that were assigned; a negative one is the end of the input.
    let assigned = words.result.map_or(i64::MAX, |result| i64::from(result as i32));
    let (mut ranges, mut counted) = (Vec::new(), 0);
    for (argument, &address) in (0..).zip(words.arguments).skip(usize::from(first)).filter(|(_, a)| **a != 0) {
        let measure = match length {
            Term::Formatted(format) => Some(Measure::Conversion { format, argument }),
            _ => None,
        };
        let at = call.measures.iter().position(|known| Some(*known) == measure);
        let conversion = at.and_then(|at| words.measured.get(at)).and_then(|&word| decode(word));
        let room = room(call, argument).unwrap_or(LONGEST_TEXT);
        let (length, extent) = match conversion {
            Some(Conversion::Bytes(bytes)) => (bytes, Extent::Whole),
            Some(Conversion::Text(most)) => (most.unwrap_or(LONGEST_TEXT).min(room), Extent::Text),
            // It is reached if all before it were assigned, but a later one may not have been.
            Some(Conversion::Count(bytes)) => {
                let extent = if counted < assigned { Extent::Whole } else { Extent::Part };
                ranges.push(Range { address, length: bytes, extent });
                continue;
            }
            None => (room, Extent::Part),
        };
        if counted < assigned {
            ranges.push(Range { address, length, extent });
        }
        counted += 1;
    }
    ranges
}

fn room(call: &LibraryCall, argument: u8) -> Option<u64> {
    call.rooms.get(usize::from(argument)).copied().flatten()
}

pub(super) fn number(term: Term, arguments: &[u64], result: Option<u64>) -> Option<u64> {
    let number = |term: &Term| number(*term, arguments, result);
    match term {
        Term::Arg(position) => arguments.get(usize::from(position)).copied(),
        Term::Result => result,
        Term::Bytes(bytes) => Some(bytes),
        Term::Product(a, b) => number(a)?.checked_mul(number(b)?),
        Term::Least(a, b) => Some(number(a)?.min(number(b)?)),
        Term::TextOf(characters) => number(characters)?.checked_add(1),
        Term::Rest(_)
        | Term::At(_)
        | Term::Text
        | Term::TextWithin(_)
        | Term::WideText
        | Term::Formatted(_)
        | Term::Unknown => None,
    }
}
