//! Constants as the source writes them: `c == '['` where the IR has 91, `i < LIMIT` where it has 18; and the tests of
//! `<ctype.h>`.
//!
//! The line of the source decides, and only where the constant there has the value that was compiled; of a name that is the
//! compiler's business. Where the source cannot be read, a number beside a `char` is shown as a character.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::place::{DEEPEST, Naming, comparison, number};
use crate::library::spoken_name;
use crate::{Callee, ConstantOp, ElementIndex, Instruction, Op, Operand, SourceFile};

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
                self.as_written(instruction, lhs, rhs, Side::Left(comparison(*op)))
            }
            Op::ICmp { op, lhs, rhs, .. } if rhs == operand => {
                self.as_written(instruction, rhs, lhs, Side::Right(comparison(*op)))
            }
            _ => None,
        }
    }

    /// A constant that a comparison has on one side, as the source has it there: a character, a name, a number; or, where no
    /// source can be read, as the character it is to the `char` on the other side.
    pub(super) fn as_written(
        &self,
        instruction: &Instruction,
        operand: &Operand,
        other: &Operand,
        side: Side<'_>,
    ) -> Option<String> {
        let Operand::Constant(constant) = operand else { return None };
        let value = if constant.op == ConstantOp::Zero { Some(0) } else { number(operand) };
        let line = instruction.location.and_then(|at| {
            let file = self.module.files.get(at.file as usize)?;
            Some((self.debug.lines.get(at.file, file, at.line)?, at.column))
        });
        match line {
            Some((line, column)) => {
                let text = constant_at(&line, column, side)?;
                match value_of(text) {
                    Some(written) => (Some(written) == value).then(|| text.to_owned()),
                    // The compiler knows what the name stands for: the operand is a constant.
                    None => is_name(text).then(|| text.to_owned()),
                }
            }
            None => {
                let code = u8::try_from(value?).ok().filter(|code| code.is_ascii_graphic() || *code == b' ')?;
                self.is_char(other).then(|| character_text(code))
            }
        }
    }

    /// The macro of `<ctype.h>` that tests bits of the C library's table, and the character that it is asked about.
    pub(super) fn character_class(&self, bits: &Operand, mask: &Operand) -> Option<(&'static str, Operand)> {
        let (_, name) = CLASSES.into_iter().find(|(class, _)| number(mask) == Some(*class))?;
        let op = |operand: &Operand| match operand {
            Operand::Result(id) => Some(&self.function.instruction(*id).op),
            Operand::Parameter(_) | Operand::Constant(_) => None,
        };
        let mut element = op(bits)?;
        while let Op::Cast { value, .. } = element {
            element = op(value)?;
        }
        let Op::Load { address, .. } = element else { return None };
        let Op::ElementPointer { base, indices, .. } = op(address)? else { return None };
        let Op::Load { address: table, .. } = op(base)? else { return None };
        let (Op::Call(call) | Op::Invoke { call, .. }) = op(table)? else { return None };
        let Callee::Function(callee) = call.callee else { return None };
        let is_table = spoken_name(&self.module.function(callee).name) == "__ctype_b_loc";
        let [ElementIndex { index, .. }] = &indices[..] else { return None };
        is_table.then(|| (name, index.clone()))
    }

    /// Whether the source has a word on the line of an instruction; if it cannot be read, it may.
    pub(super) fn has_word(&self, instruction: &Instruction, word: &str) -> bool {
        let Some(at) = instruction.location else { return false };
        let Some(file) = self.module.files.get(at.file as usize) else { return true };
        match self.debug.lines.get(at.file, file, at.line) {
            Some(line) => line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|other| other == word),
            None => true,
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
                object.ty.is_some_and(|ty| self.debug.is_char(ty))
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

/// The bits of `<ctype.h>`, as the GNU library has them in memory that has the low byte first.
const CLASSES: [(i64, &str); 12] = [
    (1 << 8, "isupper"),
    (1 << 9, "islower"),
    (1 << 10, "isalpha"),
    (1 << 11, "isdigit"),
    (1 << 12, "isxdigit"),
    (1 << 13, "isspace"),
    (1 << 14, "isprint"),
    (1 << 15, "isgraph"),
    (1 << 0, "isblank"),
    (1 << 1, "iscntrl"),
    (1 << 2, "ispunct"),
    (1 << 3, "isalnum"),
];

/// The constant that stands alone beside a comparison's sign in a line of the source; `column` is that of the sign, from 1.
fn constant_at<'l>(line: &'l str, column: u32, side: Side<'_>) -> Option<&'l str> {
    let column = (column as usize).checked_sub(1)?;
    let (Side::Left(sign) | Side::Right(sign)) = side;
    let after = line.get(column..)?.strip_prefix(sign)?;
    match side {
        Side::Right(_) => {
            let after = after.trim_start();
            let length = match after.strip_prefix('\'') {
                Some(inside) => {
                    let escaped = usize::from(inside.starts_with('\\'));
                    inside.get(escaped + 1..)?.find('\'')? + escaped + 3
                }
                None => {
                    let sign = usize::from(after.starts_with('-'));
                    sign + after[sign..].find(|c| !is_of_word(c)).unwrap_or(after.len() - sign)
                }
            };
            let (text, rest) = after.split_at(length);
            let rest = rest.trim_start();
            let is_alone = rest.is_empty()
                || ["&&", "||", "//", "/*"].iter().any(|next| rest.starts_with(next))
                || rest.starts_with([')', ';', '?', ',', ':', ']', '\\']);
            (is_alone && !text.is_empty()).then_some(text)
        }
        Side::Left(_) => {
            let before = line.get(..column)?.trim_end();
            let begin = match before.strip_suffix('\'') {
                // The character itself may be a quote, as in '\''.
                Some(inside) => inside.get(..inside.len().checked_sub(1)?)?.rfind('\'')?,
                None => before.rfind(|c| !is_of_word(c)).map_or(0, |last| last + 1),
            };
            let (rest, text) = before.split_at(begin);
            let rest = rest.trim_end();
            let is_alone = rest.is_empty()
                || rest.ends_with("return")
                || rest.ends_with(['(', '!', ',', ';', '?', ':', '&', '|', '=']);
            (is_alone && !text.is_empty()).then_some(text)
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == ':'
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The value of a character constant or a whole number, as C writes them.
fn value_of(constant: &str) -> Option<i64> {
    if let Some(code) = code_of(constant) {
        return Some(code.into());
    }
    let (is_negative, digits) = match constant.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, constant),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if is_negative { -number } else { number })
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
