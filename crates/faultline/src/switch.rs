//! `faultline switch`: conditions that, had they gone the other way, would have made the run right.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use techniques::{Means, with_subject};

use crate::answer::{DOES_NOT_FAIL, Format, write};
use crate::case::CaseArguments;
use crate::terminal::Terminal;

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
    let progress = Terminal::new()?;
    let means = Means { progress: &progress, ..Means::until(deadline) };
    let found = with_subject(&lab, means, techniques::switch::find)?;
    progress.finish();
    let mut found = found.into_findings(begun.elapsed());
    found.limits.extend(lab.shortcomings());
    write(&found, arguments.format)
}
