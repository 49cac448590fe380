//! The top of the page: where the fault is, and why we think so.

use findings::story::Story;
use findings::{EvidenceKind, Finding, Findings, Location};

use maud::{Markup, html};

use crate::extent::extent;

use super::highlight::{Inside, highlight};
use super::places::Places;
use super::sentence;
use super::visible::visible;
use crate::english::{self, UNPROVEN, WHAT_WOULD_HELP};

/// Lines shown before and after the one that is meant.
const AROUND: u32 = 2;
/// Findings shown before a reader asks for more.
const FIRST: usize = 4;

pub fn answer(findings: &Findings, story: &Story, places: &Places<'_>) -> Markup {
    html! {
        h1 #answer-title { (headline(findings, story)) }
        (case(findings, story, places))
        @if findings.unproven {
            p.nothing { (UNPROVEN) " " (WHAT_WOULD_HELP) }
        }
        @match findings.findings.split_first() {
            Some((best, others)) => {
                (told_in_full(best, places))
                (told_in_short(others, places))
            }
            None => p.nothing { "Nothing was found. What was tried is listed below." },
        }
    }
}

fn headline(findings: &Findings, story: &Story) -> Markup {
    html! {
        @if let Some(failure) = &story.case.failure { (sentence(&english::failure(failure))) }
        @else if findings.findings.is_empty() { "No fault was found." }
        @else { "Where the fault is" }
    }
}

fn case(findings: &Findings, story: &Story, places: &Places<'_>) -> Markup {
    let case = &story.case;
    // The failure is where the way to it ends.
    let failed_at =
        story.chain.last().map(|step| &step.link.location).or(findings.chain.last().map(|link| &link.location));
    html! {
        dl.case {
            @if let Some(at) = failed_at {
                div { dt { "Place" } dd { (places.link(at)) } }
            }
            @if !case.command.is_empty() {
                div { dt { "Run" } dd { code { (visible(&case.command)) } } }
            }
            @if let Some(oracle) = case.oracle {
                div { dt { "Expected" } dd { (english::oracle(oracle)) } }
            }
        }
    }
}

fn told_in_full(best: &Finding, places: &Places<'_>) -> Markup {
    let Location { file, line, function, .. } = &best.location;
    let id = places.id(&best.location);
    html! {
        article.best aria-label="The best finding" {
            p.place {
                @match &id {
                    Some(id) => a.at href={ "#" (id) } { (visible(file)) ":" (line) },
                    None => span.at { (visible(file)) ":" (line) },
                }
                @if !function.is_empty() { span.in { " in " code { (visible(function)) } } }
                (techniques(best))
            }
            p.message { (sentence(&english::message(best))) }
            (excerpt(best, places))
            (evidence(best))
        }
    }
}

fn techniques(finding: &Finding) -> Markup {
    html! { @for name in &finding.techniques { " " span.technique { (visible(name)) } } }
}

/// The line with what is meant marked, and some around it.
fn excerpt(best: &Finding, places: &Places<'_>) -> Markup {
    let at = &best.location;
    let Some(text) = places.text(at, at.line) else { return html! {} };
    let range = extent(text, at.column);
    let begin = at.line.saturating_sub(AROUND).max(1);
    let end = at.line.saturating_add(AROUND);
    let around: Vec<(u32, &str)> = (begin..=end).filter_map(|line| Some((line, places.text(at, line)?))).collect();
    let mut inside = Inside::default();
    html! {
        pre.excerpt tabindex="0" aria-label="The source around it" {
            @for (line, text) in around {
                span.l.target[line == at.line] {
                    span.n { (line) }
                    code {
                        @if line == at.line {
                            (highlight(&text[..range.start], &mut inside))
                            mark { (highlight(&text[range.clone()], &mut inside)) }
                            (highlight(&text[range.end..], &mut inside))
                        } @else { (highlight(text, &mut inside)) }
                    }
                }
            }
        }
    }
}

fn evidence(finding: &Finding) -> Markup {
    html! {
        @if !finding.evidence.is_empty() {
            ul.evidence {
                @for evidence in &finding.evidence {
                    li { (kind(evidence.kind)) span { (sentence(&english::evidence_of(finding, &evidence.claim))) } }
                }
            }
        }
    }
}

fn kind(kind: EvidenceKind) -> Markup {
    let (class, name, meaning) = match kind {
        EvidenceKind::Experiment => ("shown", "shown", "An experiment shows it"),
        EvidenceKind::Solver => ("fits", "solved", "A solver says so; no run was made for each case"),
        EvidenceKind::Dependence => ("fits", "fits", "It agrees with how the failure came about"),
        EvidenceKind::Execution => ("ran", "ran", "It was executed"),
    };
    html! { span.kind.(class) title=(meaning) { (name) } }
}

/// One line each; what matters less waits until it is asked for.
fn told_in_short(others: &[Finding], places: &Places<'_>) -> Markup {
    let (first, more) = others.split_at(others.len().min(FIRST));
    html! {
        @if !first.is_empty() {
            h2.small { "Other suspects" }
            (list(first, places))
        }
        @if !more.is_empty() {
            details.more {
                summary { (more.len()) " more" }
                (list(more, places))
            }
        }
    }
}

fn list(findings: &[Finding], places: &Places<'_>) -> Markup {
    html! {
        ul.others {
            @for finding in findings {
                li {
                    span.rank { (finding.rank) }
                    (places.link(&finding.location))
                    span.why { (sentence(&english::message(finding))) }
                    (techniques(finding))
                }
            }
        }
    }
}
