//! Commands that make gdb stop at the suspect: a breakpoint that is ignored as often as the failing run passed the line
//! before.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use execution::{Run, steps};
use experiment::Case;
use findings::Findings;
use replay::{ReplayError, Step};
use source::lines::line_at;

use crate::shell::quoted;

/// A line, and how often it is reached before the step in question.
pub struct Stop {
    file: String,
    line: u32,
    passed: u64,
}

/// Where gdb stops for a step. A debugger sets its breakpoint at the first instruction of a line, so that is what is
/// counted: in a `for`, that is before the first turn.
pub fn stop(run: &Run<'_>, step: Step) -> std::result::Result<Option<Stop>, ReplayError> {
    let (module, function) = (run.functions.module(step.site.function)?, run.functions.function(step.site.function));
    let Some(line) = line_at(module, function, step.site.instruction) else { return Ok(None) };
    let is_here = |at: &usize| function.instructions[*at].location.is_some_and(|location| location.line == line.line);
    let Some(first) = (0..function.instructions.len()).find(is_here) else { return Ok(None) };
    let reached = steps::count_until(run, step, |at| {
        at.id().index() == first
            && at.function().id == step.site.function.function
            && at.step().site.function == step.site.function
    })?;
    Ok(Some(Stop { file: line.file, line: line.line, passed: reached.saturating_sub(1) }))
}

/// A script for gdb. `input`: the file that standard input came from.
pub fn commands(found: &Findings, stop: Option<&Stop>, case: &Case, input: Option<&Path>) -> Result<String> {
    let mut script = String::new();
    let Some(finding) = found.findings.first() else { return Ok("# nothing was found\n".into()) };
    let (location, message) = (&finding.location, report::english::message(finding));
    let told = format!("{}:{}{}: {message}", location.file, location.line, location.in_function());
    // Writing to a string cannot fail.
    let _ = writeln!(script, "# {}", told.replace(char::is_control, " "));
    let _ = writeln!(script, "file {}", word(&case.program.to_string_lossy())?);
    let arguments: Vec<String> = case.arguments.iter().map(|argument| quoted(argument)).collect();
    if !arguments.is_empty() {
        let _ = writeln!(script, "set args {}", on_one_line(&arguments.join(" "))?);
    }
    let _ = match stop {
        Some(Stop { file, line, .. }) => writeln!(script, "break {}", place(file, *line)?),
        None => writeln!(script, "break {}", place(&location.file, location.line)?),
    };
    if let Some(Stop { passed: passed @ 1.., .. }) = stop {
        let _ = writeln!(script, "ignore $bpnum {passed}");
    }
    let _ = match input {
        Some(path) => writeln!(script, "run < {}", on_one_line(&quoted(path.as_os_str()))?),
        None => writeln!(script, "run"),
    };
    Ok(script)
}

/// gdb takes each line for a command, and has no way to write a line break within one: what follows it would be a command
/// that nobody meant.
fn on_one_line(text: &str) -> Result<&str> {
    if text.contains(char::is_control) {
        bail!(
            "{text:?} contains a line break or another control character, which gdb commands cannot contain; --gdb cannot be used"
        );
    }
    Ok(text)
}

/// A word as gdb takes it.
fn word(text: &str) -> Result<String> {
    let mut word = String::new();
    for character in on_one_line(text)?.chars() {
        if character.is_whitespace() || matches!(character, '\'' | '"' | '\\') {
            word.push('\\');
        }
        word.push(character);
    }
    Ok(word)
}

/// Where a breakpoint is set.
fn place(file: &str, line: u32) -> Result<String> {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+@%".contains(c);
    on_one_line(file)?;
    if file.chars().all(is_plain) {
        return Ok(format!("{file}:{line}"));
    }
    Ok(format!("-source \"{}\" -line {line}", file.replace('\\', r"\\\\").replace('"', r#"\\""#)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_never_begins_a_command() {
        for text in ["/tmp/a\nshell touch /tmp/harm\n/p", "a\rb", "a\u{b}b"] {
            assert!(word(text).is_err() && place(text, 3).is_err() && on_one_line(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!(word("/home/me/prog-1.2").unwrap(), "/home/me/prog-1.2");
        assert_eq!(word("my prog").unwrap(), r"my\ prog");
        assert_eq!(place("src/a.c", 12).unwrap(), "src/a.c:12");
        assert_eq!(place("my src/a.c", 12).unwrap(), "-source \"my src/a.c\" -line 12");
    }
}
