//! `faultline omission`: code that should have run and did not.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use techniques::{Means, with_subject};

use crate::answer::{DOES_NOT_FAIL, Format, write};
use crate::case::CaseArguments;
use crate::terminal::Terminal;

/// Find conditions that kept code from running that would have made the failure right, and what decided them
///
/// For what the failure depends on, each condition that could have let something else be there is reversed in a run of its
/// own, and the two runs are compared. Each experiment is behind walls: it cannot change your files, reach other processes
/// or the network. Exit status: 0 something was found, 1 the program does not fail, 3 nothing was found.
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
    let found = with_subject(&lab, means, techniques::omission::find)?;
    progress.finish();
    let mut found = found.into_findings(begun.elapsed());
    found.limits.extend(lab.shortcomings());
    write(&found, arguments.format)
}
