//! `faultline dump`: a recording as text.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use abi::StreamId;
use anyhow::{Result, bail};
use program::{Function, Module, Op};
use recording::Recording;
use replay::{Image, Leaving, Observed, Observer};
use source::sources::Sources;
use source::told::{Values, callee, told, value};

use crate::ending;

/// Print a recorded run as text: what it assigned, decided and called, step by step
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made by `faultline record`
    file: PathBuf,
    /// Show each IR instruction with its result, instead of assignments, branches and calls
    #[arg(long)]
    instructions: bool,
    /// Show the sections and log bytes of the file, without a replay
    #[arg(long, conflicts_with = "instructions")]
    raw: bool,
    /// Show only this stream (1 is the main thread)
    #[arg(long)]
    stream: Option<u32>,
    /// Show only steps from this clock on
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Show only steps up to this clock
    #[arg(long, default_value_t = u64::MAX)]
    to: u64,
    /// Show only the last N ticks of the clock
    #[arg(long, conflicts_with_all = ["from", "to"])]
    last: Option<u64>,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recording = Recording::open(&arguments.file)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let done = if arguments.raw { raw(&recording, &mut out) } else { steps(&recording, arguments, &mut out) };
    crate::finish(done, out)
}

fn raw(recording: &Recording, out: &mut impl Write) -> Result<()> {
    recording::dump::summary(recording, out)?;
    recording::dump::bytes(recording, out)?;
    Ok(())
}

fn steps(recording: &Recording, arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let image = Image::new(recording);
    let sources = Sources::new(&image)?;
    let case = recording.case();
    writeln!(out, "program   {}", case.program.display())?;
    if !case.arguments.is_empty() {
        let words: Vec<_> = case.arguments.iter().map(|a| a.to_string_lossy()).collect();
        writeln!(out, "arguments {}", words.join(" "))?;
    }
    let mut found = false;
    for stream in recording.streams().iter().filter(|s| s.parent.is_none()) {
        if arguments.stream.is_some_and(|wanted| stream.id != StreamId(wanted)) {
            continue;
        }
        found = true;
        writeln!(out, "{}", stream.id)?;
        let from = match (arguments.last, stream.last) {
            (Some(last), Some(end)) => end.clock.saturating_sub(last),
            _ => arguments.from,
        };
        let printer = Printer {
            sources: &sources,
            out,
            from,
            to: arguments.to,
            instructions: arguments.instructions,
            depth: 0,
            failed: None,
        };
        let (_, printer) = replay::replay(&image, stream.id, printer)?;
        if let Some(error) = printer.failed {
            return Err(error.into());
        }
    }
    if !found {
        bail!("the recording has no such stream; it has {} streams", recording.streams().len());
    }
    for line in ending::sentences(recording) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

struct Printer<'a> {
    sources: &'a Sources<'a, 'a>,
    out: &'a mut dyn Write,
    from: u64,
    to: u64,
    instructions: bool,
    depth: usize,
    failed: Option<io::Error>,
}

impl Printer<'_> {
    fn line(&mut self, step: &Observed<'_>, text: &str) {
        if self.failed.is_some() {
            return;
        }
        let place = match step.instruction().location {
            Some(location) => step.module().location_text(location).to_string(),
            None => String::from("-"),
        };
        let indent = "  ".repeat(step.depth.saturating_sub(1).min(24));
        let written = writeln!(self.out, "{:>10}  {place:<24} {indent}{}: {text}", step.clock, step.function().name);
        self.failed = written.err();
    }

    fn shows(&self, step: &Observed<'_>) -> bool {
        step.clock >= self.from && step.clock <= self.to
    }
}

impl Observer for Printer<'_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        if !self.shows(step) {
            return;
        }
        if self.instructions {
            let text = step.module().instruction_text(step.function(), step.id()).to_string();
            let shown = text.split("    ;").next().unwrap_or(&text).to_owned();
            let result = step.result();
            let value = match step.instruction().op {
                _ if result.is_empty() => String::new(),
                Op::Call(_) | Op::Invoke { .. } => String::new(),
                _ => format!("  => {}", value(&step.instruction().ty, result)),
            };
            self.line(step, &format!("{shown}{value}"));
            return;
        }
        if let Some(text) = told(&Values::with_numbers(self.sources), step) {
            self.line(step, &text.to_string());
        }
    }

    fn returned(&mut self, step: &Observed<'_>) {
        if !self.shows(step) {
            return;
        }
        let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
        let name = callee(step, call);
        let text = match step.result() {
            [] => format!("{name} returned"),
            words => format!("{name} returned {}", value(&step.instruction().ty, words)),
        };
        self.line(step, &text);
    }

    fn entered(&mut self, _: &Function, _: &Module, _: bool) {
        self.depth += 1;
    }

    fn left(&mut self, _: &Function, _: Leaving) {
        self.depth = self.depth.saturating_sub(1);
    }
}
