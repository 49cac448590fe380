//! The diagnosis: what all techniques of the table find, put together.
//!
//! Techniques are used in the order of the table, each with its share of the time that is left. What they find is grouped
//! by line and ordered by evidence ([`weigh`]): what an experiment has shown comes before what agrees with the failure, and
//! that before what was merely executed. [`upstream`] looks for what the steps that experiments have shown to matter have
//! in common, since a fault lies before what goes wrong by it. [`chain`] tells the way from
//! the best finding to the failure, unless a technique that compared runs knows it.

mod upstream;
mod folded;
mod spared;
mod weigh;
mod chain;

use std::time::Duration;

use budget::Budget;
use findings::{Findings, Limit, Location};
use replay::Step;

use crate::{Found, Needs, Omitted, Remedy, Subject, Suspect, Technique, TechniqueError};
use spared::{Spared, spared};
use subject::Passage;
use subject::notebook::{as_claimed, spent};

/// An answer, and the steps it is about.
pub struct Diagnosis {
    pub findings: Findings,
    /// For each finding, the step that tells most, if one is known.
    pub steps: Vec<Option<Step>>,
    /// The links of the findings' chain, with their steps.
    pub way: Vec<Passage>,
    /// Code that did not run where it should have.
    pub omitted: Vec<Omitted>,
}

/// Uses these techniques on a subject, as long as there is time.
pub fn diagnose(subject: &Subject<'_, '_>, techniques: &[&Technique]) -> Result<Diagnosis, TechniqueError> {
    let mut all: Vec<Found> = Vec::new();
    let (mut tried, mut limits) = (Vec::new(), subject.shortcomings.to_vec());
    let mut failed = None;
    let mut experiments = 0;
    let mut remedies: Option<Vec<Remedy>> = None;
    let (mut narrowed, mut omitted) = (None, Vec::new());
    let (mut edits, mut passing) = (Vec::new(), Vec::new());
    if !subject.reaches_failure() && techniques.iter().any(|technique| technique.makes_experiments()) {
        limits.push(Limit::OtherThread);
    }
    for (position, technique) in techniques.iter().enumerate() {
        let name = technique.name;
        // Runs can be changed, and turned, in the first thread only.
        let needs_first_thread = technique.makes_experiments() || technique.needs == Needs::Judge;
        if needs_first_thread && !subject.reaches_failure() {
            continue;
        }
        if technique.needs == Needs::Tests && subject.tests.is_empty() {
            limits.push(Limit::NeedsTests { technique: name.into() });
            continue;
        }
        // What the one before took may be free again.
        subject.budget.look_at_memory();
        if subject.is_over() {
            let (technique, answers) = (name.into(), technique.summary.into());
            limits.push(Limit::NoTimeFor { technique, answers, remedy: remedy(subject) });
            continue;
        }
        subject.notebook.begin(name);
        let share = match technique.needs {
            Needs::FailingRun | Needs::Tests => share(subject, techniques.len() - position),
            // Tests can be generated without end; what they add is not worth longer than all the rest together.
            Needs::Judge => {
                subject.budget.part(subject.budget.elapsed().max(LEAST_GENERATING).min(subject.budget.left() / 2))
            }
        };
        match (technique.find)(&subject.within(&share).with_remedies(remedies.as_deref())) {
            Ok(mut found) => {
                subject.notebook.settle(&found);
                if let Some(mut more) = found.remedies.take() {
                    remedies.get_or_insert_default().append(&mut more);
                }
                tried.append(&mut found.tried);
                limits.append(&mut found.limits);
                experiments += found.experiments;
                narrowed = narrowed.or(found.narrowed);
                omitted.append(&mut found.omitted);
                edits.append(&mut found.edits);
                passing.append(&mut found.passing);
                all.push(found);
            }
            Err(error) => match error.spent() {
                Some(spent) => {
                    let (technique, answers) = (name.into(), technique.summary.into());
                    limits.push(Limit::GivenUp { spent: as_claimed(spent), technique, answers });
                    let noted = subject.notebook.given_up();
                    subject.notebook.settle(&noted);
                    all.push(noted);
                }
                None => {
                    limits.push(Limit::NotUsable { technique: name.into(), error: error.spoken() });
                    failed.get_or_insert(error);
                }
            },
        }
    }
    // If nothing worked, the first reason is the answer.
    if let (true, Some(error)) = (all.is_empty(), failed) {
        return Err(error);
    }
    subject.notebook.doing("changes were being tried on other inputs");
    // Whatever comes of it, what was found before stands.
    let spared = spared(subject, &edits, &passing).unwrap_or_else(|error| match error.spent() {
        Some(_) => Spared { is_cut_short: true, ..Spared::default() },
        None => {
            limits.push(Limit::OtherRunsUnknown { because: Some(error.spoken()) });
            Spared::default()
        }
    });
    if spared.is_cut_short {
        limits.push(Limit::OtherRunsUnknown { because: None });
    }
    experiments += spared.runs;
    subject.budget.finish();
    subject.notebook.doing("the answer was being put together");
    let known = all.iter_mut().map(|found| std::mem::take(&mut found.way)).find(|way| !way.is_empty());
    let weighed = weigh::weigh(subject, all, &spared.by_line)?;
    let along = match chain::chain(subject, weighed.first()) {
        Err(error) if error.spent().is_some() => {
            limits.push(Limit::NoChain { spent: spent(subject.budget) });
            Vec::new()
        }
        other => other?,
    };
    let way = match known.filter(|way| weighed.first().is_none_or(|best| is_on(way, best))) {
        Some(way) => chain::filled(way, along),
        None => along,
    };
    let chain = way.iter().map(|passage| passage.link.clone()).collect();
    let steps = weighed.iter().map(|suspect| suspect.steps.first().copied()).collect();
    let findings = weighed.into_iter().map(|suspect| suspect.finding).collect();
    let seconds = subject.budget.elapsed().as_secs_f64();
    let (caveats, unproven) = (Vec::new(), false);
    let mut findings = Findings { findings, chain, tried, caveats, limits, experiments, seconds, narrowed, unproven };
    findings.unproven = techniques.iter().any(|technique| technique.makes_experiments())
        && !techniques.iter().any(|technique| technique.needs == Needs::Tests)
        && !findings.is_shown();
    Ok(Diagnosis { findings, steps, way, omitted })
}

/// Whether a way leads by a suspect: then it tells more of how the failure came about than the shortest one would.
fn is_on(way: &[Passage], suspect: &Suspect) -> bool {
    let Location { file, line, .. } = &suspect.finding.location;
    way.iter().any(|passage| (&passage.link.location.file, &passage.link.location.line) == (file, line))
}

fn remedy(subject: &Subject<'_, '_>) -> findings::Remedy {
    if subject.budget.was_interrupted() {
        findings::Remedy::None
    } else if subject.budget.was_short_of_memory() {
        findings::Remedy::Memory
    } else {
        findings::Remedy::Budget
    }
}

/// How long tests are generated though all the rest took less, if there is time.
const LEAST_GENERATING: Duration = Duration::from_secs(1);

/// A part of the time that is left: as much as each of `count` techniques can have.
fn share(subject: &Subject<'_, '_>, count: usize) -> Budget {
    subject.budget.part(subject.budget.left() / count.max(1) as u32)
}
