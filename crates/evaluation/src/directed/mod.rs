//! Directed tests, measured test by test: how many of each selection it takes until a fault is as near to the top of the
//! ranking as it will come. The right version judges generated tests, and nothing else is asked of it.
//!
//! As everywhere, where the faults are is read only after the tests have been made: what is kept is the ranking after each
//! test.

mod told;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use budget::Budget;
use experiment::{Case, Lab, Limits, Opening, oracle_by_reference};
use serde::{Deserialize, Serialize};
use techniques::Quiet;
use techniques::generate::{Compared, Means, Options, Selection, generate, ranked_lines};
use testkit::{Tools, parallel};

use crate::document::{markdown, terminal};
use crate::folder::folder;
use crate::kept::{Kept, keep, kept, path_of};
use crate::session::{Prepared, Telling, failing, prepare, tools_now};
use crate::subject::{Fault, Subject, Test};
use crate::verdicts::PATIENCE;

/// What is compared.
const SELECTIONS: [Selection; 5] = [
    Selection::Base,
    Selection::Coverage,
    Selection::PathConstraints(Compared::Subset),
    Selection::Inputs,
    Selection::Near,
];
/// Tests for each fault and selection, as in the paper.
const MOST: usize = 100;

/// What one selection made for one fault.
#[derive(Default, Serialize, Deserialize)]
struct Answer {
    made_from: String,
    /// After the failing test alone, and after each test that was generated.
    after: Vec<After>,
    /// How many tests were there when the ranking had settled.
    settled: Option<usize>,
    trouble: Option<String>,
}

/// The ranking after some tests.
#[derive(Clone, Default, Serialize, Deserialize)]
struct After {
    /// Since the failing run was known to fail.
    seconds: f64,
    /// Each line that a failing test executed, with the best and the worst rank that it shares.
    lines: Vec<(u32, usize, usize)>,
    /// Tests so far that fail in the same way, pass, and fail otherwise.
    counts: (u64, u64, u64),
}

impl Kept for Answer {
    fn made_from(&self) -> &str {
        &self.made_from
    }
}

/// One fault, with what each selection made for it, and where it is.
struct Asked {
    name: String,
    at: Vec<u32>,
    answers: Vec<Answer>,
}

/// Asks about all faults of the subjects, shows the tables, and writes them beside the other results.
pub fn session(tools: &Tools, subjects: &[Subject], budget: u32) -> Result<()> {
    let tools_now = tools_now(tools)?;
    let prepared = subjects.iter().map(|subject| prepare(tools, subject)).collect::<Result<Vec<_>>>()?;
    let all = subjects.iter().zip(&prepared);
    let all = all.flat_map(|(subject, prepared)| subject.faults.iter().map(move |fault| (subject, prepared, fault)));
    let asked = parallel::map_apart(all.collect::<Vec<_>>(), |(subject, prepared, fault)| {
        let mut hasher = DefaultHasher::new();
        (&fault.change.text, &tools_now, budget, MOST).hash(&mut hasher);
        let made_from = format!("{:016x}", hasher.finish());
        let asked = asked(tools, subject, prepared, fault, budget, &made_from);
        eprintln!("{}/{}", subject.name, fault.name);
        asked
    });
    let asked = asked.into_iter().collect::<Result<Vec<_>>>()?;
    let parts = told::parts(&asked);
    print!("{}", terminal(&parts));
    let path = folder().join("directed.md");
    std::fs::write(&path, markdown(&parts, ".")).with_context(|| path.display().to_string())?;
    println!("\nthe tables: {}", path.display());
    Ok(())
}

fn asked(
    tools: &Tools,
    subject: &Subject,
    prepared: &Prepared,
    fault: &Fault,
    budget: u32,
    made_from: &str,
) -> Result<Asked> {
    let path = |selection: Selection| path_of(&subject.name, &fault.name, &format!("directed {}", selection.name()));
    let mut built = None;
    let mut answers = Vec::new();
    for selection in SELECTIONS {
        if let Some(answer) = kept(&path(selection), made_from) {
            answers.push(answer);
            continue;
        }
        if built.is_none() {
            built = Some(failing(tools, subject, fault, prepared, Telling::Expected)?);
        }
        let (program, test) = built.as_ref().context("it was built")?;
        let mut answer = match answer(program, test, &prepared.right, selection, &subject.source_name, budget) {
            Ok(answer) => answer,
            // One that cannot be asked about keeps none of the others from being asked about.
            Err(error) => Answer { trouble: Some(format!("{error:#}")), ..Answer::default() },
        };
        made_from.clone_into(&mut answer.made_from);
        keep(&path(selection), &answer)?;
        answers.push(answer);
    }
    Ok(Asked { name: format!("{}/{}", subject.name, fault.name), at: fault.lines.clone(), answers })
}

fn answer(
    program: &Path,
    test: &Test,
    right: &Path,
    selection: Selection,
    source: &str,
    budget: u32,
) -> Result<Answer> {
    let case = Case::new(program, test.args.iter().map(Into::into).collect())?;
    let case = match &test.stdin {
        Some(input) => case.with_input_file(input)?,
        None => case,
    };
    let oracle = oracle_by_reference(right, &case, PATIENCE)?;
    let limits = Limits { time: PATIENCE, workers: 1, ..Limits::default() };
    // The failing run is recorded twice before anything is asked.
    let spending = Budget::of(Duration::from_secs(budget.into()) + 4 * PATIENCE);
    let lab: Lab = Opening { spending, ..Opening::of(case, oracle, limits) }.open()?;
    let budget = Budget::of(Duration::from_secs(budget.into()));
    let options = Options { selection, most: MOST, until_settled: false, ..Options::default() };
    let mut answer = Answer::default();
    let means = Means { lab: &lab, options, budget: &budget, progress: &Quiet };
    let generated = generate(&means, None, |generated| {
        let ours = ranked_lines(generated).into_iter().filter(|(line, _)| Path::new(&line.file).ends_with(source));
        answer.after.push(After {
            seconds: generated.seconds,
            lines: ours.map(|(line, ranks)| (line.line, *ranks.start(), *ranks.end())).collect(),
            counts: generated.counts(),
        });
        ControlFlow::Continue(())
    })?;
    answer.settled = generated.settled;
    Ok(answer)
}
