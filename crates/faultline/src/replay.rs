//! `faultline replay`: re-executes a recording and reports whether each step agreed with it.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use abi::StreamId;
use anyhow::Result;
use recording::Recording;
use replay::{Ending, Image, ReplayError, Summary};

use crate::ending;

/// Re-execute a recording, and check that each step agrees with it
///
/// Exit status: 0 every step agreed, 1 the replay departed from the recording or the recording is incomplete, 2 the recording
/// cannot be read.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made by `faultline record`
    file: PathBuf,
    /// Print numbers for scripts, as `name=value` words
    #[arg(long)]
    stats: bool,
}

const NOT_EXACT: u8 = 1;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recording = Recording::open(&arguments.file)?;
    let image = Image::new(&recording);
    let begun = Instant::now();
    let mut summaries: Vec<(StreamId, Summary)> = Vec::new();
    for stream in recording.streams().iter().filter(|s| s.parent.is_none()) {
        match replay::replay_unobserved(&image, stream.id) {
            Ok(summary) => summaries.push((stream.id, summary)),
            Err(error @ ReplayError::Departed { .. }) => {
                eprintln!("faultline: {error}");
                return Ok(ExitCode::from(NOT_EXACT));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match arguments.stats {
        true => stats(&mut out, &recording, &summaries, seconds),
        false => text(&mut out, &image, &summaries, seconds),
    };
    let ended = crate::finish(written, out)?;
    // What was recorded agrees, but it is not the whole run.
    Ok(if recording.is_truncated() { ExitCode::from(NOT_EXACT) } else { ended })
}

fn total(summaries: &[(StreamId, Summary)], of: fn(&Summary) -> u64) -> u64 {
    summaries.iter().map(|(_, summary)| of(summary)).sum()
}

fn stats(out: &mut impl Write, recording: &Recording, summaries: &[(StreamId, Summary)], seconds: f64) -> Result<()> {
    let (instructions, ticks) = (total(summaries, |s| s.instructions), total(summaries, |s| s.clock));
    let logs = recording.streams().iter().chain(recording.surprises());
    let raw: u64 = logs.flat_map(|s| &s.chunks).map(|c| u64::from(c.raw_length)).sum();
    let disk = std::fs::metadata(recording.path())?.len();
    let (streams, complete) = (summaries.len(), if recording.is_truncated() { "no" } else { "yes" });
    writeln!(
        out,
        "instructions={instructions} ticks={ticks} seconds={seconds:.6} raw_bytes={raw} disk_bytes={disk} \
         streams={streams} complete={complete}"
    )?;
    Ok(())
}

fn text(out: &mut impl Write, image: &Image<'_>, summaries: &[(StreamId, Summary)], seconds: f64) -> Result<()> {
    let recording = image.recording;
    let (instructions, ticks) = (total(summaries, |s| s.instructions), total(summaries, |s| s.clock));
    let verdict = match (recording.is_truncated(), instructions) {
        (false, _) => "exact",
        (true, 0) => "incomplete: the recording contains nothing of the run",
        (true, _) => "incomplete: the part of the run that was recorded replays exactly",
    };
    writeln!(out, "{verdict}: {instructions} instructions, {ticks} ticks of the clock, in {seconds:.2} s")?;
    let known = summaries.iter().filter(|(_, summary)| summary.instructions > 0);
    for (stream, summary) in known {
        let thread = if summaries.len() > 1 { format!("{stream}: ") } else { String::new() };
        let handlers = match summary.handlers {
            0 => String::new(),
            1 => ", interrupted by 1 signal handler".into(),
            n => format!(", interrupted by {n} signal handlers"),
        };
        let ended = if recording.is_truncated() { "its recording ends" } else { "ended" };
        let place = match (summary.ending, summary.stack.first()) {
            (Ending::Finished | Ending::Window, _) | (_, None) => "returned from its first function".into(),
            (Ending::Outside, Some(site)) => format!("{ended} in the call at {}", ending::place(image, *site)?),
            (Ending::Inside, Some(site)) => format!("{ended} at {}", ending::place(image, *site)?),
        };
        writeln!(out, "{thread}{place}{handlers}")?;
    }
    for line in ending::sentences(recording) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
