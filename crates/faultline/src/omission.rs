//! `faultline omission`: which conditions skipped code; with `--ask`, a person says which values are correct.

use std::process::ExitCode;

use anyhow::Result;
use techniques::omission::{Asked, Verdict, Witness, find, find_with};

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

impl Witness for Person {
    fn say(&self, step: &Asked) -> Verdict {
        let Asked { location, deed, left } = step;
        let text = deed.as_ref().map_or_else(|| "this was executed".into(), report::english::deed);
        self.tell(&format!("{}:{}{}: {text}", location.file, location.line, location.in_function()));
        let question = format!("Is this correct? yes, no, unknown, enough ({left} left): ");
        self.ask(&question, verdict).unwrap_or(Verdict::Enough)
    }
}

/// The paper's words are understood as well.
fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "yes" | "y" | "benign" | "b" => Some(Verdict::Benign),
        "no" | "n" | "corrupted" | "c" => Some(Verdict::Corrupted),
        "unknown" | "u" | "don't know" | "d" | "" => Some(Verdict::Unknown),
        "enough" | "e" | "quit" | "q" => Some(Verdict::Enough),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_first_letters_are_understood() {
        assert_eq!(["y", "benign"].map(verdict), [Some(Verdict::Benign); 2]);
        assert_eq!(["no", "c"].map(verdict), [Some(Verdict::Corrupted); 2]);
        assert_eq!(["", "don't know"].map(verdict), [Some(Verdict::Unknown); 2]);
        assert_eq!((verdict("q"), verdict("maybe")), (Some(Verdict::Enough), None));
    }
}
