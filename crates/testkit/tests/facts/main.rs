//! Dependences and slices are as each program of tests/execution/facts says on its lines, built at -O0.
//!
//! | fact | meaning |
//! |---|---|
//! | `//~ criterion: output 5` | once in a program: what its slice is of; byte 5 of standard output, counted from 1 |
//! | `//~ criterion: missing output` | more should have been written |
//! | `//~ criterion: failure` | what the run shows by itself: crash, assertion, hang, exit status |
//! | `//~ criterion: line 12` | the last step with an effect on that line |
//! | `//~ controls: 14 15` | the lines that depend directly on a branch of this line; or `nothing` |
//! | `//~ in slice`, `//~ not in slice` | whether the full slice has an instruction of this line |
//! | `//~ origin: 7 9` | the lines whose steps made what the last step with an effect on this line used; or `nothing` |
//!
//! With `FAULTLINE_BLESS=1` the facts are rewritten as they are found. Programs called `fixme-...` are not solved yet and
//! must fail.

mod fact;
mod found;

use abi::StreamId;
use anyhow::{Context, Result, ensure};
use execution::Run;
use libtest_mimic::{Arguments, Trial};
use recording::{Ending, Recording};
use replay::Image;
use testkit::{Build, Fixture, Tools, fixtures, is_blessing, recorded};

use fact::{Fact, blessed, facts};
use found::Looked;

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for fixture in fixtures("execution/facts")? {
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

/// Facts that do not hold; other errors are never what an unsolved program waits for.
#[derive(Debug, thiserror::Error)]
#[error("{} of {checked} facts do not hold\n{}", wrong.len(), wrong.join("\n"))]
struct Wrong {
    checked: usize,
    wrong: Vec<String>,
}

fn check(fixture: &Fixture) -> Result<()> {
    let tools = Tools::find()?;
    let text = std::fs::read_to_string(&fixture.source)?;
    let expected = facts(&text)?;
    let (path, _folder) = recorded(&tools, fixture, Build::Faultline0)?;
    let recording = Recording::open(&path)?;
    ends_as_it_says(fixture, &recording)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN)?;
    let looked = Looked::new(&run, &fixture.source, &text, &expected)?;
    let mut found = Vec::new();
    for fact in &expected {
        let here = looked.fact(fact).with_context(|| format!("line {}: {}", fact.line, fact.stated))?;
        found.push(Fact { line: fact.line, stated: here });
    }
    if is_blessing() && !is_unsolved(fixture) {
        std::fs::write(&fixture.source, blessed(&text, &found))?;
        return Ok(());
    }
    let pairs = expected.iter().zip(&found).filter(|(expected, found)| expected != found);
    let wrong: Vec<String> =
        pairs.map(|(e, f)| format!("line {}: expected {}\n    found {}", e.line, e.stated, f.stated)).collect();
    let checked = expected.len();
    ensure!(checked > 0, "the program states nothing");
    if wrong.is_empty() { Ok(()) } else { Err(Wrong { checked, wrong }.into()) }
}

/// A program that fails in another way than it should proves nothing.
fn ends_as_it_says(fixture: &Fixture, recording: &Recording) -> Result<()> {
    let end = recording.end().context("the recording has no end")?;
    let is_expected = match (&end.ending, fixture.ending, fixture.time_limit) {
        (Ending::TimeLimit, _, Some(_)) => true,
        (Ending::Exited { status }, testkit::Ending::Exit(expected), None) => *status == expected,
        (Ending::Killed { signal }, testkit::Ending::Signal(expected), None) => *signal == expected,
        _ => false,
    };
    ensure!(is_expected, "the program ended with {:?}", end.ending);
    Ok(())
}
