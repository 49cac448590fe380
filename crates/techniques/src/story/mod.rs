//! The failing run as a page shows it beside the findings.
//!
//! In: a diagnosis and its subject. Out: source lines with counts and values, the steps of the chain, the graph around the
//! failure, the run beside a repaired one, what experiments showed. All of it is bounded, whatever the run is like: a page
//! must open quickly, and nobody reads more.

mod observe;
mod lines;
mod chain;
mod graph;
mod beside;
mod experiments;

use std::collections::BTreeSet;

use findings::Limit;
use findings::story::{CaseTold, OracleTold, Story};
use replay::Step;

use crate::why::Diagnosis;
use subject::telling::failure;
use subject::{Subject, TechniqueError};

/// Tells the story of a diagnosed run. `command` is how it was started.
pub fn story(subject: &Subject<'_, '_>, diagnosis: &Diagnosis, command: String) -> Result<Story, TechniqueError> {
    let mut limits = Vec::new();
    let nearness = subject.nearness()?;
    if nearness.graph.is_cut {
        limits.push(Limit::PageSteps { steps: nearness.graph.steps.len() as u64 });
    }
    let chosen = lines::choose(subject, diagnosis)?;
    let outcomes = subject.lab.outcomes();
    let moments: BTreeSet<Step> = chosen.steps().collect();
    let clocks: BTreeSet<u64> = outcomes.iter().filter_map(|(plan, _)| Some(plan.first()?.clock)).collect();
    let seen = observe::observe(subject.run, &moments, &clocks)?;
    let repaired = beside::repairing(diagnosis, &outcomes);
    let runs = match repaired {
        Some(experiment) => beside::beside(subject, experiment, &mut limits)?,
        None => None,
    };
    Ok(Story {
        case: CaseTold { command, oracle: Some(oracle(subject)), failure: Some(failure::failure(subject)) },
        files: lines::files(subject, diagnosis, &chosen, &seen)?,
        chain: chain::chain(subject, diagnosis)?,
        runs,
        graph: graph::graph(subject, diagnosis)?,
        experiments: experiments::experiments(subject, &outcomes, &seen, &mut limits)?,
        limits,
    })
}

/// What a right run is known by.
fn oracle(subject: &Subject<'_, '_>) -> OracleTold {
    let oracle = subject.lab.oracle();
    OracleTold { output: oracle.output.is_some(), status: oracle.status.is_some(), check: oracle.check.is_some() }
}
