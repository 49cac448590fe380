//! `faultline rank`: lines that failing tests execute and passing ones do not.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use experiment::{Limits, read_suite};
use spectrum::Formula;
use techniques::rank::{RankError, find};

use crate::answer::{DOES_NOT_FAIL, Format, NOTHING_FOUND, write};
use crate::search::{leave, search};
use crate::spending::Spending;
use crate::terminal::Terminal;

/// Run a suite of tests, and rank the lines that failing tests execute and passing tests do not
///
/// Each test is a separate run in a sandbox: it cannot change your files, or reach other processes or the network. Exit
/// status: 0 a suspect was found, 1 no test fails, 2 wrong use or an error of faultline, 3 nothing was found.
#[derive(clap::Args)]
pub struct Arguments {
    /// The suite: a TOML file with a table [[test]] for each test (name, args, stdin, dir; expect, expect-exit, reference,
    /// check), or a directory with files NAME.in and NAME.out
    #[arg(long, value_name = "FILE")]
    tests: PathBuf,
    /// The formula for suspicion: ochiai, tarantula, dstar, barinel, op2
    #[arg(long, value_name = "NAME", default_value = "ochiai", value_parser = formula)]
    formula: Formula,
    /// Treat a test that takes longer as failing
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    timeout: f64,
    #[command(flatten)]
    spending: Spending,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The program, and arguments to put before those of each test
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_names = ["PROG", "ARGS"])]
    command: Vec<OsString>,
}

fn formula(name: &str) -> Result<Formula, String> {
    let known = Formula::ALL.into_iter().find(|formula| formula.name() == name);
    known.ok_or_else(|| format!("expected one of {}", Formula::ALL.map(Formula::name).join(", ")))
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (program, common) = arguments.command.split_first().context("name the program to test")?;
    let tests = read_suite(&arguments.tests, program.as_ref(), common)?;
    let time = Duration::try_from_secs_f64(arguments.timeout).context("--timeout takes a number of seconds")?;
    let (formula, budget) = (arguments.formula, arguments.spending.begin(None)?);
    let searched = {
        let budget = budget.clone();
        search(&budget.clone(), move || {
            let progress = Terminal::new();
            let found = find(&tests, formula, &Limits { time, ..Limits::default() }, &budget, &progress);
            progress.finish();
            found
        })?
    };
    leave(match searched {
        Some(Ok(found)) => write(&found, arguments.format),
        Some(Err(error @ RankError::NoneFails { .. })) => {
            eprintln!("faultline: {error}");
            Ok(DOES_NOT_FAIL)
        }
        Some(Err(error)) => Err(error.into()),
        None if budget.was_interrupted() => Err(anyhow!("the search was interrupted before any test had been run")),
        None => {
            eprintln!("faultline: the time budget ran out before any test had been run; give it a longer --budget");
            Ok(NOTHING_FOUND)
        }
    })
}
