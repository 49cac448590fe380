//! `faultline replay`: re-executes a recording and says whether it kept to it.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use abi::StreamId;
use anyhow::Result;
use recording::Recording;
use replay::{Ending, Image, ReplayError, Summary};

use crate::ending;

/// Re-execute a recording exactly: exit status 0 if every step agreed, 1 if the replay departed from the recording or the
/// recording is incomplete, 2 if it cannot be read
#[derive(clap::Args)]
pub struct Arguments {
    /// The recording, as `faultline record` wrote it
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
    // What is there agrees; but it is not the run.
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
        (true, 0) => "incomplete: nothing of the run is in the recording",
        (true, _) => "incomplete: what is in the recording replays without a departure",
    };
    writeln!(out, "{verdict}: {instructions} instructions, {ticks} ticks of the clock, in {seconds:.2} s")?;
    let known = summaries.iter().filter(|(_, summary)| summary.instructions > 0);
    for (stream, summary) in known {
        let thread = if summaries.len() > 1 { format!("{stream}: ") } else { String::new() };
        let handlers = match summary.handlers {
            0 => String::new(),
            1 => ", with 1 signal handler between".into(),
            n => format!(", with {n} signal handlers between"),
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
