//! The failure: where it shows, and in the words of the one who sees it: lines of output rather than bytes.

use std::collections::BTreeSet;

use failure::Failure;
use failure::text::sentence;
use findings::Link;
use replay::Step;
use source::told::{Told, tell};

use crate::found::Passage;
use crate::telling::place::location;
use crate::telling::wording::happened;
use crate::{Subject, TechniqueError};

/// As much of a line as is shown.
const SHOWN: usize = 48;

/// What is wrong, as a sentence without its full stop.
pub fn told(subject: &Subject<'_, '_>) -> String {
    let failure = &subject.question.failure;
    match (failure, &subject.lab.oracle().output) {
        (Failure::WrongByte { byte, .. }, Some(expected)) => {
            wrong_line(&subject.lab.baseline().ran.output, expected, *byte as usize)
        }
        _ => sentence(failure),
    }
}

/// The link that every chain ends with: the failure, and what was done there.
pub fn link(subject: &Subject<'_, '_>) -> Result<Option<Passage>, TechniqueError> {
    let Some(end) = end(subject)? else { return Ok(None) };
    let Some(location) = location(subject.run, end) else { return Ok(None) };
    let failure = told(subject);
    let what = tell(subject.run, subject.sources, &BTreeSet::from([end]))?;
    let text = match what.get(&end) {
        Some(Told::Calls { name, arguments }) if name.starts_with("__assert") && asserted(arguments).is_some() => {
            format!("{failure}: `{}`", asserted(arguments).unwrap_or_default())
        }
        Some(what @ Told::Calls { .. }) => format!("{failure}: {}", happened(what)),
        _ => failure,
    };
    Ok(Some(Passage { link: Link { location, text }, step: end, by: None }))
}

/// The condition of a failed assertion, which is given as a text.
fn asserted(arguments: &[String]) -> Option<String> {
    let text = arguments.first()?.strip_prefix('"')?.strip_suffix('"')?;
    Some(text.replace("\\\"", "\""))
}

/// The step that the failure shows at; where that is in a library function, the call of it.
pub fn end(subject: &Subject<'_, '_>) -> Result<Option<Step>, TechniqueError> {
    let end = subject.question.criterion.step(subject.run);
    let Some(inner) = end.filter(|end| subject.run.functions.is_twin(end.site.function)) else { return Ok(end) };
    let nearness = subject.nearness()?;
    Ok(nearness.vertex(inner).map(|vertex| nearness.graph.step(nearness.seen(vertex))).or(end))
}

/// Two outputs that differ first at a byte, told by the line it is in.
fn wrong_line(found: &[u8], expected: &[u8], byte: usize) -> String {
    let byte = byte.min(found.len());
    let number = found[..byte].iter().filter(|byte| **byte == b'\n').count() + 1;
    let begin = found[..byte].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let place = format!("line {number} of the output");
    let (is, should) = (line_from(found, begin), line_from(expected, begin));
    match (is, should) {
        (Some(is), Some(should)) if is == should => format!("{place} differs from what is expected in its line end"),
        (Some(is), Some(should)) => {
            let skip = cut_before(is, byte - begin);
            format!("{place} is {} instead of {}", quoted(is, skip), quoted(should, skip))
        }
        (Some(is), None) => format!("{place} is {}, but the output should have ended before", quoted(is, 0)),
        (None, Some(should)) => format!("{place} is missing: {}", quoted(should, 0)),
        (None, None) => "the output differs in its last line end".into(),
    }
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

fn quoted(line: &[u8], skip: usize) -> String {
    let rest = line.get(skip..).unwrap_or_default();
    let (shown, after) = if rest.len() > SHOWN { (&rest[..SHOWN], "…") } else { (rest, "") };
    let before = if skip > 0 { "…" } else { "" };
    let text: String = String::from_utf8_lossy(shown).chars().map(|c| if c.is_control() { '·' } else { c }).collect();
    format!("`{before}{text}{after}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_is_wrong_is_told() {
        let told = |found: &str, expected: &str| {
            let byte = found.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
            wrong_line(found.as_bytes(), expected.as_bytes(), byte)
        };
        assert_eq!(told("1\n22\n", "1\n23\n"), "line 2 of the output is `22` instead of `23`");
        assert_eq!(told("1\n", "1\n2\n"), "line 2 of the output is missing: `2`");
        assert_eq!(told("1\n2\n", "1\n"), "line 2 of the output is `2`, but the output should have ended before");
        assert_eq!(told("1", "1\n"), "line 1 of the output differs from what is expected in its line end");
        assert_eq!(told("", "x"), "line 1 of the output is missing: `x`");
        let long = "a".repeat(100);
        let shown = told(&format!("{long}1{long}"), &format!("{long}2{long}"));
        assert!(shown.contains("`…aaaa") && shown.contains("a1aaa") && shown.contains("a2aaa"), "{shown}");
    }
}
