//! `faultline explore`: new inputs for a program, one path each.

mod json;
mod kept;
mod shown;
mod told;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use budget::Budget;
use experiment::{End, Lab, Outcome};
use techniques::Notebook;
use techniques::exploring::{Exploration, Kept, Reading, explore};

use crate::answer::write_text;
use crate::case::{CaseArguments, Opened};
use crate::search::{leave, search};
use kept::Writer;
use shown::Shown;

/// Find new inputs that take the program along other paths
///
/// The program is run on the given input. Its standard input, arguments, environment variables and the files of --dir become
/// symbols, and so do their lengths. A solver then looks for inputs that take a branch of the run the other way. Each input
/// found is run in a sandbox; those that take a new path are explored in turn. The report says why there are no more, and
/// where. Ctrl-C ends the search and keeps what was found. Exit status: 0 if what --until asks for was reached (without
/// --until: if new inputs were found), 2 wrong use or an error of faultline, 3 not reached within the budget.
#[derive(Clone, clap::Args)]
pub struct Arguments {
    /// When to stop: at the first `crash`; at the first run that the oracle finds wrong (`check`); when `coverage` stops
    /// growing; or after N new inputs
    #[arg(long, value_name = "crash|check|coverage|N")]
    until: Option<Until>,
    /// Write each input to a folder of its own in DIR, with a script that runs it: `sh DIR/0001/run`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to write the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    case: CaseArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Until {
    Crash,
    Check,
    Coverage,
    Inputs(usize),
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Until, String> {
        match text {
            "crash" => Ok(Until::Crash),
            "check" => Ok(Until::Check),
            "coverage" => Ok(Until::Coverage),
            number => match number.parse() {
                Ok(count) if count > 0 => Ok(Until::Inputs(count)),
                _ => Err("expected crash, check, coverage or a number of inputs".to_owned()),
            },
        }
    }
}

const NOT_REACHED: u8 = 3;
/// Inputs in a row that cover nothing new: coverage does not grow any more.
const IN_VAIN: usize = 200;

/// What is known so far, for an answer that must be given early.
#[derive(Default)]
struct SoFar {
    text: String,
    reached: bool,
}

/// What the report is about.
struct Answer<'a> {
    lab: &'a Lab,
    found: &'a Exploration,
    arguments: &'a Arguments,
    reached: bool,
    seconds: f64,
}

impl Answer<'_> {
    /// The folder of an input, if it was written.
    fn folder(&self, number: usize) -> Option<PathBuf> {
        self.arguments.out.as_deref().map(|folder| kept::folder(folder, number))
    }

    fn text(&self) -> String {
        match self.arguments.format {
            Format::Text => told::text(self),
            Format::Json => json::text(self),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.until == Some(Until::Check) && !arguments.case.can_judge_other_inputs() {
        bail!(
            "--until check needs an oracle that can judge other inputs: --check CMD, --reference PROG or --expect-exit N"
        );
    }
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let budget = arguments.case.budget()?;
    let (notebook, so_far) = (Arc::new(Notebook::default()), Arc::new(Mutex::new(SoFar::default())));
    let searched = {
        let (arguments, budget) = (arguments.clone(), budget.clone());
        let (notebook, so_far) = (notebook.clone(), so_far.clone());
        search(&budget.clone(), move || searched(&arguments, &budget, &notebook, &so_far))?
    };
    leave(match searched {
        Some(Err(error)) => Err(error),
        Some(Ok(())) | None => {
            let known = std::mem::take(&mut *so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
            if known.text.is_empty() {
                let limits = notebook.answer(&budget).limits;
                let limits: Vec<String> = limits.iter().map(report::english::limit).collect();
                eprintln!("faultline: no input was explored: {}", limits.join("; "));
            }
            write_text(&known.text).map(|()| if known.reached { 0 } else { NOT_REACHED })
        }
    })
}

fn searched(arguments: &Arguments, budget: &Budget, notebook: &Notebook, so_far: &Mutex<SoFar>) -> Result<()> {
    let begun = Instant::now();
    let lab = match arguments.case.open_any(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => bail!(why),
        Opened::Spent => return Ok(()),
    };
    notebook.doing("new inputs were being searched for");
    let reading = Reading::of(lab, symbolic::Limits::default(), question_limits());
    let mut writer = Writer::new(arguments.out.as_deref(), lab.case());
    let mut shown = Shown::new();
    let mut in_vain = 0;
    let mut failed = None;
    let note = |found: &Exploration, reached: bool| {
        let reached = reached || arguments.until.is_none() && found.kept.len() > 1;
        let text = Answer { lab, found, arguments, reached, seconds: begun.elapsed().as_secs_f64() }.text();
        *so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = SoFar { text, reached };
    };
    let mut noted: Option<Instant> = None;
    let mut reached = false;
    let explored = explore(lab, &reading, budget, |found, kept| {
        shown.show(found);
        if let Some(kept) = kept {
            in_vain = if kept.new_ways > 0 { 0 } else { in_vain + 1 };
            if let Err(error) = writer.write(found.kept.len() - 1, kept) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        reached = match arguments.until {
            Some(Until::Crash) => kept.is_some_and(crashed),
            Some(Until::Check) => kept.is_some_and(is_wrong),
            Some(Until::Coverage) => in_vain >= IN_VAIN,
            Some(Until::Inputs(count)) => found.kept.len() > count,
            None => false,
        };
        // Making the report costs something; it is needed at the end, or if the search must be abandoned.
        if reached || noted.is_none_or(|at| at.elapsed() > NOTE_EVERY) {
            note(found, reached);
            noted = Some(Instant::now());
        }
        if reached { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    shown.finish();
    if let Some(error) = failed {
        return Err(error);
    }
    let explored = match explored {
        Ok(explored) => explored,
        Err(error) if error.spent().is_some() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let has_all = explored.is_exhausted && arguments.until == Some(Until::Coverage);
    note(&explored, reached || has_all);
    Ok(())
}

/// How old the report may be that is given if the search has to be abandoned.
const NOTE_EVERY: Duration = Duration::from_millis(300);

fn question_limits() -> smt::Limits {
    smt::Limits { conflicts: 20_000, time: Duration::from_secs(3), ..smt::Limits::default() }
}

fn crashed(kept: &Kept) -> bool {
    matches!(kept.end, End::Killed(_))
}

fn is_wrong(kept: &Kept) -> bool {
    !matches!(kept.outcome, Outcome::Passes | Outcome::CannotTell | Outcome::Refused)
}
