//! What the right lines of the output depend on.
//!
//! Each line of the output is a small test: the first wrong one fails, those that are as expected pass, and what a line
//! depends on is what its test executed. A place that right lines depend on as well is less likely the fault.

use std::collections::HashMap;
use std::rc::Rc;

use execution::dependence::Follow;
use execution::slice::{Request, SliceError};
use failure::output_byte;
use findings::Line;
use replay::ReplayError;
use source::lines::{line_at, shown_path};

use crate::{Subject, TechniqueError};

/// Right lines that are looked at: the nearest to the first wrong one.
const MOST: usize = 12;

/// How many right lines of the output depend on each line of the source.
#[derive(Default)]
pub struct RightLines {
    /// Lines of the output that were looked at.
    pub looked_at: u32,
    by_line: HashMap<(String, u32), u32>,
}

impl RightLines {
    pub fn depending_on(&self, file: &str, line: u32) -> u32 {
        self.by_line.get(&(file.to_owned(), line)).copied().unwrap_or(0)
    }
}

impl Subject<'_, '_> {
    /// What the right lines of the output depend on.
    pub fn right_lines(&self) -> Result<Rc<RightLines>, TechniqueError> {
        self.memo.known_or(|| right_lines(self))
    }
}

fn right_lines(subject: &Subject<'_, '_>) -> Result<RightLines, TechniqueError> {
    let mut right = RightLines::default();
    let Some(expected) = &subject.lab.oracle().output else { return Ok(right) };
    for byte in bytes(&subject.lab.baseline().ran.output, expected) {
        if subject.is_over() {
            break;
        }
        // Of what wrote other lines nothing may be known.
        let Ok(question) = output_byte(subject.run, byte as u64) else { continue };
        let depended = match Request::of(&question.criterion).slice(subject.run, Follow::DataAndControl, 0) {
            Ok(slice) if slice.cut.is_none() => slice,
            Ok(_) => break,
            Err(SliceError::Replay(ReplayError::Spent(_))) => break,
            Err(error) => return Err(error.into()),
        };
        let mut lines: Vec<Line> = Vec::new();
        for (&key, sites) in &depended.counts {
            if subject.run.functions.is_twin(key) {
                continue;
            }
            let (module, function) = (subject.run.functions.module(key)?, subject.run.functions.function(key));
            let executed = (0..).map(abi::InstructionId).zip(sites).filter(|(_, count)| **count > 0);
            lines.extend(executed.filter_map(|(site, _)| line_at(module, function, site)));
        }
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            *right.by_line.entry((shown_path(&line.file), line.line)).or_default() += 1;
        }
        right.looked_at += 1;
    }
    Ok(right)
}

/// A byte of each right line: in the column of the first wrong byte, or the last one before.
fn bytes(found: &[u8], expected: &[u8]) -> Vec<usize> {
    let wrong = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    let begin = found[..wrong].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = wrong - begin;
    let wrong_line = found[..wrong].iter().filter(|byte| **byte == b'\n').count();
    let mut at = 0;
    let mut bytes = Vec::new();
    let lines = found.split(|byte| *byte == b'\n').zip(expected.split(|byte| *byte == b'\n'));
    for (number, (found, expected)) in lines.enumerate() {
        if found == expected && !found.is_empty() && number != wrong_line {
            bytes.push((number.abs_diff(wrong_line), at + column.min(found.len() - 1)));
        }
        at += found.len() + 1;
    }
    bytes.sort_unstable();
    bytes.truncate(MOST);
    bytes.into_iter().map(|(_, byte)| byte).collect()
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn right_lines_are_asked_about_in_the_column_of_the_wrong_byte() {
        assert_eq!(bytes(b"a 1\nb 2\nc 3\nd 4\n", b"a 1\nb 2\nc 5\nd 4\n"), [6, 14, 2]);
        assert_eq!(bytes(b"a\n\nlong 7\n", b"a\n\nlong 8\n"), [0]);
        assert_eq!(bytes(b"", b"1\n"), []);
    }
}
