//! `faultline shrink`: the failing case, as small as it can be.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use budget::Budget;
use experiment::shrink::{Part, Progress, ShrinkError, Shrunk, shrink};
use experiment::{Input, LabError};
use techniques::Notebook;

use crate::answer::{DOES_NOT_FAIL, write_text};
use crate::case::{CaseArguments, Opened};
use crate::search::{leave, search};
use crate::shell::quoted;

/// Make the failing input as small as possible while the program still fails in the same way
///
/// Lines, tokens and characters of standard input, of files and of the arguments are left out as long as the program ends
/// the same way, is wrong in the same respects, and crashes at the same place. Smaller inputs must be judged too, so give
/// --reference or --check unless the program crashes or hangs. Ctrl-C stops the search; the smallest input so far is written.
/// Exit status: 0 a smaller case was found, 1 the program does not fail, 2 wrong use or an error of faultline, 3 nothing could
/// be left out.
#[derive(Clone, clap::Args)]
pub struct Arguments {
    /// Where to write the smaller standard input [default: the name of the --stdin file with .shrunk appended]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A file of --dir to make smaller as well; files that the arguments name always are. The result is written to NAME.shrunk
    /// beside it
    #[arg(long, value_name = "NAME")]
    file: Vec<PathBuf>,
    #[command(flatten)]
    case: CaseArguments,
}

const NOTHING_LEFT_OUT: u8 = 3;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let budget = arguments.case.budget()?;
    let (notebook, smallest) = (Arc::new(Notebook::default()), Arc::new(Mutex::new(None)));
    let searched = {
        let (arguments, budget) = (arguments.clone(), budget.clone());
        let (notebook, smallest) = (notebook.clone(), smallest.clone());
        search(&budget.clone(), move || searched(&arguments, &budget, &notebook, &smallest))?
    };
    let known = || smallest.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    leave(match searched {
        Some(Ok(Searched::Shrunk(shrunk))) => answer(arguments, &shrunk),
        Some(Ok(Searched::DoesNotFail(why))) => {
            eprintln!("faultline: {why}");
            Ok(DOES_NOT_FAIL)
        }
        Some(Err(error)) => Err(error),
        Some(Ok(Searched::Spent)) | None => match known() {
            Some(shrunk) => answer(arguments, &shrunk),
            None => {
                let limits: Vec<String> = notebook.answer(&budget).limits.iter().map(report::english::limit).collect();
                let limits = limits.join("; ");
                eprintln!("faultline: nothing was left out: {limits}");
                Ok(NOTHING_LEFT_OUT)
            }
        },
    })
}

/// What came of the search.
enum Searched {
    Shrunk(Box<Shrunk>),
    DoesNotFail(String),
    /// What was written down is all there is.
    Spent,
}

/// Writes the smallest so far to `smallest` as it goes.
fn searched(
    arguments: &Arguments,
    budget: &Budget,
    notebook: &Notebook,
    smallest: &Mutex<Option<Shrunk>>,
) -> Result<Searched> {
    let lab = match arguments.case.open(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => return Ok(Searched::DoesNotFail(why)),
        Opened::Spent => return Ok(Searched::Spent),
    };
    let judge = arguments.case.judge();
    let files = files(arguments, lab.case().files.as_deref(), &lab.case().arguments);
    let mut shown = Shown::default();
    notebook.doing("the case was being reduced");
    let shrunk = shrink(lab, &judge, &files, &mut |progress| {
        shown.show(&progress);
        let mut known = smallest.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if known.as_ref().is_none_or(|known| known.smallest.length() > progress.length) {
            *known = Some(progress.so_far());
        }
        if budget.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    shown.finish();
    match shrunk {
        Err(ShrinkError::Lab(LabError::Spent(_))) => Ok(Searched::Spent),
        other => Ok(Searched::Shrunk(Box::new(other?))),
    }
}

/// Writes what became smaller; gives the status to end with.
fn answer(arguments: &Arguments, shrunk: &Shrunk) -> Result<u8> {
    let told = write_parts(arguments, shrunk)? + &summary(shrunk);
    write_text(&told)?;
    Ok(if shrunk.smallest != shrunk.original { 0 } else { NOTHING_LEFT_OUT })
}

/// Files of the directory to be made smaller: those asked for, and those that arguments name.
fn files(arguments: &Arguments, directory: Option<&Path>, given: &[OsString]) -> Vec<PathBuf> {
    let mut files = arguments.file.clone();
    if let Some(directory) = directory {
        let inside = |name: &&OsString| Path::new(name).is_relative() && directory.join(name).is_file();
        files.extend(given.iter().filter(inside).map(PathBuf::from));
    }
    files.sort();
    files.dedup();
    files
}

/// Writes what became smaller beside what it was, and tells so.
fn write_parts(arguments: &Arguments, shrunk: &Shrunk) -> Result<String> {
    let (from, to) = (&shrunk.original, &shrunk.smallest);
    let mut told = String::new();
    if !from.stdin.is_empty() || arguments.output.is_some() {
        let stdin = arguments.case.stdin();
        let path = arguments.output.clone().unwrap_or_else(|| with_suffix(stdin.unwrap_or(Path::new("stdin"))));
        write_part(&path, &to.stdin)?;
        let of = stdin.map_or("standard input".into(), |path| path.display().to_string());
        told += &format!("{of}: from {} to {} bytes, in {}\n", from.stdin.len(), to.stdin.len(), path.display());
    }
    for (name, contents) in &to.files {
        let path = with_suffix(&arguments.case.dir().unwrap_or(Path::new("")).join(name));
        write_part(&path, contents)?;
        let before = from.files.get(name).map_or(0, Vec::len);
        told += &format!("{}: from {before} to {} bytes, in {}\n", name.display(), contents.len(), path.display());
    }
    if from.arguments != to.arguments {
        let length = |input: &Input| input.arguments.iter().map(|argument| argument.len()).sum::<usize>();
        let line = command_line(&arguments.case.program(), &to.arguments);
        told += &format!("arguments: from {} to {} bytes: {line}\n", length(from), length(to));
    }
    Ok(told)
}

fn write_part(path: &Path, contents: &[u8]) -> Result<()> {
    std::fs::write(path, contents)
        .with_context(|| format!("cannot write {}; name another file with -o", path.display()))
}

fn with_suffix(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".shrunk");
    name.into()
}

/// As a shell takes it.
fn command_line(program: &OsStr, arguments: &[OsString]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(OsString::as_os_str));
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn summary(shrunk: &Shrunk) -> String {
    let Shrunk { original, smallest, runs, remembered, seconds, .. } = shrunk;
    let minimal = if shrunk.is_minimal {
        "No single line, token or character of it can be left out."
    } else {
        "There was no time to try to leave out more; a longer --budget allows that."
    };
    let (from, to) = (original.length(), smallest.length());
    format!(
        "From {from} to {to} bytes in {seconds:.1} s, with {runs} runs ({remembered} more outcomes were known). {minimal}\n"
    )
}

/// A line that is written over; plain lines now and then where there is no terminal.
struct Shown {
    last: Option<Instant>,
    begun: Instant,
}

impl Default for Shown {
    fn default() -> Shown {
        Shown { last: None, begun: Instant::now() }
    }
}

impl Shown {
    fn show(&mut self, progress: &Progress<'_>) {
        let is_terminal = io::stderr().is_terminal();
        let pause = Duration::from_millis(if is_terminal { 100 } else { 10_000 });
        let now = Instant::now();
        if now < self.last.unwrap_or(self.begun) + pause {
            return;
        }
        self.last = Some(now);
        let part = match progress.part {
            Part::Input => "standard input".into(),
            Part::File(path) => path.display().to_string(),
            Part::Arguments | Part::Argument(_) => "arguments".into(),
        };
        let cut = progress.cut.map_or("", |cut| cut.name());
        let line = format!("{part}, {cut}: {} bytes left after {} runs", progress.length, progress.runs);
        if is_terminal {
            eprint!("\r\x1b[K{line}");
            let _ = io::stderr().flush();
        } else {
            eprintln!("faultline: {line}");
        }
    }

    fn finish(&self) {
        if io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}
