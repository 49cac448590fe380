//! `faultline switch`: conditions that, had they gone the other way, would have made the run right.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Result;
use techniques::{Progress, with_subject};

use crate::case::CaseArguments;

/// Try every condition of a failing run the other way, and show those that make it right
///
/// Each experiment is a run of its own behind walls: it cannot change your files, reach other processes or the network.
/// Exit status: 0 something was found, 1 the program does not fail, 3 nothing was found.
#[derive(clap::Args)]
pub struct Arguments {
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    case: CaseArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

const DOES_NOT_FAIL: u8 = 1;
const NOTHING_FOUND: u8 = 3;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let begun = Instant::now();
    let deadline = begun + arguments.case.budget()?;
    let lab = match arguments.case.lab()? {
        Ok(lab) => lab,
        Err(why) => {
            eprintln!("faultline: {why}");
            return Ok(ExitCode::from(DOES_NOT_FAIL));
        }
    };
    let progress = Terminal::default();
    let mut found = with_subject(&lab, deadline, &progress, techniques::switch::find)?;
    progress.finish();
    found.seconds = begun.elapsed().as_secs_f64();
    found.limits.extend(lab.shortcomings());
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match arguments.format {
        Format::Text => report::text(&found, &mut out),
        Format::Json => report::json(&found, &mut out),
    };
    let ended = crate::finish(written.map_err(Into::into), out)?;
    Ok(if found.findings.is_empty() { ExitCode::from(NOTHING_FOUND) } else { ended })
}

/// A line that is written over; elsewhere nothing.
#[derive(Default)]
struct Terminal {
    /// Milliseconds since the program's start at which it was last written, for the eye.
    last: AtomicU64,
}

impl Terminal {
    fn finish(&self) {
        if io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Progress for Terminal {
    fn tried(&self, what: &str, done: usize, of: usize) {
        static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let now = BEGUN.get_or_init(Instant::now).elapsed().as_millis() as u64;
        if io::stderr().is_terminal() && now.saturating_sub(self.last.load(Ordering::Relaxed)) > 100 {
            self.last.store(now, Ordering::Relaxed);
            eprint!("\r\x1b[K{what}: {done} of {of}");
            let _ = io::stderr().flush();
        }
    }
}
