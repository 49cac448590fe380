//! One technique alone, on a case: `faultline switch`, `faultline omission`, `faultline causes`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use techniques::{Found, Means, OTHER_THREAD, Subject, TechniqueError, with_subject};

use crate::answer::{DOES_NOT_FAIL, Format, write};
use crate::case::CaseArguments;
use crate::terminal::Terminal;

#[derive(clap::Args)]
pub struct Arguments {
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    case: CaseArguments,
}

impl Arguments {
    /// Whether what the program reads is in a file, not faultline's own standard input.
    pub fn has_input_file(&self) -> bool {
        self.case.stdin().is_some()
    }
}

pub fn run(
    arguments: &Arguments,
    find: impl FnOnce(&Subject<'_, '_>) -> Result<Found, TechniqueError>,
) -> Result<ExitCode> {
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
    let (found, mut limits) = with_subject(&lab, means, |subject| {
        let mut limits = subject.shortcomings.to_vec();
        if subject.reaches_failure() {
            return Ok((find(subject)?, limits));
        }
        limits.push(OTHER_THREAD.into());
        Ok((Found::default(), limits))
    })?;
    progress.finish();
    let mut found = found.into_findings(begun.elapsed());
    // What was not examined at all comes before what was not examined well.
    limits.append(&mut found.limits);
    found.limits = limits;
    found.limits.extend(lab.shortcomings());
    write(&found, arguments.format)
}
