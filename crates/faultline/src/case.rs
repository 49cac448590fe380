//! The options that say what fails and how to tell right from wrong: the same for every command that makes experiments.

use std::ffi::OsString;
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use experiment::{Case, Lab, LabError, Limits, Oracle};

#[derive(clap::Args)]
pub struct CaseArguments {
    /// What standard output should be
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// The exit status the program should have
    #[arg(long, value_name = "N")]
    expect_exit: Option<i32>,
    /// A program that behaves rightly on the same arguments and input
    #[arg(long, value_name = "PROG", conflicts_with_all = ["expect", "expect_exit"])]
    reference: Option<PathBuf>,
    /// A command that judges a run by $FAULTLINE_STDOUT, $FAULTLINE_STDERR (files) and $FAULTLINE_STATUS: it exits with 0
    /// if the run is right, 1 to 124 if it is wrong, 125 if it cannot tell
    #[arg(long, value_name = "CMD")]
    check: Option<OsString>,
    /// Standard input of the program [default: ours, unless that is a terminal]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A directory that each run gets a copy of, and runs in
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// A run that takes longer than this hangs
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    timeout: f64,
    /// Stop looking after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    budget: f64,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_names = ["PROG", "ARGS"])]
    command: Vec<OsString>,
}

impl CaseArguments {
    pub fn budget(&self) -> Result<Duration> {
        Duration::try_from_secs_f64(self.budget).context("--budget is a number of seconds")
    }

    pub fn case(&self) -> Result<Case> {
        let (program, arguments) = self.command.split_first().context("name the program that fails")?;
        let mut case = Case::new(program.as_ref(), arguments.to_vec())?;
        if let Some(directory) = &self.dir {
            case = case.with_files(directory)?;
        }
        Ok(match &self.stdin {
            Some(path) => case.with_input_file(path)?,
            None => case.with_input(own_input()?),
        })
    }

    pub fn oracle(&self, case: &Case) -> Result<Oracle> {
        let mut oracle = Oracle { output: None, status: self.expect_exit, check: self.check.clone() };
        if let Some(path) = &self.expect {
            oracle.output = Some(std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?);
        }
        if let Some(reference) = &self.reference {
            let (output, status) = run_reference(reference, case)?;
            oracle.output = Some(output);
            oracle.status = Some(status);
        }
        Ok(oracle)
    }

    /// The lab, or what to tell if there is no failure.
    pub fn lab(&self) -> Result<Result<Lab, String>> {
        let case = self.case()?;
        let oracle = self.oracle(&case)?;
        let time = Duration::try_from_secs_f64(self.timeout).context("--timeout is a number of seconds")?;
        let limits = Limits { time, ..Limits::default() };
        match Lab::open(case, oracle, limits) {
            Ok(lab) => Ok(Ok(lab)),
            Err(error @ LabError::DoesNotFail(_)) => Ok(Err(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }
}

fn own_input() -> Result<Vec<u8>> {
    let mut input = std::io::stdin();
    let mut bytes = Vec::new();
    if !input.is_terminal() {
        input.read_to_end(&mut bytes).context("cannot read standard input")?;
    }
    Ok(bytes)
}

/// What the right program writes, and its exit status.
fn run_reference(reference: &PathBuf, case: &Case) -> Result<(Vec<u8>, i32)> {
    let copy = tempfile::TempDir::new()?;
    let path = std::path::absolute(reference)?;
    let path = if reference.components().count() > 1 { path } else { reference.clone() };
    let mut command = Command::new(&path);
    command.args(&case.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(files) = &case.files {
        let directory = copy.path().join("files");
        experiment::copy_tree(files, &directory)?;
        command.current_dir(directory);
    }
    let cannot = || format!("cannot run {}", reference.display());
    let mut child = command.spawn().with_context(cannot)?;
    let mut input = child.stdin.take().context("the reference has no input")?;
    let bytes = case.input.clone();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let ran = child.wait_with_output().with_context(cannot)?;
    // A program need not read all its input.
    let _ = writer.join();
    match ran.status.code() {
        Some(status) => Ok((ran.stdout, status)),
        None => bail!("{} does not behave rightly: it was killed by a signal", reference.display()),
    }
}
