//! Variables have the values that each program of tests/execution/values says on its lines:
//! `//~ values EXPRESSION: VALUE VALUE...`, one for each execution of the line; `//~ values after EXPRESSION: ...`.
//! `ADDRESS` in an expectation stands for any address. Programs called `fixme-...` are not solved yet and must fail.

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Trial};
use recording::Recording;
use replay::Image;
use source::history::{Question, When};
use source::source_line::find_line;
use source::sources::Sources;
use source::value;
use testkit::{Build, Fixture, Tools, expectations, fixtures, recorded, split_values};

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for fixture in fixtures("execution/values")? {
        trials.push(Trial::test(fixture.name(), move || match (check(&fixture), is_unsolved(&fixture)) {
            (Ok(()), false) => Ok(()),
            (Ok(()), true) => Err("this holds now: take `fixme-` from its name".into()),
            (Err(error), true) if error.is::<Wrong>() => Ok(()),
            (Err(error), _) => Err(format!("{error:#}").into()),
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn is_unsolved(fixture: &Fixture) -> bool {
    fixture.source.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"fixme-"))
}

/// Expectations that do not hold; other errors are never what an unsolved program waits for.
#[derive(Debug, thiserror::Error)]
#[error("{} of {checked} expectations do not hold\n{}", wrong.len(), wrong.join("\n"))]
struct Wrong {
    checked: usize,
    wrong: Vec<String>,
}

fn check(fixture: &Fixture) -> Result<()> {
    let tools = Tools::find()?;
    let (path, _folder) = recorded(&tools, fixture, Build::Faultline2)?;
    let recording = Recording::open(&path)?;
    let image = Image::new(&recording);
    let sources = Sources::new(&image)?;
    let text = std::fs::read_to_string(&fixture.source)?;
    let file = fixture.source.to_str().context("the path is text")?;
    let mut checked = 0;
    let mut wrong = Vec::new();
    for expected in expectations(&text).iter().filter(|e| e.word == "values") {
        let (expression, values) = expected.rest.split_once(": ").context(expected.rest.clone())?;
        let (when, expression) = match expression.strip_prefix("after ") {
            Some(expression) => (When::After, expression),
            None => (When::Before, expression),
        };
        let line = find_line(&image, file, expected.line)?;
        let question = Question::new(&sources, &line, value::parse(expression)?)
            .with_context(|| format!("line {}: {expression}", expected.line))?;
        let mut found = Vec::new();
        for stream in recording.streams().iter().filter(|s| s.parent.is_none()) {
            let history = question.ask(stream.id, when, 1000)?;
            found.extend(history.turns.iter().map(|turn| without_addresses(&turn.value.to_string())));
        }
        if found != split_values(values) {
            wrong.push(format!("line {}: {expression}: {values}\n    found {}", expected.line, found.join(" ")));
        }
        checked += 1;
    }
    ensure!(checked > 0, "the program expects nothing");
    if wrong.is_empty() { Ok(()) } else { Err(Wrong { checked, wrong }.into()) }
}

fn without_addresses(value: &str) -> String {
    let mut parts = value.split("0x");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str("ADDRESS");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    out
}
