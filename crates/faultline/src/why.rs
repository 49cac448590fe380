//! `faultline why`: suspects for the fault, most likely first, and how the first of them led to the failure.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use budget::Budget;
use clap::builder::PossibleValuesParser;
use experiment::{Lab, Test, read_suite};
use findings::story::Story;
use findings::{Caveat, Findings, Limit};
use techniques::generate::why_not;
use techniques::why::diagnose;
use techniques::{APART, Effort, Means, Needs, Notebook, TECHNIQUES, Technique, with_subject};

use crate::answer::{DOES_NOT_FAIL, Format, status, write, write_page, write_text};
use crate::case::{CaseArguments, Opened};
use crate::gdb;
use crate::project::Project;
use crate::search::{leave, search};
use crate::terminal::Terminal;

/// Find out why a run fails: the most likely causes, and how the first of them led to the failure
///
/// The program is run again and again, each time with one thing changed, to see what prevents the failure. Each run is in a
/// sandbox: it cannot change your files, or reach other processes or the network. After a crash, a failed assertion or a hang, or
/// with --check or --expect-exit, it is also run on other inputs near the failing one. Ctrl-C stops the search; the best answer so
/// far is shown. If no program is named, the case is read from faultline.toml in the current directory.
#[derive(Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A suite of tests of the same program: a TOML file with a table [[test]] for each test (name, args, stdin, dir; expect,
    /// expect-exit, reference, check), or a directory with files NAME.in and NAME.out
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,
    /// Use only this technique; may be repeated
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(TECHNIQUES.iter().chain(APART).map(|t| t.name)))]
    technique: Vec<String>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Instead of the report, print commands that make gdb stop at the first suspect
    #[arg(long, conflicts_with = "format")]
    gdb: bool,
    /// Also write the report as a page for a browser: the source with what happened on each line, the chain to the failure,
    /// both runs where they part, and the experiments
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    case: CaseArguments,
}

const EXAMPLES: &str = "\
Examples:
  CC=faultline-cc make                              build the program first, as usual
  faultline why -- ./prog input.txt                 it crashes, fails an assertion, or hangs
  faultline why --expect right.txt -- ./prog < in   its output is wrong
  faultline why --expect-exit 0 -- ./prog --check   its exit status is wrong
  faultline why --reference ./old -- ./prog x       another program does it right
  faultline why --check './is-good.sh' -- ./prog    a command judges whether the run is correct
  faultline why --tests suite.toml -- ./prog x      other tests narrow down the fault
  faultline why --html why.html -- ./prog x         write a page for a browser
  faultline why --gdb -- ./prog x > stop.gdb        stop there in gdb: gdb -x stop.gdb
  faultline init ./prog x                           write the case into faultline.toml

Exit status: 0 a suspect was found, 1 the program does not fail, 2 wrong use or an error of faultline, 3 nothing was found
within the budget.";

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let arguments = Arc::new(complete(arguments)?);
    let budget = arguments.case.budget()?;
    let notebook = Arc::new(Notebook::default());
    let searched = {
        let (arguments, budget, notebook) = (arguments.clone(), budget.clone(), notebook.clone());
        search(&budget.clone(), move || diagnosed(&arguments, &budget, &notebook))?
    };
    let answered = match searched {
        Some(Ok(Searched::Known(known))) => answer(&arguments, *known),
        Some(Ok(Searched::DoesNotFail(why))) => {
            eprintln!("faultline: {why}");
            Ok(DOES_NOT_FAIL)
        }
        Some(Err(error)) => Err(error),
        Some(Ok(Searched::Spent)) | None => answer(&arguments, Known::of(notebook.answer(&budget))),
    };
    leave(answered)
}

/// What came of the search.
enum Searched {
    Known(Box<Known>),
    DoesNotFail(String),
    /// What was written down is all there is.
    Spent,
}

/// What is known of the failure.
struct Known {
    found: Findings,
    story: Option<Story>,
    /// Commands for gdb, if they are wanted.
    stop: Option<String>,
}

impl Known {
    fn of(found: Findings) -> Known {
        Known { found, story: None, stop: None }
    }
}

fn diagnosed(arguments: &Arguments, budget: &Budget, notebook: &Notebook) -> Result<Searched> {
    let tests = tests(arguments)?;
    let lab = match arguments.case.open(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => return Ok(Searched::DoesNotFail(why)),
        Opened::Spent => return Ok(Searched::Spent),
    };
    let progress = Terminal::new();
    let means = Means { budget, effort: Effort::UntilSettled, tests: &tests, progress: &progress, notebook };
    let techniques = techniques(arguments, lab);
    let diagnosed = with_subject(lab, means, |subject| {
        let unassigned = techniques::unassigned::caveat(subject);
        let mut diagnosis = diagnose(subject, &techniques)?;
        let step = diagnosis.steps.first().copied().flatten();
        let (mut stop, mut story) = (None, None);
        if let Some(step) = step.filter(|_| arguments.gdb) {
            stop = gdb::stop(subject.run, step)?;
        }
        if arguments.html.is_some() {
            story = match techniques::story::story(subject, &diagnosis, arguments.case.line()) {
                Err(error) if error.spent().is_some() => {
                    diagnosis.findings.limits.push(Limit::PageNotWritten { error: error.to_string() });
                    None
                }
                other => Some(other?),
            };
        }
        diagnosis.findings.caveats.extend(unassigned);
        Ok((diagnosis.findings, stop, story))
    });
    progress.finish();
    let (mut found, stop, story) = match diagnosed {
        Err(error) if error.spent().is_some() => return Ok(Searched::Spent),
        other => other?,
    };
    found.seconds = budget.elapsed().as_secs_f64();
    found.caveats.extend(lab.caveats().into_iter().map(|text| Caveat::Stated { text }));
    found.limits.extend(lab.shortcomings().into_iter().map(|text| Limit::Stated { text }));
    if budget.was_interrupted() {
        found.limits.push(Limit::Interrupted);
    }
    let stop = arguments.gdb.then(|| gdb::commands(&found, stop.as_ref(), lab.case(), arguments.case.stdin()));
    let stop = stop.transpose()?;
    Ok(Searched::Known(Box::new(Known { found, story, stop })))
}

/// Writes what is known; gives the status to end with.
fn answer(arguments: &Arguments, mut known: Known) -> Result<u8> {
    known.found.limits.extend(missing_sources(&known.found));
    let page = match (&arguments.html, &known.story) {
        (Some(path), Some(story)) => write_page(&known.found, story, path),
        _ => Ok(()),
    };
    let ended = if arguments.gdb {
        write_text(known.stop.as_deref().unwrap_or("# there is no step to stop at\n"))?;
        status(&known.found)
    } else {
        write(&known.found, arguments.format)?
    };
    // If the page cannot be written, the answer still can.
    page.map(|()| ended)
}

/// Without a program, the case is the one that is written down here.
fn complete(arguments: &Arguments) -> Result<Arguments> {
    let mut arguments = arguments.clone();
    if arguments.case.is_without_program() {
        let mut project = Project::here()?;
        arguments.tests = arguments.tests.or(project.tests.take());
        arguments.case = arguments.case.completed_by(project);
    }
    Ok(arguments)
}

/// The techniques asked for; else all that have what they need. Tests are generated where there are none, and no version that
/// works, which tells more.
fn techniques(arguments: &Arguments, lab: &Lab) -> Vec<&'static Technique> {
    if arguments.technique.is_empty() {
        let has_tests = arguments.tests.is_some();
        let can_generate = !has_tests && lab.oracle().reference.is_none() && why_not(lab).is_none();
        let has_all = |technique: &&Technique| match technique.needs {
            Needs::FailingRun => true,
            Needs::Tests => has_tests,
            Needs::Judge => can_generate,
        };
        return TECHNIQUES.iter().filter(has_all).collect();
    }
    let is_named = |technique: &&Technique| arguments.technique.iter().any(|name| name == technique.name);
    TECHNIQUES.iter().chain(APART).filter(is_named).collect()
}

/// Source files of the findings that are not there.
fn missing_sources(found: &Findings) -> Option<Limit> {
    let files: BTreeSet<&str> = found.findings.iter().map(|finding| finding.location.file.as_str()).collect();
    let files: Vec<String> = files.into_iter().filter(|file| !Path::new(file).is_file()).map(String::from).collect();
    (!files.is_empty()).then_some(Limit::MissingSources { files })
}

fn tests(arguments: &Arguments) -> Result<Vec<Test>> {
    let Some(path) = &arguments.tests else { return Ok(Vec::new()) };
    Ok(read_suite(path, arguments.case.program().as_ref(), &[])?)
}
