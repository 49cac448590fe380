//! How well faultline finds faults that we know: programs of our own with seeded faults, in `eval/`.
//!
//! Techniques get what a user would give them. Where the faults are is read only after a technique has answered.

mod class;
mod kind;
mod change;
mod subject;
mod version;
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
mod curves;
mod papers;
mod goal;
mod weak;
mod outcome;
#[cfg(test)]
mod guard;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use testkit::{Tools, workspace};

use crate::Verdict;
use outcome::Family;
pub use regression::{Regression, regressions};
use subject::{Subject, read_subjects};

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
    /// Ask about the faults that keep code from running instead; unless others are named, `omission` and `why`
    #[arg(long, conflicts_with_all = ["mutants", "real", "check"])]
    omissions: bool,
    /// Write the book's chapter from the latest results, without asking anything
    #[arg(long)]
    book: bool,
    /// Only these subjects [default: all], or one fault as SUBJECT/FAULT
    subjects: Vec<String>,
}

pub fn eval(arguments: &Arguments) -> Result<Verdict> {
    if arguments.book {
        outcome::write_book()?;
        return Ok(Verdict::Holds);
    }
    if arguments.real {
        let tools = Tools::find()?;
        forget(arguments)?;
        let all = technique::of_one_run(technique::techniques(arguments.ablation));
        let techniques = technique::chosen(all, &arguments.techniques)?;
        let budget = arguments.budget.unwrap_or(60);
        let (rows, verdict) = others::session(&tools, &techniques, &arguments.subjects, budget)?;
        outcome::report(Family::Real, rows)?;
        return Ok(verdict);
    }
    let mut subjects = read_subjects(&workspace().join("eval/subjects"))?;
    if arguments.omissions {
        for subject in &mut subjects {
            subject.faults = std::mem::take(&mut subject.omissions);
        }
    }
    let mut subjects = chosen(subjects, &arguments.subjects)?;
    thin_out(&mut subjects, arguments.every);
    if arguments.check {
        return check::check(&subjects);
    }
    let tools = Tools::find()?;
    forget(arguments)?;
    let named =
        if arguments.omissions { omissions::asked(&arguments.techniques) } else { arguments.techniques.clone() };
    let techniques = technique::chosen(technique::techniques(arguments.ablation), &named)?;
    let family = if let Some(count) = arguments.mutants {
        subjects = mutants::mutants(&tools, subjects, count, arguments.seed)?;
        Family::Mutants
    } else if arguments.omissions {
        Family::Omissions
    } else {
        Family::Seeded
    };
    let rows = session::session(&tools, &subjects, &techniques, arguments.budget.unwrap_or(20))?;
    outcome::report(family, rows)?;
    Ok(Verdict::Holds)
}

/// Keeps every so many-th fault.
fn thin_out(subjects: &mut [Subject], every: usize) {
    for (offset, subject) in subjects.iter_mut().enumerate() {
        for faults in [&mut subject.faults, &mut subject.omissions] {
            // Subjects begin at different ones: the faults of all are in the same order of classes.
            let mut position = offset;
            faults.retain(|_| {
                position += 1;
                position.is_multiple_of(every.max(1))
            });
        }
    }
}

/// Forgets earlier answers, if they are to be forgotten.
fn forget(arguments: &Arguments) -> Result<()> {
    let answers = folder().join("answers");
    if arguments.afresh && answers.exists() {
        std::fs::remove_dir_all(answers)?;
    }
    Ok(())
}

/// Where everything goes that an evaluation makes.
fn folder() -> PathBuf {
    workspace().join("target/eval")
}

fn chosen(mut subjects: Vec<Subject>, names: &[String]) -> Result<Vec<Subject>> {
    for name in names {
        let (subject, fault) = name.split_once('/').unwrap_or((name, ""));
        let known = subjects.iter().find(|known| known.name == subject);
        let known = known.is_some_and(|known| fault.is_empty() || known.all_faults().any(|f| f.name == fault));
        ensure!(known, "there is no subject or fault {name}");
    }
    if !names.is_empty() {
        for subject in &mut subjects {
            let Subject { name, faults, omissions, .. } = subject;
            let whole = names.contains(name);
            for faults in [faults, omissions] {
                faults.retain(|fault| whole || names.contains(&format!("{name}/{}", fault.name)));
            }
        }
        subjects.retain(|subject| names.iter().any(|name| name.split('/').next() == Some(&subject.name)));
    }
    Ok(subjects)
}
