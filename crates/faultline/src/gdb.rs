//! Commands that make gdb stop where the fault shows: a breakpoint that is passed by as often as the failing run passed
//! the line before.

use std::fmt::Write as _;
use std::path::Path;

use execution::dependence::Moment;
use execution::lines::line_at;
use execution::{Run, steps};
use experiment::Case;
use findings::{Finding, Findings};
use replay::ReplayError;

use crate::shell::quoted;

/// A line, and how often it is reached before the step in question.
pub struct Stop {
    file: String,
    line: u32,
    passed: u64,
}

/// Where gdb stops for a step. A debugger sets its breakpoint at the first instruction of a line, so that is what is
/// counted: in a `for`, that is before the first turn.
pub fn stop(run: &Run<'_>, step: Moment) -> Result<Option<Stop>, ReplayError> {
    let (module, function) = (run.functions.module(step.function)?, run.functions.function(step.function));
    let Some(line) = line_at(module, function, step.instruction) else { return Ok(None) };
    let is_here = |at: &usize| function.instructions[*at].location.is_some_and(|location| location.line == line.line);
    let Some(first) = (0..function.instructions.len()).find(is_here) else { return Ok(None) };
    let reached = steps::count_until(run, step, |at| {
        at.id().index() == first
            && at.function().id == step.function.function
            && Moment::of(at).function == step.function
    })?;
    Ok(Some(Stop { file: line.file, line: line.line, passed: reached.saturating_sub(1) }))
}

/// A script for gdb. `input`: the file that standard input came from.
pub fn commands(found: &Findings, stop: Option<&Stop>, case: &Case, input: Option<&Path>) -> String {
    let mut script = String::new();
    let Some(finding) = found.findings.first() else { return "# nothing was found\n".into() };
    let Finding { location, message, .. } = finding;
    // Writing to a string cannot fail.
    let _ = writeln!(script, "# {}:{}{}: {}", location.file, location.line, location.in_function(), one_line(message));
    let _ = writeln!(script, "file {}", case.program.display());
    let arguments: Vec<String> = case.arguments.iter().map(|argument| quoted(argument)).collect();
    if !arguments.is_empty() {
        let _ = writeln!(script, "set args {}", arguments.join(" "));
    }
    let _ = match stop {
        Some(Stop { file, line, .. }) => writeln!(script, "break {file}:{line}"),
        None => writeln!(script, "break {}:{}", location.file, location.line),
    };
    if let Some(Stop { passed: passed @ 1.., .. }) = stop {
        let _ = writeln!(script, "ignore $bpnum {passed}");
    }
    let _ = match input {
        Some(path) => writeln!(script, "run < {}", quoted(path.as_os_str())),
        None => writeln!(script, "run"),
    };
    script
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}
