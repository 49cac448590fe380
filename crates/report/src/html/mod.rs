//! One page that holds everything: no file beside it, no request, no script but its own.
//!
//! The page is complete as it is written; `page.js` only makes it walkable. Every text comes from somebody's program
//! and is escaped: by the templates what means something to HTML, by [`visible`] what would not show.

mod visible;
mod places;
mod highlight;
mod answer;
mod source;
mod chain;
mod runs;
mod layout;
mod graph;
mod experiments;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use findings::story::Story;
use findings::{Findings, Limit};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::english;
use places::Places;
use visible::visible;

/// Nothing may be fetched from anywhere, whatever gets into the page.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// Writes the page of findings; `story` is the run they are about, as far as it is known.
pub fn html(findings: &Findings, story: &Story, out: &mut impl Write) -> io::Result<()> {
    out.write_all(page(findings, story).into_string().as_bytes())
}

/// A part of the page: what leads to it, and what it is.
struct Part {
    id: &'static str,
    name: &'static str,
    body: Markup,
}

fn page(findings: &Findings, story: &Story) -> Markup {
    let places = Places::new(&story.files);
    let parts = parts(findings, story, &places);
    let title = match findings.findings.first() {
        Some(best) => format!("{}:{}", places::file_name(&best.location.file), best.location.line),
        None => "nothing was found".into(),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="faultline";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (visible(&title)) " · faultline" }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                a.skip href="#answer" { "Skip to the answer" }
                (bar(story, &parts))
                main {
                    @if !findings.caveats.is_empty() {
                        div.caveats role="alert" {
                            @for caveat in &findings.caveats { p { strong { "Beware: " } (sentence(&english::caveat(caveat))) } }
                        }
                    }
                    @for part in &parts {
                        section id=(part.id) aria-labelledby={ (part.id) "-title" } { (part.body) }
                    }
                }
                (footer(findings))
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    }
}

/// What there is to show, in the order of reading.
fn parts(findings: &Findings, story: &Story, places: &Places<'_>) -> Vec<Part> {
    let mut parts = vec![Part { id: "answer", name: "Answer", body: answer::answer(findings, story, places) }];
    let steps = chain::steps(findings, story);
    if !story.files.is_empty() || !steps.is_empty() {
        let name = if steps.is_empty() { "Source" } else { "Way to the failure" };
        parts.push(Part { id: "way", name, body: chain::way(&steps, story, places) });
    }
    if let Some(runs) = story.runs.as_ref().filter(|runs| !runs.rows.is_empty()) {
        parts.push(Part { id: "runs", name: "Two runs", body: runs::runs(runs, places) });
    }
    if !story.graph.vertices.is_empty() {
        parts.push(Part { id: "graph", name: "Dependences", body: graph::graph(story, places) });
    }
    if !story.experiments.is_empty() || !findings.tried.is_empty() {
        let body = experiments::experiments(&findings.tried, &story.experiments, places);
        parts.push(Part { id: "experiments", name: "Experiments", body });
    }
    let limits: Vec<&Limit> = findings.limits.iter().chain(&story.limits).collect();
    if !limits.is_empty() {
        parts.push(Part { id: "limits", name: "Limits", body: limits_told(&limits) });
    }
    parts
}

fn bar(story: &Story, parts: &[Part]) -> Markup {
    html! {
        header.bar {
            span.brand { "faultline" }
            @if !story.case.command.is_empty() {
                code.command title=(visible(&story.case.command)) { (visible(&story.case.command)) }
            }
            nav aria-label="Parts of this page" {
                @for part in parts { a href={ "#" (part.id) } { (part.name) } }
            }
            button #theme type="button" aria-label="Switch between light and dark" title="Light or dark" { "◐" }
        }
    }
}

fn limits_told(limits: &[&Limit]) -> Markup {
    html! {
        h2 #limits-title { "What could not be examined" }
        ul.limits { @for limit in limits { li { (sentence(&english::limit(limit))) } } }
    }
}

fn footer(findings: &Findings) -> Markup {
    let runs = if findings.experiments == 1 { "experiment" } else { "experiments" };
    html! {
        footer {
            p { (findings.experiments) " " (runs) " in " (format!("{:.1}", findings.seconds)) " s" }
            p.keys {
                kbd { "j" } " next step " kbd { "k" } " step before "
                kbd { "/" } " filter experiments " kbd { "t" } " light or dark"
            }
        }
    }
}

/// With a capital letter and a full stop, and what stands between backticks as code.
fn sentence(text: &str) -> Markup {
    let text = visible(text);
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    let begins_with_code = text.starts_with('`');
    let whole = if begins_with_code { text.to_string() } else { format!("{first}{}", rest.as_str()) };
    let is_ended = whole.ends_with(['.', '!', '?', ':']);
    html! { (with_code(&whole)) @if !is_ended { "." } }
}

/// What stands between backticks as code.
fn with_code(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd backtick is one of the text's own.
    let is_paired = pieces.len() % 2 == 1;
    html! {
        @if is_paired {
            @for (position, piece) in pieces.iter().enumerate() {
                @if position % 2 == 1 { code { (piece) } } @else { (piece) }
            }
        } @else { (text) }
    }
}
