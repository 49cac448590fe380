//! `faultline paths`: the nearest run that succeeds, and the conditions that go another way in it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use budget::Budget;
use experiment::shrink::{ShrinkError, Shrunk, shrink};
use experiment::{Input, Lab, LabError, Limits, OnOtherInputs, Opening, Oracle, oracle_by_reference};
use findings::{Caveat, Limit, Tried};
use techniques::paths::{Options, found, search as search_paths};
use techniques::{Found, Means, Notebook, with_subject};

use crate::alone::{Searched, answer};
use crate::answer::Format;
use crate::case::{CaseArguments, Opened};
use crate::terminal::Terminal;

/// Find the nearest run that succeeds, with its input, and show which conditions go the other way in it
///
/// Conditions of the failing run are reversed, first the last one, then the last and the one before it, and so on. For each
/// path that this gives, a solver searches for an input that takes it; the program is run on that input, and the first run
/// that is correct is the answer. The failing input is reduced first. Runs on other inputs are judged by whether they crash,
/// fail an assertion or hang, or by --check, --reference or --expect-exit. --expect is the output for one input only; with it,
/// the failing input is forced along the paths instead. Each run is in a sandbox: it cannot change your files, or reach other
/// processes or the network. Exit status: 0 a suspect was found, 1 the program does not fail, 2 wrong use or an error of
/// faultline, 3 nothing was found within the budget.
#[derive(Clone, clap::Args)]
pub struct Arguments {
    /// Also reverse conditions of loops, at most N of them inside what a reversed condition leads to
    #[arg(long, value_name = "N", default_value_t = 0)]
    loops: usize,
    /// Maximum number of conditions to reverse in one path [default: any number, then few]
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Do not reduce the failing input first
    #[arg(long)]
    no_shrink: bool,
    /// Write the input of the run that succeeds into this folder: `sh DIR/run` runs it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    case: CaseArguments,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let given = arguments.clone();
    answer(&arguments.case, arguments.format, move |budget, notebook| searched(&given, budget, notebook))
}

fn searched(arguments: &Arguments, budget: &Budget, notebook: &Notebook) -> Result<Searched> {
    let given = match arguments.case.open(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => return Ok(Searched::DoesNotFail(why)),
        Opened::Spent => return Ok(Searched::Spent),
    };
    let mut tried = Vec::new();
    let lab = match reduced(arguments, given, budget, notebook)? {
        Some((lab, shrunk)) => {
            tried.push(Tried::Shrunk { from: shrunk.original.length() as u64, to: shrunk.smallest.length() as u64 });
            lab
        }
        None => given,
    };
    let progress = Terminal::new();
    let means = Means { progress: &progress, ..Means::within(budget, notebook) };
    notebook.doing("paths near that of the failing run were being examined");
    let options = Options { loops: arguments.loops, most: arguments.most };
    let answered = with_subject(lab, means, |subject| {
        let mut limits = subject.shortcomings.to_vec();
        if !subject.reaches_failure() {
            limits.push(Limit::OtherThread);
            return Ok((Found::default(), limits, None));
        }
        let searched = search_paths(subject, options)?;
        let input = searched.neighbour.as_ref().and_then(|neighbour| neighbour.input.clone());
        Ok((found(subject, &searched)?, limits, input))
    });
    progress.finish();
    let (found, mut limits, input) = match answered {
        Err(error) if error.spent().is_some() => return Ok(Searched::Spent),
        other => other?,
    };
    let mut found = found.into_findings(budget.elapsed());
    limits.append(&mut found.limits);
    found.limits = limits;
    tried.append(&mut found.tried);
    found.tried = tried;
    found.caveats.extend(lab.caveats().into_iter().map(|text| Caveat::Stated { text }));
    found.limits.extend(lab.shortcomings().into_iter().map(|text| Limit::Stated { text }));
    if budget.was_interrupted() {
        found.limits.push(Limit::Interrupted);
    }
    if let (Some(folder), Some(input)) = (&arguments.out, &input) {
        written(input, lab, folder)?;
    }
    Ok(Searched::Known(Box::new(found)))
}

fn written(input: &Input, lab: &Lab, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .and_then(|()| input.write_to(folder, lab.case()))
        .with_context(|| format!("cannot write {}", folder.display()))?;
    eprintln!("faultline: sh {} runs the program on the input that succeeds", folder.join("run").display());
    Ok(())
}

/// A lab of the same failure on a smaller input, if there is one: a shorter run has fewer paths beside it. It takes a quarter
/// of the time at most.
fn reduced(
    arguments: &Arguments,
    lab: &'static Lab,
    budget: &Budget,
    notebook: &Notebook,
) -> Result<Option<(&'static Lab, Shrunk)>> {
    // With what is expected of this input no smaller one can be judged.
    if arguments.no_shrink || lab.oracle().on_other_inputs() == OnOtherInputs::WrongEnding {
        return Ok(None);
    }
    notebook.doing("the failing input was being reduced");
    let part = budget.part(budget.left() / 4);
    let shrunk = shrink(lab, &arguments.case.judge(), &named_files(lab), &mut |_| {
        if part.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let shrunk = match shrunk {
        Ok(shrunk) => shrunk,
        // Then the input stays as it is.
        Err(ShrinkError::NeedsJudge | ShrinkError::NotShown | ShrinkError::Lab(LabError::Spent(_))) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if shrunk.smallest == shrunk.original {
        return Ok(None);
    }
    notebook.doing("the reduced run was being recorded");
    let (case, folder) = shrunk.smallest.as_case(lab.case())?;
    let given = lab.oracle();
    let oracle = match &given.reference {
        Some(reference) => oracle_by_reference(reference, &case, Limits::default().time.min(budget.left()))?,
        None => given.clone(),
    };
    let oracle = Oracle { deadline: budget.end(), check: given.check.clone(), ..oracle };
    let limits = Limits { time: lab.patience(), ..Limits::default() };
    let opening = Opening { spending: budget.clone(), ..Opening::of(case, oracle, limits) };
    match opening.open() {
        Ok(smaller) => {
            // Its files are needed as long as it is there: until the command ends, which removes them.
            std::mem::forget(folder);
            Ok(Some((Box::leak(Box::new(smaller)), shrunk)))
        }
        // Whatever is wrong with the smaller one, the given one is there.
        Err(LabError::DoesNotFail(_) | LabError::Flaky(_) | LabError::Spent(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Files of the case's directory that its arguments name.
fn named_files(lab: &Lab) -> Vec<PathBuf> {
    let Some(directory) = lab.case().files.as_deref() else { return Vec::new() };
    let inside = |name: &&std::ffi::OsString| Path::new(name).is_relative() && directory.join(name).is_file();
    let mut files: Vec<PathBuf> = lab.case().arguments.iter().filter(inside).map(PathBuf::from).collect();
    files.sort();
    files.dedup();
    files
}
