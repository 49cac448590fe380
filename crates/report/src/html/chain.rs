//! The way from the cause to the failure, step by step, beside the source.

use findings::Findings;
use findings::story::{ChainStep, EdgeKind, Story};
use maud::{Markup, html};

use super::places::{Places, file_name};
use super::sentence;
use super::source::files;
use super::visible::visible;
use crate::english;

/// The steps of the story, or the links of the findings if it has none.
pub fn steps(findings: &Findings, story: &Story) -> Vec<ChainStep> {
    if !story.chain.is_empty() {
        return story.chain.clone();
    }
    let step = |link: &findings::Link| ChainStep { link: link.clone(), used: Vec::new(), clock: None, by: None };
    findings.chain.iter().map(step).collect()
}

pub fn way(steps: &[ChainStep], story: &Story, places: &Places<'_>) -> Markup {
    let class = if steps.is_empty() || story.files.is_empty() { "alone" } else { "beside" };
    html! {
        h2 #way-title { @if steps.is_empty() { "Source" } @else { "From the cause to the failure" } }
        div.way.(class) {
            @if !steps.is_empty() {
                div.walk {
                    div.controls role="group" aria-label="Walk through the steps" {
                        button #back type="button" aria-keyshortcuts="k" title="Previous step (k)" { "↑" }
                        button #forth type="button" aria-keyshortcuts="j" title="Next step (j)" { "↓" }
                        output #where aria-live="polite" { (steps.len()) " steps" }
                    }
                    ol.steps { @for (number, step) in (1..).zip(steps) { (step_told(number, step, places)) } }
                }
            }
            @if !story.files.is_empty() { (files(&story.files)) }
        }
    }
}

fn step_told(number: usize, step: &ChainStep, places: &Places<'_>) -> Markup {
    let at = &step.link.location;
    let clock = step.clock.map(|clock| format!("clock {clock}"));
    html! {
        li {
            @if let Some(by) = step.by { span.by.(edge_class(by)) { (because(by)) } }
            button.step type="button" data-line=[places.id(at)] {
                span.number { (number) }
                span.what { (sentence(&english::link(&step.link))) }
                span.where title=[clock] {
                    (visible(file_name(&at.file))) ":" (at.line)
                    @if !at.function.is_empty() { " in " (visible(&at.function)) }
                }
                @if !step.used.is_empty() {
                    span.used {
                        @for (expression, value) in &step.used {
                            span.pair { code { (visible(expression)) } " = " code { (visible(value)) } }
                        }
                    }
                }
            }
        }
    }
}

/// How a step follows from the one before.
fn because(by: EdgeKind) -> &'static str {
    match by {
        EdgeKind::Data => "the next step uses its value",
        EdgeKind::Control => "it decides that the next step is executed",
        EdgeKind::Potential => "with the other outcome, it could have changed the next step",
    }
}

pub fn edge_class(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Data => "data-edge",
        EdgeKind::Control => "control-edge",
        EdgeKind::Potential => "potential-edge",
    }
}
