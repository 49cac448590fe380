//! `faultline replay`: re-executes a recording and says whether it kept to it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use abi::StreamId;
use anyhow::Result;
use recording::Recording;
use replay::{Ending, Image, ReplayError, Summary};

use crate::ending;

/// Re-execute a recording exactly: exit status 0 if every step agreed, 1 if the replay departed from the recording,
/// 2 if it cannot be read
#[derive(clap::Args)]
pub struct Arguments {
    /// The recording, as `faultline record` wrote it
    file: PathBuf,
    /// Print numbers for scripts, as `name=value` words
    #[arg(long)]
    stats: bool,
}

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
                return Ok(ExitCode::from(1));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let total = |f: fn(&Summary) -> u64| summaries.iter().map(|(_, s)| f(s)).sum::<u64>();
    let (instructions, ticks) = (total(|s| s.instructions), total(|s| s.clock));
    if arguments.stats {
        let logs = recording.streams().iter().chain(recording.surprises());
        let raw: u64 = logs.flat_map(|s| &s.chunks).map(|c| u64::from(c.raw_length)).sum();
        let disk = std::fs::metadata(&arguments.file)?.len();
        println!(
            "instructions={instructions} ticks={ticks} seconds={seconds:.6} raw_bytes={raw} disk_bytes={disk} streams={}",
            summaries.len()
        );
        return Ok(ExitCode::SUCCESS);
    }
    println!("exact: {instructions} instructions, {ticks} ticks of the clock, in {seconds:.2} s");
    for (stream, summary) in &summaries {
        let thread = if summaries.len() > 1 { format!("{stream}: ") } else { String::new() };
        let handlers = match summary.handlers {
            0 => String::new(),
            1 => ", with 1 signal handler between".into(),
            n => format!(", with {n} signal handlers between"),
        };
        let place = match (summary.ending, summary.stack.first()) {
            (Ending::Finished | Ending::Window, _) | (_, None) => "returned from its first function".into(),
            (Ending::Outside, Some(site)) => format!("ended in the call at {}", ending::place(&image, *site)?),
            (Ending::Inside, Some(site)) => format!("ended at {}", ending::place(&image, *site)?),
        };
        println!("{thread}{place}{handlers}");
    }
    for line in ending::sentences(&recording) {
        println!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}
