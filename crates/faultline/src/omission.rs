//! `faultline omission`: which conditions skipped code; with `--ask`, a person says which values are correct.

use std::process::ExitCode;

use anyhow::Result;
use techniques::omission::{find, find_with};

use crate::alone;
use crate::person::Person;

#[derive(clap::Args)]
pub struct Arguments {
    /// Show steps one at a time and ask whether they are correct
    ///
    /// Steps that you call correct are left out, together with everything that only they depend on; steps that you call wrong
    /// are examined first. Answers are read from the terminal, or from standard input if `--stdin` names the program's input.
    #[arg(long)]
    ask: bool,
    #[command(flatten)]
    alone: alone::Arguments,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.ask {
        return alone::run(&arguments.alone, find);
    }
    let person = Person::new(arguments.alone.has_input_file())?;
    alone::run(&arguments.alone, move |subject| find_with(subject, Some(&person)))
}
