//! Steps are told as each program of tests/execution/told says on its lines: `//~ told TEXT` is the text of a step of the line,
//! whether the run is replayed as a whole or in windows of a few ticks.

use std::collections::{BTreeMap, BTreeSet};

use abi::StreamId;
use anyhow::{Result, ensure};
use execution::Run;
use libtest_mimic::{Arguments, Trial};
use recording::Recording;
use replay::{Image, Observed, Observer, Step};
use source::sources::Sources;
use source::told::tell;
use testkit::{Build, Fixture, Tools, expectations, fixtures, recorded};

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for fixture in fixtures("execution/told")? {
        trials.push(Trial::test(fixture.name(), move || check(&fixture).map_err(|e| format!("{e:#}").into())));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Ticks of a window that is so short that frames and blocks are older than it.
const SHORT: u64 = 5;

fn check(fixture: &Fixture) -> Result<()> {
    let (path, _folder) = recorded(&Tools::find()?, fixture, Build::Faultline2)?;
    let recording = Recording::open(&path)?;
    let image = Image::new(&recording);
    let sources = Sources::new(&image)?;
    let text = std::fs::read_to_string(&fixture.source)?;
    let expected: Vec<_> = expectations(&text).into_iter().filter(|expected| expected.word == "told").collect();
    ensure!(!expected.is_empty(), "the program expects nothing");
    let whole = told(&Run::new(&image, StreamId::MAIN)?, &sources, &expected.iter().map(|e| e.line).collect())?;
    let in_windows = Run::with_windows(&image, StreamId::MAIN, SHORT)?;
    ensure!(in_windows.last_window().0 > 2, "there are no windows");
    let in_windows = told(&in_windows, &sources, &expected.iter().map(|e| e.line).collect())?;
    ensure!(whole == in_windows, "in windows it is told otherwise:\n{whole:#?}\n{in_windows:#?}");
    let missing = expected
        .iter()
        .filter(|expected| !whole.get(&expected.line).is_some_and(|texts| texts.contains(&expected.rest)));
    let missing: Vec<String> =
        missing.map(|e| format!("line {}: {}\n    told {:#?}", e.line, e.rest, whole.get(&e.line))).collect();
    ensure!(missing.is_empty(), "{}", missing.join("\n"));
    Ok(())
}

/// By line: what its steps do, in the order of execution.
fn told(run: &Run<'_>, sources: &Sources<'_, '_>, lines: &BTreeSet<u32>) -> Result<BTreeMap<u32, Vec<String>>> {
    let seen = run.forwards(|_, _| OfLines { lines, steps: BTreeMap::new() })?;
    let steps: BTreeMap<Step, u32> = seen.into_iter().flat_map(|of_lines| of_lines.steps).collect();
    let texts = tell(run, sources, &steps.keys().copied().collect())?;
    let mut by_line: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (step, line) in &steps {
        by_line.entry(*line).or_default().extend(texts.get(step).map(ToString::to_string));
    }
    Ok(by_line)
}

/// Steps of chosen lines, in files that are not the library's.
struct OfLines<'a> {
    lines: &'a BTreeSet<u32>,
    steps: BTreeMap<Step, u32>,
}

impl Observer for OfLines<'_> {
    fn step(&mut self, step: &Observed<'_>) {
        let line = step.instruction().location.map_or(0, |location| location.line);
        if self.lines.contains(&line) && !step.module().has_twins() {
            self.steps.insert(step.step(), line);
        }
    }
}
