//! `faultline shrink`: the failing case, as small as it can be.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use experiment::shrink::{Part, Progress, Shrunk, Variant, shrink};

use crate::answer::DOES_NOT_FAIL;
use crate::case::CaseArguments;
use crate::shell::quoted;

/// Make the failing input as small as it can be while it fails the same
///
/// Lines, tokens and characters of standard input, of files and of the arguments are left out as long as the program ends
/// the same way, is wrong in the same respects, and crashes at the same place. What is expected must be known for smaller
/// inputs, too: give --reference or --check, unless the program crashes or hangs. Ctrl-C ends it with the smallest input so
/// far. Exit status: 0 a smaller one was found, 1 the program does not fail, 3 nothing could be left out.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the smaller standard input goes [default: the name of the --stdin file with .shrunk at its end]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A file of --dir that is made smaller, too; those that arguments name always are. The result is NAME.shrunk beside it
    #[arg(long, value_name = "NAME")]
    file: Vec<PathBuf>,
    #[command(flatten)]
    case: CaseArguments,
}

const NOTHING_LEFT_OUT: u8 = 3;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let deadline = Instant::now() + arguments.case.budget()?;
    let interrupted = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(libc::SIGINT, interrupted.clone()).context("cannot watch for Ctrl-C")?;
    let lab = match arguments.case.lab()? {
        Ok(lab) => lab,
        Err(why) => {
            eprintln!("faultline: {why}");
            return Ok(ExitCode::from(DOES_NOT_FAIL));
        }
    };
    let judge = arguments.case.judge();
    let files = files(arguments, lab.case().files.as_deref(), &lab.case().arguments);
    let mut shown = Shown::default();
    let shrunk = shrink(&lab, &judge, &files, &mut |progress| {
        shown.show(&progress);
        let is_over = interrupted.load(Ordering::Relaxed) || Instant::now() >= deadline;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    shown.finish();
    let shrunk = shrunk?;
    let told = write_parts(arguments, &shrunk)? + &summary(&shrunk);
    let mut out = io::stdout().lock();
    crate::finish(out.write_all(told.as_bytes()).map_err(Into::into), out)?;
    let is_smaller = shrunk.smallest != shrunk.original;
    Ok(if is_smaller { ExitCode::SUCCESS } else { ExitCode::from(NOTHING_LEFT_OUT) })
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
    if !from.input.is_empty() || arguments.output.is_some() {
        let stdin = arguments.case.stdin();
        let path = arguments.output.clone().unwrap_or_else(|| with_suffix(stdin.unwrap_or(Path::new("stdin"))));
        write_part(&path, &to.input)?;
        let of = stdin.map_or("standard input".into(), |path| path.display().to_string());
        told += &format!("{of}: from {} to {} bytes, in {}\n", from.input.len(), to.input.len(), path.display());
    }
    for (name, contents) in &to.files {
        let path = with_suffix(&arguments.case.dir().unwrap_or(Path::new("")).join(name));
        write_part(&path, contents)?;
        let before = from.files.get(name).map_or(0, Vec::len);
        told += &format!("{}: from {before} to {} bytes, in {}\n", name.display(), contents.len(), path.display());
    }
    if from.arguments != to.arguments {
        let length = |variant: &Variant| variant.arguments.iter().map(|argument| argument.len()).sum::<usize>();
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
        "No line, token or character of it can be left out alone."
    } else {
        "There was no time to try whether more can be left out; a longer --budget allows it."
    };
    let (from, to) = (original.length(), smallest.length());
    format!("From {from} to {to} bytes by {runs} runs ({remembered} more were known) in {seconds:.1} s. {minimal}\n")
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
