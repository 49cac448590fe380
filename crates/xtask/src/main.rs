//! In: a chore's name. Out: its report on standard output; exit status 1 if something does not hold.
//! Deliberately absent: anything a user of faultline needs.
//!
//! `./x` sees to it that the tools are built and what a chore needs is installed.

mod tidy;
mod real;
mod bench;
mod book;
mod fuzz;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use testkit::Verdict;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check order of crates, formatting, headers, sizes and names
    Tidy,
    /// Build other people's programs and random ones, record and replay them
    Real(real::Arguments),
    /// Measure, as ratios in one run
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Measure how well known faults are found, in the programs of eval/
    Eval(evaluation::Arguments),
    /// Feed what reads files with bad input, by the million
    Fuzz(fuzz::Arguments),
    /// Write the book's pages about techniques, and make the book
    Book,
}

fn main() -> ExitCode {
    let verdict = match Arguments::parse().chore {
        Chore::Tidy => tidy::tidy(),
        Chore::Real(arguments) => real::real(&arguments),
        Chore::Bench(bench::Bench::Record(arguments)) => bench::record(&arguments),
        Chore::Bench(bench::Bench::Page) => bench::page(),
        Chore::Bench(bench::Bench::Causes(arguments)) => bench::causes(&arguments),
        Chore::Bench(bench::Bench::Symbolic(arguments)) => bench::symbolic(&arguments),
        Chore::Bench(bench::Bench::Slice(arguments)) => bench::slice(&arguments),
        Chore::Bench(bench::Bench::Frontier(arguments)) => bench::frontier(&arguments),
        Chore::Bench(bench::Bench::Experiments(arguments)) => bench::experiments(&arguments),
        Chore::Bench(bench::Bench::Explore(arguments)) => bench::explore(&arguments),
        Chore::Book => book::book(),
        Chore::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Chore::Eval(arguments) => evaluation::evaluate(&arguments),
    };
    match verdict {
        Ok(Verdict::Holds) => ExitCode::SUCCESS,
        Ok(Verdict::DoesNotHold) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
