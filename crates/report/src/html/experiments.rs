//! What was tried, and what came of it.

use std::collections::BTreeMap;

use findings::Tried;
use findings::story::{ExperimentTold, OutcomeTold};
use maud::{Markup, html};

use super::places::Places;
use super::sentence;
use crate::english;

pub fn experiments(tried: &[Tried], all: &[ExperimentTold], places: &Places<'_>) -> Markup {
    html! {
        h2 #experiments-title { "What was tried" }
        @for tried in tried { p.tried { (sentence(&english::tried(tried))) } }
        @if !all.is_empty() { (table(all, places)) }
    }
}

fn table(all: &[ExperimentTold], places: &Places<'_>) -> Markup {
    let mut outcomes: BTreeMap<OutcomeTold, u64> = BTreeMap::new();
    for experiment in all {
        *outcomes.entry(experiment.outcome).or_default() += experiment.count;
    }
    html! {
        div.filter {
            input #filter type="search" placeholder="Filter" aria-label="Filter experiments" aria-keyshortcuts="/";
            div.chips role="group" aria-label="Outcomes shown" {
                @for (outcome, count) in &outcomes {
                    button.chip type="button" aria-pressed="true" data-outcome=(class_of(*outcome)) {
                        span.dot.(class_of(*outcome)) {} (name_of(*outcome)) " " span.count { (count) }
                    }
                }
            }
            output #shown aria-live="polite" {}
        }
        div.scroll.tall tabindex="0" role="region" aria-labelledby="experiments-title" {
            table.experiments {
                thead {
                    tr {
                        @for (name, sort) in [("What was changed", "text"), ("Where", "text"), ("Outcome", "number"), ("Runs", "number")] {
                            th scope="col" data-sort=(sort) { button type="button" { (name) } }
                        }
                    }
                }
                tbody {
                    @for experiment in all { (row(experiment, places)) }
                }
            }
        }
    }
}

fn row(experiment: &ExperimentTold, places: &Places<'_>) -> Markup {
    let outcome = experiment.outcome;
    html! {
        tr data-outcome=(class_of(outcome)) {
            td { (sentence(&english::changed(experiment))) }
            td { @if let Some(at) = &experiment.location { (places.link(at)) } }
            // Sorted by what says most.
            td data-key=(outcome as u8) { span.dot.(class_of(outcome)) {} (name_of(outcome)) }
            td.count data-key=(experiment.count) { (experiment.count) }
        }
    }
}

fn name_of(outcome: OutcomeTold) -> &'static str {
    match outcome {
        OutcomeTold::Passes => "right",
        OutcomeTold::FailsLater => "right for longer",
        OutcomeTold::FailsOtherwise => "wrong in another way",
        OutcomeTold::Crashes => "crashes",
        OutcomeTold::Hangs => "does not end",
        OutcomeTold::FailsSame => "fails the same",
        OutcomeTold::NeverReached => "never got there",
        OutcomeTold::CannotTell => "cannot be judged",
        OutcomeTold::Refused => "could not be run",
    }
}

fn class_of(outcome: OutcomeTold) -> &'static str {
    match outcome {
        OutcomeTold::Passes => "passes",
        OutcomeTold::FailsLater | OutcomeTold::FailsOtherwise => "otherwise",
        OutcomeTold::Crashes => "crashes",
        OutcomeTold::Hangs => "hangs",
        OutcomeTold::FailsSame => "fails",
        OutcomeTold::NeverReached => "never-reached",
        OutcomeTold::CannotTell => "not judged",
        OutcomeTold::Refused => "refused",
    }
}
