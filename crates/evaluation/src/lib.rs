//! How well faultline finds faults that we know: programs of our own with seeded faults, in `eval/`, and programs of other
//! people.
//!
//! In: what is to be asked, and the staged tools. Out: answers measured against the known faults, as JSON, tables, a page and a
//! chapter of the book; the same faults as regressions to measure by.
//! Deliberately absent: the techniques themselves. They are asked through `faultline` or as a user of the crates would ask
//! them, and get what a user would give them; where the faults are is read only after a technique has answered.

mod folder;
mod class;
mod kind;
mod change;
mod subject;
mod version;
mod selection;
mod verdicts;
mod check;
mod technique;
mod measured;
mod failing_run;
mod baseline;
mod answer;
mod dependence_graph;
mod facts;
mod kept;
mod row;
mod session;
mod regression;
mod mutants;
mod others;
mod document;
mod tables;
mod omissions;
mod directed;
pub mod plot;
mod curves;
mod papers;
mod goal;
mod weak;
mod outcome;
#[cfg(test)]
mod guard;

use anyhow::Result;
use testkit::{Tools, Verdict, workspace};

use folder::folder;
use others::Set;
use outcome::Family;
pub use regression::{Regression, regressions};
use selection::{chosen, thin_out};
use session::Telling;
use subject::read_subjects;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only check the subjects: right versions are right, faults fail some tests and pass others
    #[arg(long)]
    check: bool,
    /// Only these techniques [default: all that there are]
    #[arg(long = "technique", value_name = "NAME")]
    techniques: Vec<String>,
    /// Also ask with all techniques but one, to see what each adds
    #[arg(long)]
    ablation: bool,
    /// Only every N-th fault of each subject
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Seconds for one answer [default: 20; for programs of other people 60]
    #[arg(long, value_name = "SECONDS")]
    budget: Option<u32>,
    /// Forget earlier answers
    #[arg(long)]
    afresh: bool,
    /// Ask about so many mutants instead of the faults seeded by hand
    #[arg(long, value_name = "N")]
    mutants: Option<usize>,
    /// Which mutants
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Ask about the faults in programs of other people instead; names are those of programs
    #[arg(long, conflicts_with = "mutants")]
    real: bool,
    /// Ask about faults of each kind of mistake in programs of other people instead; unless others are named, `frontier` and `why`
    #[arg(long, conflicts_with_all = ["mutants", "real"])]
    mistakes: bool,
    /// Ask about the faults of eval/blind instead, which nobody examines before they are counted
    #[arg(long, conflicts_with_all = ["mutants", "real", "mistakes"])]
    blind: bool,
    /// Ask about the faults of eval/blind by which a test crashes instead, and tell nothing but that; with --mutants about such mutants
    #[arg(long, conflicts_with_all = ["real", "mistakes", "blind"])]
    crashes: bool,
    /// Ask about the faults that keep code from running instead; unless others are named, `omission` and `why`
    #[arg(long, conflicts_with_all = ["mutants", "real", "mistakes", "check"])]
    omissions: bool,
    /// Generate directed tests by each selection instead, and count how many it takes
    #[arg(long, conflicts_with_all = ["mutants", "real", "mistakes", "check", "omissions"])]
    directed: bool,
    /// Write the book's chapter from the latest results, without asking anything
    #[arg(long)]
    book: bool,
    /// Only these subjects [default: all], or one fault as SUBJECT/FAULT
    subjects: Vec<String>,
}

pub fn evaluate(arguments: &Arguments) -> Result<Verdict> {
    if arguments.book {
        outcome::write_book()?;
        return Ok(Verdict::Holds);
    }
    if arguments.real || arguments.mistakes {
        let (set, family) =
            if arguments.mistakes { (Set::Mistakes, Family::Mistakes) } else { (Set::Real, Family::Real) };
        let tools = Tools::find()?;
        forget(arguments)?;
        let all = technique::of_one_run(technique::techniques(arguments.ablation));
        let named = match (&arguments.techniques[..], set) {
            ([], Set::Mistakes) => vec!["frontier".to_owned(), "why".to_owned()],
            (named, _) => named.to_vec(),
        };
        let techniques = technique::chosen(all, &named)?;
        let budget = arguments.budget.unwrap_or(60);
        let (rows, verdict) = others::session(&tools, set, &techniques, &arguments.subjects, budget)?;
        outcome::report(family, rows)?;
        return Ok(verdict);
    }
    let of_blind = arguments.blind || arguments.crashes && arguments.mutants.is_none();
    let folder_of_all = if of_blind { "eval/blind" } else { "eval/subjects" };
    let mut subjects = read_subjects(&workspace().join(folder_of_all))?;
    if arguments.omissions {
        for subject in &mut subjects {
            subject.faults = std::mem::take(&mut subject.omissions);
        }
    }
    if of_blind && arguments.crashes {
        for subject in &mut subjects {
            subject.faults = std::mem::take(&mut subject.crashes);
        }
    }
    let mut subjects = chosen(subjects, &arguments.subjects)?;
    thin_out(&mut subjects, arguments.every);
    if arguments.check {
        return check::check(&subjects);
    }
    let tools = Tools::find()?;
    forget(arguments)?;
    if arguments.directed {
        directed::session(&tools, &subjects, arguments.budget.unwrap_or(20))?;
        return Ok(Verdict::Holds);
    }
    let named =
        if arguments.omissions { omissions::asked(&arguments.techniques) } else { arguments.techniques.clone() };
    let techniques = technique::chosen(technique::techniques(arguments.ablation), &named)?;
    let telling = if arguments.crashes { Telling::Nothing } else { Telling::Expected };
    let family = if let Some(count) = arguments.mutants {
        subjects = mutants::mutants(&tools, subjects, count, arguments.seed, telling)?;
        Family::Mutants
    } else if arguments.omissions {
        Family::Omissions
    } else if arguments.blind {
        Family::Blind
    } else if arguments.crashes {
        Family::Crashes
    } else {
        Family::Seeded
    };
    let rows = session::session(&tools, &subjects, &techniques, telling, arguments.budget.unwrap_or(20))?;
    outcome::report(family, rows)?;
    Ok(Verdict::Holds)
}

/// Forgets earlier answers, if they are to be forgotten.
fn forget(arguments: &Arguments) -> Result<()> {
    let answers = folder().join("answers");
    if arguments.afresh && answers.exists() {
        std::fs::remove_dir_all(answers)?;
    }
    Ok(())
}
