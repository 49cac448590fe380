//! The `faultline` command.
//!
//! In: a command line. Out: an exit status, and the result on standard output; all else goes to standard error.
//! Deliberately absent: logic. Each subcommand is a file here with its arguments and a function `run`, which asks a
//! library.

mod record;
mod replay;
mod dump;
mod values;
mod doctor;
mod ending;

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
    Record(record::Arguments),
    Replay(replay::Arguments),
    Dump(dump::Arguments),
    Values(values::Arguments),
    Doctor(doctor::Arguments),
}

/// Wrong use, or an error of ours.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let run = match Arguments::parse().command {
        Command::Record(arguments) => record::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
        Command::Values(arguments) => values::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
    };
    run.unwrap_or_else(|error| {
        eprintln!("faultline: {error:#}");
        ExitCode::from(TROUBLE)
    })
}
