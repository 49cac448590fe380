//! The options that say what fails and how to tell right from wrong: the same for every command that makes experiments.

use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use budget::Budget;
use experiment::sandbox;
use experiment::shrink::Judge;
use experiment::{Case, Expects, Lab, LabError, Limits, Opening, Oracle, Remembered, oracle_by_reference};
use findings::Limit;
use techniques::Notebook;

use crate::cache;

use crate::shell::quoted;

use crate::advice::advised;
use crate::project::Project;
use crate::spending::Spending;

#[derive(Clone, clap::Args)]
pub struct CaseArguments {
    /// What standard output should be
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// The exit status the program should have
    #[arg(long, value_name = "N")]
    expect_exit: Option<i32>,
    /// A program that behaves correctly with the same arguments and input
    #[arg(long, value_name = "PROG", conflicts_with_all = ["expect", "expect_exit"])]
    reference: Option<PathBuf>,
    /// A command that judges a run by $FAULTLINE_STDOUT, $FAULTLINE_STDERR (files) and $FAULTLINE_STATUS. It exits with 0
    /// if the run is correct, 1 to 124 if it is wrong, and 125 if it cannot tell
    #[arg(long, value_name = "CMD")]
    check: Option<OsString>,
    /// The file that the program reads as standard input [default: standard input of faultline, unless that is a terminal]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A directory to run in; each run gets its own copy
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Treat a run that takes longer as a hang [default: 10]
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    #[command(flatten)]
    spending: Spending,
    /// Allow a system call that the sandbox would refuse, whatever it does; may be repeated
    #[arg(long, value_name = "CALL", value_parser = call_number)]
    allow: Vec<i64>,
    /// The program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_names = ["PROG", "ARGS"])]
    command: Vec<OsString>,
}

fn call_number(name: &str) -> Result<i64, String> {
    sandbox::call_number(name)
        .ok_or_else(|| format!("there is no system call {name}; the report names those that the sandbox refused"))
}

/// What came of running the case.
pub enum Opened {
    /// It is there until the command ends: whoever still works in it is not waited for.
    Lab(&'static Lab),
    /// And what to do about that.
    DoesNotFail(String),
    /// There was not time enough even for that.
    Spent,
}

/// Seconds.
const TIMEOUT: f64 = 10.0;
const BUDGET: f64 = 60.0;

impl CaseArguments {
    /// Whether no program is named.
    pub fn is_without_program(&self) -> bool {
        self.command.is_empty()
    }

    /// Takes what is not given from a project's file; any oracle that is given stands in place of all of the file's.
    pub fn completed_by(self, project: Project) -> CaseArguments {
        let has_oracle = self.has_oracle();
        let words = std::iter::once(project.program.into()).chain(project.args.into_iter().map(OsString::from));
        CaseArguments {
            expect: self.expect.or(project.expect.filter(|_| !has_oracle)),
            expect_exit: self.expect_exit.or(project.expect_exit.filter(|_| !has_oracle)),
            reference: self.reference.or(project.reference.filter(|_| !has_oracle)),
            check: self.check.or(project.check.filter(|_| !has_oracle).map(OsString::from)),
            stdin: self.stdin.or(project.stdin),
            dir: self.dir.or(project.dir),
            timeout: self.timeout.or(project.timeout),
            spending: self.spending.or(Spending::of(project.budget, project.memory)),
            allow: self.allow,
            command: words.collect(),
        }
    }

    fn has_oracle(&self) -> bool {
        self.expect.is_some() || self.expect_exit.is_some() || self.reference.is_some() || self.check.is_some()
    }

    /// Whether there is an oracle that can say of a run on another input that it is wrong though it ends.
    pub fn can_judge_other_inputs(&self) -> bool {
        self.reference.is_some() || self.check.is_some() || self.expect_exit.is_some()
    }

    /// What the answer may take, from now on.
    pub fn budget(&self) -> Result<Budget> {
        self.spending.begin(Some(BUDGET))
    }

    pub fn program(&self) -> OsString {
        self.command.first().cloned().unwrap_or_default()
    }

    /// The program with its arguments and input, as one would type it.
    pub fn line(&self) -> String {
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        let input = self.stdin.as_ref().map_or_else(String::new, |path| format!(" < {}", quoted(path.as_os_str())));
        format!("{}{input}", words.join(" "))
    }

    /// The file of standard input, if one was named.
    pub fn stdin(&self) -> Option<&Path> {
        self.stdin.as_deref()
    }

    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// What is known to be right of runs on other input, too.
    pub fn judge(&self) -> Judge {
        let oracle = Oracle { check: self.check.clone(), ..Oracle::default() };
        Judge { status: self.expect_exit, reference: self.reference.clone(), oracle }
    }

    pub fn case(&self) -> Result<Case> {
        sandbox::allow(self.allow.clone());
        let (program, arguments) = self.command.split_first().context("name the failing program after `--`")?;
        let mut case = Case::new(program.as_ref(), arguments.to_vec())?;
        if let Some(directory) = &self.dir {
            case = case.with_files(directory)?;
        }
        Ok(match &self.stdin {
            Some(path) => case.with_input_file(path)?,
            None => with_own_input(case)?,
        })
    }

    pub fn oracle(&self, case: &Case, budget: &Budget) -> Result<Oracle> {
        let mut oracle = Oracle { status: self.expect_exit, check: self.check.clone(), ..Oracle::default() };
        if let Some(path) = &self.expect {
            oracle.output = Some(std::fs::read(path).with_context(|| {
                format!("cannot read {}; --expect takes a file with the expected output", path.display())
            })?);
        }
        if let Some(reference) = &self.reference {
            let right = oracle_by_reference(reference, case, Limits::default().time.min(budget.left()))?;
            (oracle.output, oracle.status, oracle.reference) = (right.output, right.status, right.reference);
        }
        Ok(oracle)
    }

    /// Runs the case, to see it fail.
    pub fn open(&self, budget: &Budget, notebook: &Notebook) -> Result<Opened> {
        self.open_lab(Expects::Failure, budget, notebook).map_err(advised)
    }

    /// Runs the case, whether it fails or not.
    pub fn open_any(&self, budget: &Budget, notebook: &Notebook) -> Result<Opened> {
        self.open_lab(Expects::Anything, budget, notebook).map_err(advised)
    }

    fn open_lab(&self, expects: Expects, budget: &Budget, notebook: &Notebook) -> Result<Opened> {
        notebook.doing("the program's input was being read");
        let case = self.case()?;
        notebook.doing("the expected result was being determined");
        let oracle = Oracle { deadline: budget.end(), ..self.oracle(&case, budget)? };
        let time = Duration::try_from_secs_f64(self.timeout.unwrap_or(TIMEOUT))
            .context("--timeout takes a number of seconds")?;
        let limits = Limits { time, ..Limits::default() };
        let remembered = cache::outcomes().and_then(|folder| Remembered::open(&folder, &case, &oracle, &limits));
        notebook.doing("the failing run was being recorded");
        let opening = Opening { remembered, expects, spending: budget.clone(), ..Opening::of(case, oracle, limits) };
        match opening.open() {
            Ok(lab) => {
                for limit in lab.shortcomings() {
                    notebook.limit(Limit::Stated { text: limit });
                }
                Ok(Opened::Lab(Box::leak(Box::new(lab))))
            }
            Err(error @ LabError::DoesNotFail(_)) => {
                Ok(Opened::DoesNotFail(format!("{error}; {}", self.say_what_is_wrong())))
            }
            Err(error @ (LabError::TooSlow { .. } | LabError::StillRunning(_))) => {
                notebook.limit(Limit::Stated { text: error.to_string() });
                Ok(Opened::Spent)
            }
            Err(LabError::Spent(_)) => Ok(Opened::Spent),
            Err(error) => Err(error.into()),
        }
    }

    /// What to do if nothing seems to be wrong.
    fn say_what_is_wrong(&self) -> &'static str {
        if self.has_oracle() {
            "that is the expected result. Check that the arguments and standard input are those that make it fail"
        } else {
            "if that is wrong, say what is expected: --expect FILE (its output), --expect-exit N (its exit status), \
             --reference PROG (a program that behaves correctly) or --check CMD (a command that judges a run)"
        }
    }
}

fn with_own_input(case: Case) -> Result<Case> {
    let mut input = std::io::stdin();
    if input.is_terminal() {
        return Ok(case);
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).context("cannot read standard input")?;
    let case = case.with_input(bytes);
    let about = File::from(input.as_fd().try_clone_to_owned()?).metadata()?;
    Ok(if about.is_file() { case.with_input_modified(about.modified()?) } else { case })
}
