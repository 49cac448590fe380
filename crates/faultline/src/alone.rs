//! One technique alone, on a case: `faultline switch`, `faultline omission`, `faultline causes`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use budget::Budget;
use findings::{Caveat, Findings, Limit};
use techniques::{Found, Means, Notebook, Subject, TechniqueError, with_subject};

use crate::answer::{DOES_NOT_FAIL, Format, write};
use crate::case::{CaseArguments, Opened};
use crate::search::{leave, search};
use crate::terminal::Terminal;

#[derive(clap::Args)]
pub struct Arguments {
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    case: CaseArguments,
}

impl Arguments {
    /// Whether what the program reads is in a file, not faultline's own standard input.
    pub fn has_input_file(&self) -> bool {
        self.case.stdin().is_some()
    }
}

pub fn run(
    arguments: &Arguments,
    find: impl FnOnce(&Subject<'_, '_>) -> Result<Found, TechniqueError> + Send + 'static,
) -> Result<ExitCode> {
    let case = arguments.case.clone();
    answer(&arguments.case, arguments.format, move |budget, notebook| found(&case, budget, notebook, find))
}

/// What came of a search.
pub enum Searched {
    Known(Box<Findings>),
    DoesNotFail(String),
    /// What was written down is all there is.
    Spent,
}

/// Searches within the budget of the case and writes what was found, or what was noted until then.
pub fn answer(
    case: &CaseArguments,
    format: Format,
    find: impl FnOnce(&Budget, &Notebook) -> Result<Searched> + Send + 'static,
) -> Result<ExitCode> {
    let budget = case.budget()?;
    let notebook = Arc::new(Notebook::default());
    let searched = {
        let (budget, notebook) = (budget.clone(), notebook.clone());
        search(&budget.clone(), move || find(&budget, &notebook))?
    };
    leave(match searched {
        Some(Ok(Searched::Known(found))) => write(&found, format),
        Some(Ok(Searched::DoesNotFail(why))) => {
            eprintln!("faultline: {why}");
            Ok(DOES_NOT_FAIL)
        }
        Some(Err(error)) => Err(error),
        Some(Ok(Searched::Spent)) | None => write(&notebook.answer(&budget), format),
    })
}

fn found(
    case: &CaseArguments,
    budget: &Budget,
    notebook: &Notebook,
    find: impl FnOnce(&Subject<'_, '_>) -> Result<Found, TechniqueError>,
) -> Result<Searched> {
    let lab = match case.open(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => return Ok(Searched::DoesNotFail(why)),
        Opened::Spent => return Ok(Searched::Spent),
    };
    let progress = Terminal::new();
    let means = Means { progress: &progress, ..Means::within(budget, notebook) };
    let found = with_subject(lab, means, |subject| {
        let mut limits = subject.shortcomings.to_vec();
        notebook.doing("the technique was running");
        let found = if subject.reaches_failure() {
            find(subject)?
        } else {
            limits.push(Limit::OtherThread);
            Found::default()
        };
        let unassigned = techniques::unassigned::caveat(subject);
        limits.extend(techniques::unassigned::limit(subject));
        Ok((found, limits, unassigned))
    });
    progress.finish();
    let (found, mut limits, unassigned) = match found {
        Err(error) if error.spent().is_some() => return Ok(Searched::Spent),
        other => other?,
    };
    let mut found = found.into_findings(budget.elapsed());
    // What was not examined at all comes before what was not examined well.
    limits.append(&mut found.limits);
    found.limits = limits;
    found.caveats.extend(unassigned);
    found.caveats.extend(lab.caveats().into_iter().map(|text| Caveat::Stated { text }));
    found.limits.extend(lab.shortcomings().into_iter().map(|text| Limit::Stated { text }));
    if budget.was_interrupted() {
        found.limits.push(Limit::Interrupted);
    }
    Ok(Searched::Known(Box::new(found)))
}
