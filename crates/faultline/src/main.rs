//! The `faultline` command.
//!
//! In: a command line. Out: an exit status, and the result on standard output; all else goes to standard error.
//! Deliberately absent: logic. Each subcommand is a file here with its arguments and a function `run`, which asks a
//! library.

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
mod children;
mod memory;
mod case;
mod advice;
mod gdb;
mod shell;
mod alone;
mod omission;
mod rank;
mod shrink;
mod cache;
mod clean;
mod doctor;
mod shell_files;
mod ending;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tells why a run of a C or C++ program failed and where the fault is.
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
    /// Try every condition of a failing run the other way, and show those that make it right
    ///
    /// Each experiment is a run of its own behind walls: it cannot change your files, reach other processes or the network.
    /// Exit status: 0 something was found, 1 the program does not fail, 3 nothing was found.
    Switch(alone::Arguments),
    /// Find conditions that kept code from running that would have made the failure right, and what decided them
    ///
    /// For what the failure depends on, each condition that could have let something else be there is reversed in a run of
    /// its own, and the two runs are compared. Each experiment is behind walls: it cannot change your files, reach other
    /// processes or the network. Exit status: 0 something was found, 1 the program does not fail, 3 nothing was found.
    Omission(omission::Arguments),
    /// Tell the way from the cause to the failure, by comparison with a run that goes right
    ///
    /// That run is of the version that `--reference` names, if faultline-cc built it; without one, of the failing program,
    /// repaired by a condition that goes the other way. What differs between the two is followed from the failure
    /// backwards, and values of the failing run are put into the other one to see what they bring about. Each experiment
    /// is behind walls: it cannot change your files, reach other processes or the network. Exit status: 0 something was
    /// found, 1 the program does not fail, 3 nothing was found.
    Causes(alone::Arguments),
    Diff(diff::Arguments),
    Rank(rank::Arguments),
    Shrink(shrink::Arguments),
    Clean(clean::Arguments),
    Doctor(doctor::Arguments),
    Init(project::Arguments),
    Completions(shell_files::Completions),
    Man(shell_files::Man),
}

/// Wrong use, or an error of ours.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let run = match Arguments::parse().command {
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
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Rank(arguments) => rank::run(&arguments),
        Command::Shrink(arguments) => shrink::run(&arguments),
        Command::Clean(arguments) => clean::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Init(arguments) => project::init(&arguments),
        Command::Completions(arguments) => shell_files::completions::<Arguments>(&arguments),
        Command::Man(arguments) => shell_files::man::<Arguments>(&arguments),
    };
    run.unwrap_or_else(|error| {
        eprintln!("faultline: {error:#}");
        ExitCode::from(TROUBLE)
    })
}

/// The end of a command that has written its result. `faultline … | head` is not an error.
fn finish(written: anyhow::Result<()>, mut out: impl io::Write) -> anyhow::Result<ExitCode> {
    match written.and_then(|()| Ok(out.flush()?)) {
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
