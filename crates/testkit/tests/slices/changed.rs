//! Runs of experiments: one condition reversed, or one assignment made with another value.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use abi::StreamId;
use anyhow::{Context, Result, ensure};
use execution::Run;
use execution::assignments::{Assignment, assignments};
use execution::predicates::{Predicate, predicates};
use experiment::{Case, Change, Intervention, Lab, Limits, Oracle};
use program::{Op, Type};
use recording::Recording;
use replay::{Image, Observed, Observer, Step};
use tempfile::TempDir;
use testkit::{Tools, workspace};

use super::check;

/// Runs of each kind that are looked at.
const RUNS: usize = 4;

/// Folders of `tests/locate/switch`, each with a program, its input and what it should print.
pub fn cases() -> Result<Vec<PathBuf>> {
    let folder = workspace().join("tests/locate/switch");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    cases.sort();
    Ok(cases)
}

/// A changed run is observed as it went: the step that was changed has its new value, what follows is consistent with it,
/// and slices are those of the whole graph.
pub fn changed(tools: &Tools, folder: &Path) -> Result<()> {
    let built = TempDir::new()?;
    let program = built.path().join("program");
    let source = folder.join("program.c");
    let status = Command::new(&tools.cc).args(["-g", "-w"]).arg(source).arg("-o").arg(&program).status()?;
    ensure!(status.success(), "it does not compile");
    let case = Case::new(&program, Vec::new())?.with_input_file(&folder.join("input"))?;
    let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let lab = Lab::open(case, oracle, limits)?;
    let (branches, stores) = steps(&lab)?;
    for branch in every(&branches) {
        let change = Intervention { clock: branch.at.clock, change: Change::Switch };
        let path = lab.record(std::slice::from_ref(&change))?.1;
        let seen = with_run(&path, |run| Ok(predicates(run, usize::MAX)?.steps))?;
        let seen = seen.iter().find(|one| one.at == branch.at).context("the branch is not there")?;
        ensure!(seen.value == branch.value ^ 1, "{branch:?} was switched and is seen as {seen:?}");
        check(&path).with_context(|| format!("{change:?}"))?;
    }
    for store in every(&stores) {
        let value = store.value ^ 1;
        let change = Intervention { clock: store.at.clock, change: Change::Replace(value) };
        let path = lab.record(std::slice::from_ref(&change))?.1;
        let seen = with_run(&path, |run| Ok(assignments(run, &BTreeSet::from([store.at]))?))?;
        ensure!(seen.len() == 1 && seen[0].value == value, "{store:?} was replaced and is seen as {seen:?}");
        check(&path).with_context(|| format!("{change:?}"))?;
    }
    Ok(())
}

fn with_run<T>(path: &Path, look: impl FnOnce(&Run<'_>) -> Result<T>) -> Result<T> {
    let recording = Recording::open(path)?;
    let image = Image::new(&recording);
    look(&Run::new(&image, StreamId::MAIN)?)
}

fn every<T>(all: &[T]) -> impl Iterator<Item = &T> {
    all.iter().step_by((all.len() / RUNS).max(1)).take(RUNS)
}

/// Branches of the failing run, and assignments of whole numbers, none of them in library code.
fn steps(lab: &Lab) -> Result<(Vec<Predicate>, Vec<Assignment>)> {
    with_run(&lab.baseline().recording, |run| {
        let op = |at: Step| &run.functions.instruction(at.site).op;
        let mut branches = predicates(run, usize::MAX)?.steps;
        branches.retain(|one| matches!(op(one.at), Op::Branch { .. }));
        let (_, stores) = replay::replay(run.image(), run.stream, Stores { run, steps: BTreeSet::new() })?;
        let mut stores = assignments(run, &stores.steps)?;
        stores.retain(|one| matches!(one.ty, Type::Int(_)));
        ensure!(branches.len() >= RUNS && stores.len() >= RUNS, "there is little to change");
        Ok((branches, stores))
    })
}

struct Stores<'a, 'r> {
    run: &'a Run<'r>,
    steps: BTreeSet<Step>,
}

impl Observer for Stores<'_, '_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        if let (Op::Store { .. }, at) = (&step.instruction().op, step.step())
            && !self.run.functions.is_twin(at.site.function)
        {
            self.steps.insert(at);
        }
    }
}
