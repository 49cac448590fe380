//! Source files: how often each line was executed, how much the failure has to do with it, and the values it had.

use std::collections::HashMap;

use findings::story::{Excerpt, LineFacts, SourceText};
use maud::{Markup, html};

use super::highlight::{Inside, highlight};
use super::places::{file_name, line_id};
use super::visible::visible;

/// Lines of a chunk. A browser lays out only chunks that can be seen.
const CHUNK: usize = 100;

/// Files with a tab for each.
pub fn files(files: &[SourceText]) -> Markup {
    html! {
        div.source {
            div.tabs role="tablist" aria-label="Source files" {
                @for (number, file) in files.iter().enumerate() {
                    button.tab type="button" role="tab" id={ "tab" (number) } aria-controls={ "file" (number) }
                        aria-selected=(number == 0) tabindex=(if number == 0 { "0" } else { "-1" })
                        title=(visible(&file.path)) { (visible(file_name(&file.path))) }
                }
            }
            @for (number, file) in files.iter().enumerate() {
                div.file id={ "file" (number) } role="tabpanel" aria-labelledby={ "tab" (number) } tabindex="0"
                    hidden[number > 0] { (contents(number, file)) }
            }
            (legend())
        }
    }
}

fn contents(number: usize, file: &SourceText) -> Markup {
    let facts: HashMap<u32, &LineFacts> = file.facts.iter().map(|facts| (facts.line, facts)).collect();
    html! {
        @for (position, excerpt) in file.excerpts.iter().enumerate() {
            @if position > 0 { div.cut aria-label="Lines left out" { "⋯" } }
            (excerpt_lines(number, excerpt, &facts))
        }
    }
}

fn excerpt_lines(number: usize, excerpt: &Excerpt, facts: &HashMap<u32, &LineFacts>) -> Markup {
    let mut inside = Inside::default();
    let numbered: Vec<(u32, &String)> = (excerpt.first..).zip(&excerpt.lines).collect();
    html! {
        @for chunk in numbered.chunks(CHUNK) {
            div.chunk style={ "--lines:" (chunk.len()) } {
                @for (line, text) in chunk { (source_line(number, *line, text, facts.get(line).copied(), &mut inside)) }
            }
        }
    }
}

fn source_line(file: usize, line: u32, text: &str, facts: Option<&LineFacts>, inside: &mut Inside) -> Markup {
    let class = facts.map_or("", class_of);
    let heat =
        facts.filter(|facts| facts.suspicion > 0.0).map(|f| format!("--heat:{:.2}", f.suspicion.clamp(0.0, 1.0)));
    html! {
        div.l.(class) id=(line_id(file, line)) style=[heat] {
            span.n { (line) }
            span.x title=[facts.map(told)] { @if let Some(facts) = facts { (short(facts.executions)) } }
            code { (highlight(text, inside)) }
            @if let Some(facts) = facts.filter(|facts| !facts.values.is_empty()) { (values(facts)) }
            @if let Some(condition) = facts.and_then(|facts| facts.omitted) {
                span.omitted { "did not run, because of line " (condition) }
            }
        }
    }
}

fn class_of(facts: &LineFacts) -> &'static str {
    match facts {
        LineFacts { suspicion, .. } if *suspicion > 0.0 => "hot",
        LineFacts { in_slice: 1.., .. } => "slice",
        LineFacts { executions: 0, .. } => "never",
        _ => "ran",
    }
}

fn told(facts: &LineFacts) -> String {
    let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    match facts {
        LineFacts { executions: 0, .. } => "never executed".into(),
        LineFacts { executions, in_slice: 0, .. } => format!("executed {}", times(*executions)),
        LineFacts { executions, in_slice, .. } => {
            format!("executed {}; the failure depends on {in_slice} of these", times(*executions))
        }
    }
}

fn values(facts: &LineFacts) -> Markup {
    let mut told = String::new();
    for value in &facts.values {
        let separator = if told.is_empty() { "" } else { "\n" };
        told.push_str(&format!("{separator}{} (execution {}, clock {})", value.text, value.execution, value.clock));
    }
    // A newline here separates, and stays.
    let told: Vec<String> = told.split('\n').map(|line| visible(line).into_owned()).collect();
    html! {
        span.v title=(told.join("\n")) {
            @for (position, value) in facts.values.iter().enumerate() {
                @if position > 0 { span.sep { " · " } }
                (visible(&value.text))
            }
        }
    }
}

/// A count in a few characters.
fn short(count: u64) -> String {
    match count {
        0..=9999 => count.to_string(),
        10_000..=999_999 => format!("{}k", count / 1000),
        1_000_000..=999_999_999 => format!("{}M", count / 1_000_000),
        _ => format!("{}G", count / 1_000_000_000),
    }
}

fn legend() -> Markup {
    html! {
        p.legend {
            span.key.hot { "suspected" }
            span.key.slice { "the failure depends on it" }
            span.key.ran { "executed" }
            span.key.never { "never executed" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let told: Vec<String> = [0, 9999, 10_000, 999_999, 1_000_000, 5_000_000_000].map(short).into();
        assert_eq!(told, ["0", "9999", "10k", "999k", "1M", "5G"]);
    }
}
