//! The `faultline` command.
//!
//! In: a command line. Out: an exit status, and the result on standard output; all else goes to standard error.
//! Deliberately absent: logic. Each subcommand is a file here with its arguments and a function `run`, which asks a
//! library.

/// In place of the library's, which panic when nobody reads any more (`faultline … 2>&1 | head -1`). What cannot be written
/// to standard error cannot be written anywhere.
macro_rules! eprintln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
macro_rules! eprint {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($text)*);
    }};
}

mod why;
mod project;
mod record;
mod replay;
mod dump;
mod values;
mod slice;
mod origin;
mod diff;
mod question;
mod answer;
mod terminal;
mod search;
mod spending;
mod children;
mod memory;
mod case;
mod advice;
mod gdb;
mod shell;
mod alone;
mod person;
mod omission;
mod witness;
mod frontier;
mod rank;
mod generate;
mod paths;
mod shrink;
mod explore;
mod cache;
mod clean;
mod doctor;
mod shell_files;
mod ending;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::replay::ReplayError;
use anyhow::Context;
use clap::{Parser, Subcommand};

/// Finds out why a run of a C or C++ program failed, and where the fault is.
#[derive(Parser)]
#[command(name = "faultline", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Why(why::Arguments),
    Record(record::Arguments),
    Replay(replay::Arguments),
    Dump(dump::Arguments),
    Values(values::Arguments),
    Slice(slice::Arguments),
    Origin(origin::Arguments),
    /// Reverse each condition of a failing run, and show those that repair it
    ///
    /// Each experiment is a separate run in a sandbox: it cannot change your files, or reach other processes or the network.
    /// Exit status: 0 a suspect was found, 1 the program does not fail, 2 wrong use or an error of faultline, 3 nothing was
    /// found.
    Switch(alone::Arguments),
    /// Find conditions that skipped code that would have prevented the failure, and what decided them
    ///
    /// A condition may have skipped an assignment that the failure depends on. Each such condition is reversed in a separate
    /// run, and that run is compared with the failing one. Each experiment runs in a sandbox: it cannot change your files, or
    /// reach other processes or the network. Exit status: 0 a suspect was found, 1 the program does not fail, 2 wrong use or
    /// an error of faultline, 3 nothing was found.
    Omission(omission::Arguments),
    /// Show how the cause led to the failure, by comparison with a correct run
    ///
    /// The correct run is made by the program that `--reference` names, if faultline-cc built it; otherwise by the failing
    /// program, repaired by reversing a condition. The differences between the two runs are followed backwards from the
    /// failure, and values of the failing run are copied into the correct one to see which of them cause the failure. Each
    /// experiment runs in a sandbox: it cannot change your files, or reach other processes or the network. Exit status: 0 a
    /// suspect was found, 1 the program does not fail, 2 wrong use or an error of faultline, 3 nothing was found.
    Causes(alone::Arguments),
    /// Narrow down where the state of the run went wrong
    ///
    /// The graph of all that the failure depends on is cut where it is narrowest. A solver looks for other values at the cut,
    /// and conditions there are reversed, to see whether that prevents the failure. If it does, the fault lies before the cut;
    /// otherwise it lies behind it. This goes on until nothing is left to cut. Each experiment runs in a sandbox: it cannot
    /// change your files, or reach other processes or the network. Exit status: 0 a suspect was found, 1 the program does not
    /// fail, 2 wrong use or an error of faultline, 3 nothing was found.
    Frontier(frontier::Arguments),
    Diff(diff::Arguments),
    Rank(rank::Arguments),
    Generate(generate::Arguments),
    Paths(paths::Arguments),
    Shrink(shrink::Arguments),
    Explore(explore::Arguments),
    Clean(clean::Arguments),
    Doctor(doctor::Arguments),
    Init(project::Arguments),
    Completions(shell_files::Completions),
    Man(shell_files::Man),
}

/// Wrong use, or an error of ours.
const TROUBLE: u8 = 2;

/// Bytes; the shell's limit (`ulimit -s`) may be much lower than what reading the command line takes.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let report = |error: anyhow::Error| {
        eprintln!("faultline: {}", departure(&error).unwrap_or_else(|| format!("{error:#}")));
        ExitCode::from(TROUBLE)
    };
    if let Err(error) = survive_file_limit() {
        return report(error);
    }
    let command = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    match command.map(std::thread::JoinHandle::join) {
        Ok(Ok(ended)) => ended.unwrap_or_else(report),
        // The panic has printed its message.
        Ok(Err(_)) => ExitCode::from(PANIC),
        Err(error) => report(anyhow::Error::new(error).context("cannot start a thread")),
    }
}

/// If a replay departed, what people read about it; `faultline replay` prints the details.
fn departure(error: &anyhow::Error) -> Option<String> {
    use execution::slice::SliceError;
    use failure::FailureError;
    if let Some(error) = error.downcast_ref::<techniques::TechniqueError>() {
        return Some(error.spoken());
    }
    let in_slice = || match error.downcast_ref()? {
        SliceError::Replay(error) => Some(error),
        SliceError::Walk(_) => None,
    };
    let in_failure = || match error.downcast_ref()? {
        FailureError::Replay(error) => Some(error),
        _ => None,
    };
    match error.downcast_ref::<ReplayError>().or_else(in_slice).or_else(in_failure)? {
        ReplayError::Departed { place, .. } => Some(techniques::departed(place)),
        _ => None,
    }
}

/// As Rust's own.
const PANIC: u8 = 101;

/// A file that grows beyond the shell's limit (`ulimit -f`) shall be an error of the write, not a signal that kills. It is
/// a handler that does nothing, not an ignored signal: programs that are started would inherit that.
fn survive_file_limit() -> anyhow::Result<()> {
    signal_hook::flag::register(libc::SIGXFSZ, Arc::new(AtomicBool::new(false))).context("cannot handle signals")?;
    Ok(())
}

fn run() -> anyhow::Result<ExitCode> {
    if let Some(folder) = cache::modules() {
        program::keep_trials_in(folder);
    }
    match Arguments::parse().command {
        Command::Why(arguments) => why::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
        Command::Values(arguments) => values::run(&arguments),
        Command::Slice(arguments) => slice::run(&arguments),
        Command::Origin(arguments) => origin::run(&arguments),
        Command::Switch(arguments) => alone::run(&arguments, techniques::switch::find),
        Command::Omission(arguments) => omission::run(&arguments),
        Command::Causes(arguments) => alone::run(&arguments, techniques::causes::find),
        Command::Frontier(arguments) => frontier::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Rank(arguments) => rank::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Paths(arguments) => paths::run(&arguments),
        Command::Shrink(arguments) => shrink::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Clean(arguments) => clean::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Init(arguments) => project::init(&arguments),
        Command::Completions(arguments) => shell_files::completions::<Arguments>(&arguments),
        Command::Man(arguments) => shell_files::man::<Arguments>(&arguments),
    }
}

/// The end of a command that has written its result. `faultline … | head` is not an error.
fn finish(written: anyhow::Result<()>, mut out: impl io::Write) -> anyhow::Result<ExitCode> {
    match written.and_then(|()| Ok(out.flush()?)) {
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let plain = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let kind = plain.or_else(|| error.downcast_ref::<serde_json::Error>()?.io_error_kind());
    kind == Some(io::ErrorKind::BrokenPipe)
}
