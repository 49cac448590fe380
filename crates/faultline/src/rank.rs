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

/// Run a suite of tests and rank the lines that failing tests have in common and passing ones have not
///
/// Each test is a run of its own behind walls: it cannot change your files, reach other processes or the network.
/// Exit status: 0 something was found, 1 no test fails, 3 nothing was found.
#[derive(clap::Args)]
pub struct Arguments {
    /// The suite: a TOML file with a table [[test]] for each test (name, args, stdin, dir; expect, expect-exit, reference,
    /// check), or a directory with files NAME.in and NAME.out
    #[arg(long, value_name = "FILE")]
    tests: PathBuf,
    /// How suspicion is computed: ochiai, tarantula, dstar, barinel, op2
    #[arg(long, value_name = "NAME", default_value = "ochiai", value_parser = formula)]
    formula: Formula,
    /// A test that takes longer fails
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    timeout: f64,
    #[command(flatten)]
    spending: Spending,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The program, and arguments that come before those of each test
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_names = ["PROG", "ARGS"])]
    command: Vec<OsString>,
}

fn formula(name: &str) -> Result<Formula, String> {
    let known = Formula::ALL.into_iter().find(|formula| formula.name() == name);
    known.ok_or_else(|| format!("there are {}", Formula::ALL.map(Formula::name).join(", ")))
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (program, common) = arguments.command.split_first().context("name the program that is tested")?;
    let tests = read_suite(&arguments.tests, program.as_ref(), common)?;
    let time = Duration::try_from_secs_f64(arguments.timeout).context("--timeout is a number of seconds")?;
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
        None if budget.was_interrupted() => Err(anyhow!("it was interrupted before anything was known of the tests")),
        None => {
            eprintln!("faultline: the time was up before anything was known of the tests; give it a longer --budget");
            Ok(NOTHING_FOUND)
        }
    })
}
