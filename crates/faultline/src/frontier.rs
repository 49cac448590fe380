//! `faultline frontier`: cut the run at its narrowest place, ask where the state turns bad, narrow, repeat.

use std::process::ExitCode;

use anyhow::Result;
use findings::Location;
use techniques::frontier::{Manner, Procedures, Strategy, Watcher, find_with};

use crate::alone;
use crate::person::Person;

#[derive(clap::Args)]
pub struct Arguments {
    /// Which values and conditions are examined next
    #[arg(long, value_enum, default_value_t = Chosen::Cut)]
    strategy: Chosen,
    /// Follow conditions that skipped an assignment across calls as well; slower, and more is suspected
    #[arg(long)]
    across_calls: bool,
    /// Ask whether a value is correct before it is taken to be wrong
    ///
    /// Answers are read from the terminal, or from standard input if `--stdin` names the program's input.
    #[arg(long)]
    ask: bool,
    /// Print each cut on standard error as soon as it is examined
    #[arg(long)]
    turns: bool,
    #[command(flatten)]
    alone: alone::Arguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Chosen {
    /// The smallest set that everything the failure depends on passes through
    Cut,
    /// Those nearest to the failure, one step at a time
    SingleStep,
    /// Those halfway between the beginning and the failure
    Bisection,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let strategy = match arguments.strategy {
        Chosen::Cut => Strategy::Cut,
        Chosen::SingleStep => Strategy::SingleStep,
        Chosen::Bisection => Strategy::Bisection,
    };
    let procedures = if arguments.across_calls { Procedures::Between } else { Procedures::Inside };
    let turns = arguments.turns;
    let person = arguments.ask.then(|| Person::new(arguments.alone.has_input_file())).transpose()?;
    alone::run(&arguments.alone, move |subject| {
        let witness = person.as_ref().map(|person| person as _);
        let watcher = turns.then_some(&Shown as _);
        find_with(subject, Manner { strategy, procedures, witness, watcher })
    })
}

/// Turns on standard error.
struct Shown;

impl Watcher for Shown {
    fn turn(&self, members: &[(Location, bool)]) {
        let lines = |wanted: bool| {
            let of = members.iter().filter(|(_, is_polluted)| *is_polluted == wanted);
            let lines: Vec<String> = of.map(|(place, _)| format!("{}:{}", place.file, place.line)).collect();
            if lines.is_empty() { "none".to_owned() } else { lines.join(", ") }
        };
        eprintln!(
            "faultline: cut of {}; another value repairs the run at: {}; not at: {}",
            members.len(),
            lines(true),
            lines(false)
        );
    }
}
