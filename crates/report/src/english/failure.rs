//! What is wrong with the run.

use findings::{Deed, Failure, OutputLine};

use super::deed::call;

/// As a sentence, without its full stop.
pub fn failure(failure: &Failure) -> String {
    match failure {
        Failure::Crash { signal } => format!("the program crashes here with {}", signal.name),
        Failure::CrashOutside { signal, function } => {
            format!("the program crashes with {} in `{}`, called here", signal.name, function.0)
        }
        Failure::Assertion { .. } => "this assertion fails".into(),
        Failure::GivesUp { function } => format!("the program gives up here by calling `{}`", function.0),
        Failure::Hang => "this loop does not end".into(),
        Failure::Waits { function } => format!("the program waits in `{}`, called here, and does not end", function.0),
        Failure::Status { status } => format!("the program ends with exit status {status}"),
        Failure::Byte { byte } => format!("this writes byte {byte} of standard output"),
        Failure::WrongByte { byte, found: None, .. } => {
            format!("standard output ends after {} bytes, too early", byte.saturating_sub(1))
        }
        Failure::WrongByte { byte, found, expected } => {
            format!("byte {byte} of standard output is {} instead of {}", byte_text(*found), byte_text(*expected))
        }
        Failure::WrongLine { line, is } => {
            let place = format!("line {line} of the output");
            match is {
                OutputLine::Instead { found, expected } if found.is_empty() => {
                    format!("{place} is empty instead of `{expected}`")
                }
                OutputLine::Instead { found, expected } => {
                    format!("{place} is {} instead of {}", line_text(found), line_text(expected))
                }
                OutputLine::TooMuch { found } => {
                    format!("{place} is {}, but the output should have ended before", line_text(found))
                }
                OutputLine::Missing { expected } => format!("{place} is missing; `{expected}` was expected"),
                OutputLine::LineEnd => format!("{place} differs from what is expected only in its line end"),
            }
        }
        Failure::LastLineEnd => "the output differs only in its last line end".into(),
    }
}

/// The same with what was done where it shows.
pub fn failed(of: &Failure, done: Option<&Deed>) -> String {
    let text = failure(of);
    match (of, done) {
        (Failure::Assertion { condition: Some(condition) }, _) => format!("{text}: `{}`", condition.0),
        (_, Some(Deed::Called { function, arguments })) => {
            let called = call(function, arguments);
            if is_written(of) { format!("{text}, written by `{called}`") } else { format!("{text}: `{called}`") }
        }
        _ => text,
    }
}

/// Whether the failure shows in what was written, rather than in what was not.
fn is_written(of: &Failure) -> bool {
    match of {
        Failure::WrongByte { found, .. } => found.is_some(),
        Failure::WrongLine { is, .. } => {
            matches!(is, OutputLine::Instead { .. } | OutputLine::TooMuch { .. } | OutputLine::LineEnd)
        }
        Failure::Byte { .. }
        | Failure::LastLineEnd
        | Failure::Crash { .. }
        | Failure::CrashOutside { .. }
        | Failure::Assertion { .. }
        | Failure::GivesUp { .. }
        | Failure::Hang
        | Failure::Waits { .. }
        | Failure::Status { .. } => false,
    }
}

fn line_text(line: &str) -> String {
    if line.is_empty() { "an empty line".into() } else { format!("`{line}`") }
}

fn byte_text(byte: Option<u8>) -> String {
    match byte {
        Some(b'\n') => "a newline".into(),
        Some(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("`{}`", char::from(byte)),
        Some(byte) => format!("byte {byte:#04x}"),
        None => "nothing".into(),
    }
}
