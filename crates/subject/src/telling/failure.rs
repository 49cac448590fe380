//! The failure: where it shows, and in the words of the one who sees it: lines of output rather than bytes.

use std::collections::BTreeSet;

use failure::text::signal_name;
use findings::{Claim, Failure, Joint, Link, OutputLine, Signal};
use program::Op;
use program::library::spoken_name;
use replay::{Observed, Observer, ReplayError, Step};

use crate::found::Passage;
use crate::place::location;
use crate::telling::deed::deeds;
use crate::{Subject, TechniqueError};

/// As much of a line as is shown.
const SHOWN: usize = 48;

/// What is wrong.
pub fn failure(subject: &Subject<'_, '_>) -> Failure {
    use failure::Failure as Known;
    let signal = |number: i32| Signal { number, name: signal_name(number) };
    match (&subject.question.failure, &subject.lab.oracle().output) {
        (Known::WrongByte { byte, .. }, Some(expected)) => {
            wrong_line(&subject.lab.baseline().ran.output, expected, *byte as usize)
        }
        (Known::WrongByte { byte, found: None, expected: None }, None) => Failure::Byte { byte: byte + 1 },
        (Known::WrongByte { byte, found, expected }, None) => {
            Failure::WrongByte { byte: byte + 1, found: *found, expected: *expected }
        }
        (Known::Crash { signal: number }, _) => Failure::Crash { signal: signal(*number) },
        (Known::CrashOutside { signal: number, function }, _) => {
            Failure::CrashOutside { signal: signal(*number), function: function.as_str().into() }
        }
        (Known::Assertion { function }, _) if is_of_assert(function) => Failure::Assertion { condition: None },
        (Known::Assertion { function }, _) => Failure::GivesUp { function: function.as_str().into() },
        (Known::Hang, _) => Failure::Hang,
        (Known::Waits { function }, _) => Failure::Waits { function: spoken_name(function).into() },
        (Known::Status { status }, _) => Failure::Status { status: *status },
    }
}

/// The functions that `assert` of the C library calls: `__assert_fail` and others.
fn is_of_assert(function: &str) -> bool {
    function.starts_with("__assert")
}

/// The link that every chain ends with: the failure, and what was done there.
pub fn link(subject: &Subject<'_, '_>) -> Result<Option<Passage>, TechniqueError> {
    let Some(end) = end(subject)? else { return Ok(None) };
    let Some(location) = location(subject.run, end) else { return Ok(None) };
    let mut failure = failure(subject);
    if let Failure::Assertion { condition } = &mut failure {
        *condition = asserted(subject, end)?.map(Into::into);
    }
    let deed = deeds(subject.run, subject.sources, &BTreeSet::from([end]))?.remove(&end);
    let claim = Claim::Failed { failure, deed };
    Ok(Some(Passage { link: Link { location, joint: Joint::None, claim, rounds: 0 }, step: end, by: None }))
}

/// The condition of a failed assertion, which the call is given as its first argument.
fn asserted(subject: &Subject<'_, '_>, call: Step) -> Result<Option<String>, ReplayError> {
    let mut given = FirstArgument { call, word: None };
    for window in [subject.run.window_at(call.clock), subject.run.window_at(call.clock + 1)] {
        if given.word.is_none() {
            given = subject.run.replay(window, given)?;
        }
    }
    Ok(given.word.and_then(|address| subject.sources.literal_text(address)))
}

struct FirstArgument {
    call: Step,
    word: Option<u64>,
}

impl Observer for FirstArgument {
    fn step(&mut self, step: &Observed<'_>) {
        if step.clock != self.call.clock || step.step() != self.call {
            return;
        }
        if let Op::Call(call) | Op::Invoke { call, .. } = &step.instruction().op {
            self.word = call.arguments.first().and_then(|argument| step.operand(argument).first().copied());
        }
    }
}

/// The step that the failure shows at; where that is in a library function, the call of it.
pub fn end(subject: &Subject<'_, '_>) -> Result<Option<Step>, TechniqueError> {
    let end = subject.question.criterion.step(subject.run);
    let Some(inner) = end.filter(|end| subject.run.functions.is_twin(end.site.function)) else { return Ok(end) };
    let nearness = subject.nearness()?;
    Ok(nearness.vertex(inner).map(|vertex| nearness.graph.step(nearness.seen(vertex))).or(end))
}

/// Two outputs that differ first at a byte, by the line it is in.
fn wrong_line(found: &[u8], expected: &[u8], byte: usize) -> Failure {
    let byte = byte.min(found.len());
    let line = found[..byte].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let begin = found[..byte].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is = match (line_from(found, begin), line_from(expected, begin)) {
        (Some(is), Some(should)) if is == should => OutputLine::LineEnd,
        (Some(is), Some(should)) => {
            let skip = cut_before(is, byte - begin);
            OutputLine::Instead { found: shown(is, skip), expected: shown(should, skip) }
        }
        (Some(is), None) => OutputLine::TooMuch { found: shown(is, 0) },
        (None, Some(should)) => OutputLine::Missing { expected: shown(should, 0) },
        (None, None) => return Failure::LastLineEnd,
    };
    Failure::WrongLine { line, is }
}

/// The line that begins at a byte; `None` at the end.
fn line_from(text: &[u8], begin: usize) -> Option<&[u8]> {
    let rest = text.get(begin..).filter(|rest| !rest.is_empty())?;
    Some(rest.split(|byte| *byte == b'\n').next().unwrap_or_default())
}

/// How much of a long line is left out before the place where it goes wrong.
fn cut_before(line: &[u8], wrong: usize) -> usize {
    if line.len() <= SHOWN { 0 } else { wrong.saturating_sub(SHOWN / 3) }
}

fn shown(line: &[u8], skip: usize) -> String {
    let rest = line.get(skip..).unwrap_or_default();
    let (shown, after) = if rest.len() > SHOWN { (&rest[..SHOWN], "…") } else { (rest, "") };
    let before = if skip > 0 { "…" } else { "" };
    let text: String = String::from_utf8_lossy(shown).chars().map(|c| if c.is_control() { '·' } else { c }).collect();
    format!("{before}{text}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_is_wrong_is_found() {
        let wrong = |found: &str, expected: &str| {
            let byte = found.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
            match wrong_line(found.as_bytes(), expected.as_bytes(), byte) {
                Failure::WrongLine { line, is } => (line, is),
                other => panic!("{other:?}"),
            }
        };
        let instead =
            |found: &str, expected: &str| OutputLine::Instead { found: found.into(), expected: expected.into() };
        assert_eq!(wrong("1\n22\n", "1\n23\n"), (2, instead("22", "23")));
        assert_eq!(wrong("1\n", "1\n2\n"), (2, OutputLine::Missing { expected: "2".into() }));
        assert_eq!(wrong("1\n2\n", "1\n"), (2, OutputLine::TooMuch { found: "2".into() }));
        assert_eq!(wrong("1", "1\n"), (1, OutputLine::LineEnd));
        assert_eq!(wrong("", "x"), (1, OutputLine::Missing { expected: "x".into() }));
        let long = "a".repeat(100);
        let (_, OutputLine::Instead { found, expected }) = wrong(&format!("{long}1{long}"), &format!("{long}2{long}"))
        else {
            panic!("other lines")
        };
        assert!(
            found.starts_with("…aaaa") && found.contains("a1aaa") && expected.contains("a2aaa"),
            "{found} {expected}"
        );
    }
}
