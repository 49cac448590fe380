//! What a command is asked about a run: the options that say which failure, byte or line is meant.

use std::path::PathBuf;

use abi::StreamId;
use anyhow::{Context, Result, bail};
use execution::criterion::Criterion;
use execution::dependence::Wish;
use execution::slice::Reach;
use execution::{Run, steps, unexamined};
use failure::text::subject;
use failure::{self, Failure, FailureError, Question};
use program::debug::place_text;
use program::{Op, Role, role};
use recording::Standard;
use replay::Image;
use source::lines::shown_path;
use source::source_line::{SourceLine, find_line, parse_line};
use source::sources::Sources;

#[derive(clap::Args)]
pub struct Asked {
    /// A file with the expected standard output; the question is about the first byte that differs
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// The expected exit status
    #[arg(long, value_name = "N", conflicts_with = "expect")]
    expect_exit: Option<i32>,
    /// Ask about this byte of standard output, counted from 1 as `cmp` does
    #[arg(long, value_name = "N", conflicts_with_all = ["expect", "expect_exit"])]
    byte: Option<u64>,
    /// Ask about a line, or about a variable that it uses or assigns; @N selects its N-th execution [default: the last]
    #[arg(long, value_name = "FILE:LINE[:VAR][@N]", conflicts_with_all = ["expect", "expect_exit", "byte"])]
    at: Option<String>,
}

/// What is asked, and how to say it.
pub struct Answerable {
    pub criterion: Criterion,
    /// What it is, as the subject of a sentence.
    pub subject: String,
    /// How far back it is worth looking.
    pub reach: Reach,
}

impl Asked {
    /// The thread that is asked about: the one that failed, or the first, where nobody asks about a failure.
    pub fn thread(&self, image: &Image<'_>) -> Result<StreamId> {
        if image.recording.stream(StreamId::MAIN).is_none_or(|stream| stream.known_until == 0) {
            let why = unexamined::incomplete(image.recording).unwrap_or_else(|| "record the run again".into());
            bail!("{} contains nothing of the run: {why}", image.recording.path().display());
        }
        let asks_for_failure = self.at.is_none() && self.byte.is_none() && self.expect.is_none();
        Ok(if asks_for_failure { unexamined::failing_thread(image)? } else { StreamId::MAIN })
    }

    pub fn question(&self, run: &Run<'_>, sources: &Sources<'_, '_>) -> Result<Answerable> {
        if let Some(at) = &self.at {
            return at_line(run, sources, at);
        }
        let question = if let Some(path) = &self.expect {
            let expected = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let found = run.image().recording.standard(Standard::Output)?.ok_or(FailureError::NoOutput)?;
            failure::wrong_output(run, &found, &expected)?
        } else if let Some(byte) = self.byte {
            failure::output_byte(run, byte.checked_sub(1).context("bytes are counted from 1")?)?
        } else if let Some(expected) = self.expect_exit {
            match failure::by_itself(run) {
                Ok(Question { failure: Failure::Status { status }, .. }) if status == expected => {
                    bail!("the run exited with status {status}, as expected")
                }
                Err(FailureError::DidNotFail) if expected == 0 => bail!("the run exited with status 0, as expected"),
                Err(FailureError::DidNotFail) => failure::status_of(run, 0)?,
                other => other?,
            }
        } else {
            match failure::by_itself(run) {
                Err(FailureError::DidNotFail) => bail!(
                    "the run exited with status 0, so it shows no failure of its own. Say what is expected: --expect FILE \
                     (its output) or --expect-exit N (its exit status); or ask about something else: --byte N, --at \
                     FILE:LINE"
                ),
                other => other?,
            }
        };
        let reach = question.reach();
        Ok(Answerable { subject: subject(&question.failure), criterion: question.criterion, reach })
    }
}

/// `FILE:LINE[:VARIABLE][@N]`.
fn at_line(run: &Run<'_>, sources: &Sources<'_, '_>, text: &str) -> Result<Answerable> {
    let (place, turn) = match text.rsplit_once('@') {
        Some((place, turn)) => {
            (place, Some(turn.parse::<u64>().context("`@` must be followed by a number, as in main.c:12@3")?))
        }
        None => (text, None),
    };
    let (line, variable) = match parse_line(place) {
        Ok(line) => (line, None),
        Err(error) => match place.rsplit_once(':') {
            Some((before, variable)) => (parse_line(before)?, Some(variable)),
            None => return Err(error.into()),
        },
    };
    let line = find_line(run.image(), line.0, line.1)?;
    let sites = sites(run, sources, &line, variable)?;
    let found = match turn {
        None => steps::last(run, |step| sites.contains(step))?,
        Some(turn) => steps::nth(run, turn, |step| sites.contains(step))?,
    };
    let at = match (found, turn) {
        (Some(at), _) => at,
        (None, None) => bail!("line {} of {} was never executed", line.line, shown_path(&line.file)),
        (None, Some(turn)) => bail!("line {} of {} was not executed {turn} times", line.line, shown_path(&line.file)),
    };
    let what = variable.map_or_else(String::new, |v| format!("`{v}` at "));
    let which = turn.map_or_else(|| "its last execution".into(), |n| format!("execution {n}"));
    let subject = format!("{what}line {} of {}, {which}", line.line, shown_path(&line.file));
    let criterion = Criterion::of_step(at, vec![Wish::Operands, Wish::Execution]);
    Ok(Answerable { criterion, subject, reach: Reach::ALL })
}

/// The sites that stand for a line: what assigns or uses the variable, or else the line's most telling instruction.
struct Sites(Vec<(usize, abi::FunctionId, abi::InstructionId)>);

impl Sites {
    fn contains(&self, step: &replay::Observed<'_>) -> bool {
        let site = (step.module_position(), step.function().id, step.id());
        self.0.contains(&site)
    }
}

fn sites(run: &Run<'_>, sources: &Sources<'_, '_>, line: &SourceLine, variable: Option<&str>) -> Result<Sites> {
    let mut chosen = Vec::new();
    for part in &line.functions {
        let module = run.image().module(part.module)?;
        let function = module.function(part.function);
        let debug = sources.debug(part.module);
        let rank = |id: &&abi::InstructionId| {
            let op = &function.instruction(**id).op;
            let named =
                |address, size| variable.is_none_or(|v| place_text(module, debug, function, address, size, None) == v);
            match op {
                Op::Store { address, value_type, .. } if named(address, value_type.store_size()) => 5,
                Op::Load { address, .. } if variable.is_some() => {
                    if named(address, function.instruction(**id).ty.store_size()) { 4 } else { 0 }
                }
                _ if variable.is_some() => 0,
                Op::Branch { .. } | Op::Switch { .. } => 4,
                op if role(op, &function.instruction(**id).ty) == Role::Effect => 3,
                _ => 1,
            }
        };
        let best = part.sites.iter().map(|id| rank(&id)).max().unwrap_or(0);
        if best > 0 {
            let last = part.sites.iter().rfind(|id| rank(id) == best);
            chosen.extend(last.map(|id| (part.module, part.function, *id)));
        }
    }
    match variable {
        Some(variable) if chosen.is_empty() => {
            bail!("line {} of {} neither uses nor assigns `{variable}`", line.line, shown_path(&line.file))
        }
        _ => Ok(Sites(chosen)),
    }
}
