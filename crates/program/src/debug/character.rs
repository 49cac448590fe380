//! Character constants as the source writes them: `c == '['`, where the IR has 91.
//!
//! The line of the source decides, and only where the constant there has the value that was compiled. Where the source
//! cannot be read, a number beside a `char` is shown as a character.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::place::{DEEPEST, Naming, comparison, number};
use crate::{Instruction, Op, Operand, SourceFile};

/// Files longer than this are no sources.
const LONGEST: u64 = 16 << 20;

/// The lines of source files, read when they are first asked for.
#[derive(Debug, Default)]
pub(super) struct Lines {
    files: Mutex<HashMap<u32, Option<Arc<Vec<String>>>>>,
}

impl Lines {
    /// A line of a file, which has this number in its module.
    fn get(&self, number: u32, file: &SourceFile, line: u32) -> Option<String> {
        let mut files = self.files.lock().ok()?;
        let lines = files.entry(number).or_insert_with(|| read(&Path::new(&file.directory).join(&file.name)));
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    }
}

fn read(path: &Path) -> Option<Arc<Vec<String>>> {
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > LONGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(Arc::new(String::from_utf8_lossy(&bytes).lines().map(String::from).collect()))
}

impl Naming<'_> {
    /// An operand of a comparison, if the source has a character there.
    pub(super) fn compared(&self, operation: &Operand, operand: &Operand) -> Option<String> {
        let Operand::Result(id) = operation else { return None };
        let instruction = self.function.instruction(*id);
        match &instruction.op {
            Op::Cast { value, .. } => self.compared(value, operand),
            Op::ICmp { op, lhs, rhs, .. } if lhs == operand => {
                self.character(instruction, lhs, rhs, Side::Left(comparison(*op)))
            }
            Op::ICmp { op, lhs, rhs, .. } if rhs == operand => {
                self.character(instruction, rhs, lhs, Side::Right(comparison(*op)))
            }
            _ => None,
        }
    }

    /// A number that a comparison has on one side, as the character that the source has there; or, where no source can be
    /// read, as the character it is to the `char` on the other side.
    pub(super) fn character(
        &self,
        instruction: &Instruction,
        operand: &Operand,
        other: &Operand,
        side: Side<'_>,
    ) -> Option<String> {
        let value = number(operand)?;
        let line = instruction.location.and_then(|at| {
            let file = self.module.files.get(at.file as usize)?;
            Some((self.debug.lines.get(at.file, file, at.line)?, at.column))
        });
        match line {
            Some((line, column)) => {
                character_at(&line, column, side).filter(|(code, _)| *code == value).map(|(_, text)| text)
            }
            None => {
                let code = u8::try_from(value).ok().filter(|code| code.is_ascii_graphic() || *code == b' ')?;
                self.is_char(other).then(|| character_text(code))
            }
        }
    }

    /// Whether a value is a `char`, maybe widened.
    fn is_char(&self, operand: &Operand) -> bool {
        let Operand::Result(id) = operand else { return false };
        let instruction = self.function.instruction(*id);
        match &instruction.op {
            Op::Cast { value, .. } => self.is_char(value),
            Op::Load { address, .. } => {
                let object = self.fit(self.object(address, DEEPEST), instruction.ty.store_size());
                object.ty.is_some_and(|ty| self.debug.ty(self.debug.bare(ty)).name == "char")
            }
            _ => false,
        }
    }
}

/// Which side of a comparison's sign is meant.
#[derive(Clone, Copy)]
pub(super) enum Side<'a> {
    Left(&'a str),
    Right(&'a str),
}

/// The character constant that stands beside a comparison's sign in a line of the source, with its value; `column` is that of
/// the sign, from 1.
fn character_at(line: &str, column: u32, side: Side<'_>) -> Option<(i64, String)> {
    let column = (column as usize).checked_sub(1)?;
    let (Side::Left(sign) | Side::Right(sign)) = side;
    let after = line.get(column..)?.strip_prefix(sign)?;
    let text = match side {
        Side::Right(_) => {
            let after = after.trim_start();
            let inside = after.strip_prefix('\'')?;
            let escaped = usize::from(inside.starts_with('\\'));
            let end = inside.get(escaped + 1..)?.find('\'')? + escaped + 1;
            &after[..end + 2]
        }
        Side::Left(_) => {
            let before = line.get(..column)?.trim_end();
            let inside = before.strip_suffix('\'')?;
            // The character itself may be a quote, as in '\''.
            let begin = inside.get(..inside.len().checked_sub(1)?)?.rfind('\'')?;
            &before[begin..]
        }
    };
    Some((i64::from(code_of(text)?), text.to_owned()))
}

/// The value of a character constant.
fn code_of(constant: &str) -> Option<u8> {
    Some(match constant.strip_prefix('\'')?.strip_suffix('\'')?.as_bytes() {
        [code] if code.is_ascii() && *code != b'\\' => *code,
        [b'\\', escape] => match escape {
            b'0' => 0,
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'\\' | b'\'' | b'"' | b'?' => *escape,
            _ => return None,
        },
        _ => return None,
    })
}

/// What is written for a value so much further than a character constant; `None` if that is none.
pub fn shifted_character(constant: &str, by: i64) -> Option<String> {
    let code = i64::from(code_of(constant)?).wrapping_add(by);
    let is_shown = (i64::from(b' ')..=i64::from(b'~')).contains(&code);
    Some(if is_shown { character_text(code as u8) } else { code.to_string() })
}

fn character_text(code: u8) -> String {
    match code {
        b'\'' | b'\\' => format!("'\\{}'", char::from(code)),
        _ => format!("'{}'", char::from(code)),
    }
}
