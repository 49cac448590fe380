//! `faultline values`: the values of a variable at each execution of a line.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use execution::unexamined::incomplete;
use recording::Recording;
use replay::Image;
use serde::Serialize;
use source::history::{History, Question, Turn, When};
use source::lines::shown_path;
use source::source_line::{SourceLine, find_line, parse_line};
use source::sources::Sources;
use source::value::{self, Value};

/// Show the values of a variable at each execution of a line
///
/// Each execution is shown with its number, the clock, and the value just before the line's first instruction. Consecutive
/// equal values are combined. `?` stands for a value that the program neither stored nor loaded.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made by `faultline record`
    recording: PathBuf,
    /// The line, as FILE:LINE; the last part of the path is enough
    #[arg(value_name = "FILE:LINE")]
    line: String,
    /// The variable, as in x, p->next->v, a[i].y, *p, ns::x
    #[arg(value_name = "VARIABLE")]
    variable: String,
    /// Show the value after the line's last instruction instead
    #[arg(long)]
    after: bool,
    /// Maximum number of executions to show
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit: usize,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    line: u32,
    expression: &'a str,
    /// How often the line was executed.
    count: u64,
    values: Vec<Entry<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    limits: Vec<String>,
}

#[derive(Serialize)]
struct Entry<'a> {
    stream: u32,
    number: u64,
    clock: u64,
    depth: u32,
    text: String,
    value: &'a Value,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recording = Recording::open(&arguments.recording)?;
    let image = Image::new(&recording);
    let expression = value::parse(&arguments.variable)?;
    let (file, line) = parse_line(&arguments.line)?;
    let line = find_line(&image, file, line)?;
    let sources = Sources::new(&image)?;
    let question = Question::new(&sources, &line, expression)?;
    let when = if arguments.after { When::After } else { When::Before };
    let mut histories: Vec<History> = Vec::new();
    for stream in recording.streams().iter().filter(|s| s.parent.is_none()) {
        let history = question.ask(stream.id, when, arguments.limit)?;
        if history.count > 0 {
            histories.push(history);
        }
    }
    if histories.is_empty() {
        let limit = incomplete(&recording)
            .map_or_else(String::new, |limit| format!(" in the recorded part of the run: {limit}"));
        bail!("line {} of {} was never executed{limit}", line.line, shown_path(&line.file));
    }
    let limits: Vec<String> = incomplete(&recording).into_iter().collect();
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match arguments.format {
        Format::Text => text(&mut out, &histories, &limits),
        Format::Json => json(&mut out, arguments, &line, &histories, limits),
    };
    crate::finish(written.map_err(Into::into), out)
}

fn text(out: &mut impl Write, histories: &[History], limits: &[String]) -> io::Result<()> {
    for history in histories {
        if histories.len() > 1 {
            writeln!(out, "{}", history.stream)?;
        }
        writeln!(out, "{:>12} {:>12}  value", "turn", "clock")?;
        for same in history.turns.chunk_by(|a, b| a.value == b.value) {
            let [first, .., last] = same else {
                let [turn] = same else { continue };
                writeln!(out, "{:>12} {:>12}  {}", turn.number, turn.step.clock, turn.value)?;
                continue;
            };
            let turns = format!("{}-{}", first.number, last.number);
            writeln!(out, "{turns:>12} {:>12}  {}", first.step.clock, first.value)?;
        }
        let shown = history.turns.len() as u64;
        if history.count > shown {
            writeln!(out, "{} more executions are not shown; see --limit", history.count - shown)?;
        }
    }
    for limit in limits {
        writeln!(out, "limit: {limit}")?;
    }
    Ok(())
}

fn json(
    out: &mut impl Write,
    arguments: &Arguments,
    line: &SourceLine,
    histories: &[History],
    limits: Vec<String>,
) -> io::Result<()> {
    let answer = Answer {
        file: &line.file,
        line: line.line,
        expression: &arguments.variable,
        count: histories.iter().map(|h| h.count).sum(),
        values: histories.iter().flat_map(|h| h.turns.iter().map(|turn| entry(h, turn))).collect(),
        limits,
    };
    serde_json::to_writer_pretty(&mut *out, &answer)?;
    writeln!(out)
}

fn entry<'a>(history: &History, turn: &'a Turn) -> Entry<'a> {
    Entry {
        stream: history.stream.0,
        number: turn.number,
        clock: turn.step.clock,
        depth: turn.step.depth,
        text: turn.value.to_string(),
        value: &turn.value,
    }
}
