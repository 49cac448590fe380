//! Slices by walking backwards are those of the stored whole graph, from many steps of many programs; control dependence is
//! as defined.

mod asked;
mod bytes;
mod changed;
mod control;
mod relevant;
mod whole_graph;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use abi::{InstructionId, StreamId};
use anyhow::{Context, Result, bail, ensure};
use execution::criterion::Criterion;
use execution::dependence::{Follow, Wish};
use execution::slice::{Reach, Request, Slice};
use execution::{Action, Run};
use failure::output::{Outputs, Target};
use failure::{self, FailureError};
use libtest_mimic::{Arguments, Trial};
use program::{Op, Site};
use recording::Recording;
use replay::{Image, Observed, Observer, Step};
use testkit::{Build, Fixture, Tools, csmith, fixtures, recorded};
use whole_graph::WholeGraph;

/// Steps from which slices are taken, of each program: of all, and of those that read or assign a variable of its own.
const CRITERIA: usize = 5;
const VARIABLES: usize = 3;
/// Longer runs make graphs that are no fun to keep.
const MOST_STEPS: u64 = 1_000_000;
/// Programs with such runs. They are not looked at; no others are left out.
const LONG: &[&str] = &[
    "replay/killed",
    "replay/long_run",
    "replay/signal_jump_anywhere",
    "replay/signal_timer",
    "transparency/deep_recursion",
    "transparency/floats",
    "transparency/large_frame",
    "transparency/twins_checked",
    "transparency/twins_ctype",
    "transparency/twins_format",
    "transparency/twins_numbers",
    "transparency/twins_scan",
    "transparency/twins_strings",
];
const LONG_SEEDS: &[u64] =
    &[16, 20, 27, 35, 38, 40, 77, 85, 92, 106, 108, 129, 135, 148, 158, 179, 182, 191, 192, 207, 210, 215, 216];

enum Looked {
    Same,
    /// It has so many steps.
    TooLong(u64),
}

fn check(recording: &Path) -> Result<Looked> {
    let recording = Recording::open(recording)?;
    let image = Image::new(&recording);
    // Each tick is a step; to cut a long run into small windows takes long.
    let ticks = recording.stream(StreamId::MAIN).and_then(|stream| stream.last).map_or(0, |last| last.clock);
    if ticks > MOST_STEPS {
        return Ok(Looked::TooLong(ticks));
    }
    // Small windows, so that there are many borders.
    let run = Run::with_windows(&image, StreamId::MAIN, 500)?;
    if run.summary.instructions > MOST_STEPS {
        return Ok(Looked::TooLong(run.summary.instructions));
    }
    let (checked, too_long) = control::check(&run);
    ensure!(checked > 0 && too_long * 20 <= checked, "{too_long} of {checked} functions are too long to be checked");
    let criteria = criteria(&run)?;
    ensure!(!criteria.is_empty(), "there is nothing to ask about");
    let (_, graph) = replay::replay(&image, StreamId::MAIN, WholeGraph::new(&run.functions, &criteria, run.end()))?;
    let potential = run.potential()?;
    for (position, criterion) in criteria.iter().enumerate() {
        for follow in [Follow::Data, Follow::DataAndControl, Follow::Relevant(&potential)] {
            let expected = graph.slice(position, follow).with_context(|| format!("{criterion:?} was not met"))?;
            let found = Request::of(criterion).slice(&run, follow, 0)?;
            let found = counts(&found);
            if found != expected {
                bail!("{follow:?} from {criterion:?}:\n{}", difference(&run, &found, &expected));
            }
        }
    }
    let asked = Request::of(&criteria[0]);
    let half = asked.clone().within(Reach(run.summary.clock / 2)).slice(&run, Follow::DataAndControl, 0)?;
    let whole = counts(&asked.slice(&run, Follow::DataAndControl, 0)?);
    let found = counts(&half);
    ensure!(
        found.iter().all(|(site, count)| whole.get(site) >= Some(count)),
        "a part of a slice has more than the slice"
    );
    ensure!(half.cut.is_some() || found == whole, "a slice was cut, and nobody was told");
    Ok(Looked::Same)
}

fn counts(slice: &Slice) -> Counts {
    let mut counts = BTreeMap::new();
    for (&key, sites) in &slice.counts {
        for (site, &count) in (0..).map(InstructionId).zip(sites).filter(|(_, count)| **count > 0) {
            counts.insert(key.at(site), count);
        }
    }
    counts
}

type Counts = BTreeMap<Site, u32>;

fn difference(run: &Run<'_>, walked: &Counts, whole: &Counts) -> String {
    let sites = walked.keys().chain(whole.keys().filter(|site| !walked.contains_key(site)));
    let differing = sites.filter(|site| walked.get(site) != whole.get(site)).map(|&site| {
        let function = run.functions.function(site.function);
        let text =
            run.functions.module(site.function).map(|m| m.instruction_text(function, site.instruction).to_string());
        let [walked, whole] = [walked, whole].map(|counts| counts.get(&site).copied().unwrap_or(0));
        format!("walked {walked}, whole graph {whole}: {}: {}", function.name, text.unwrap_or_default())
    });
    differing.take(12).collect::<Vec<_>>().join("\n")
}

/// What is asked of a run: its exit status, bytes of its output, steps here and there.
fn criteria(run: &Run<'_>) -> Result<Vec<Criterion>> {
    let mut criteria = Vec::new();
    let question = match failure::by_itself(run) {
        Err(FailureError::DidNotFail) => failure::status_of(run, 0),
        other => other,
    };
    // An instruction that faulted is no step, nor is a call for which there was no room on the stack.
    let is_call = |at: Step| {
        let uses = run.functions.uses(at.site.function);
        matches!(uses.instructions[at.site.instruction.index()].action, Action::Call | Action::Invoke)
    };
    criteria.extend(question.ok().map(|question| question.criterion).filter(|criterion| match criterion {
        Criterion::Step { .. } => true,
        // Nor is what a handler interrupted.
        Criterion::End { .. } => {
            let is_in_call = run.summary.ending == replay::Ending::Outside && run.end().is_some_and(is_call);
            run.summary.in_handlers == 0 && is_in_call
        }
    }));
    let length = Outputs::of(run)?.length(Target::Output);
    for byte in [0, length / 2, length.saturating_sub(1)].into_iter().take_while(|_| length > 0) {
        criteria.push(failure::output_byte(run, byte)?.criterion);
    }
    let (_, candidates) = replay::replay(run.image(), run.stream, Candidates::new(run))?;
    for (steps, most) in [(&candidates.steps, CRITERIA), (&candidates.variables, VARIABLES)] {
        let every = (steps.len() / most).max(1);
        let chosen = steps.iter().rev().step_by(every);
        criteria.extend(chosen.map(|&at| Criterion::of_step(at, vec![Wish::Operands, Wish::Execution])));
    }
    Ok(criteria)
}

/// Steps that may be asked about.
struct Candidates<'a, 'r> {
    run: &'a Run<'r>,
    steps: Vec<Step>,
    /// Those that read or assign a variable, in functions of the program's own.
    variables: Vec<Step>,
}

impl<'a, 'r> Candidates<'a, 'r> {
    fn new(run: &'a Run<'r>) -> Candidates<'a, 'r> {
        Candidates { run, steps: Vec::new(), variables: Vec::new() }
    }
}

impl Observer for Candidates<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        let at = step.step();
        match step.instruction().op {
            Op::Store { .. } | Op::Load { .. } if !self.run.functions.is_twin(at.site.function) => {
                self.variables.push(at)
            }
            Op::Store { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Binary { .. } | Op::Return { .. } => {
                self.steps.push(at);
            }
            _ => {}
        }
    }
}

/// Not solved yet: where `setcontext` goes back on the same stack, the walk takes its call for what the steps behind depend
/// on, and the whole graph that of `getcontext`.
const UNSOLVED: &[&str] = &["replay/context_returns_again"];

/// Only what is known to be too long may be so.
fn settle(looked: Looked, may_be_long: bool) -> Result<()> {
    match looked {
        Looked::Same if may_be_long => bail!("this is not too long any more: take it from the list"),
        Looked::Same => Ok(()),
        Looked::TooLong(_) if may_be_long => Ok(()),
        Looked::TooLong(steps) => bail!("{steps} steps are too many to keep; if that is meant, put it on the list"),
    }
}

fn fixture(tools: &Tools, fixture: &Fixture) -> Result<()> {
    if Build::Faultline0.is_left_out_by(fixture) {
        return Ok(());
    }
    let (recording, _folder) = recorded(tools, fixture, Build::Faultline0)?;
    if UNSOLVED.contains(&fixture.name().as_str()) {
        ensure!(check(&recording).is_err(), "this comes out right now: take it from the list");
        return Ok(());
    }
    settle(check(&recording)?, LONG.contains(&fixture.name().as_str()))
}

fn random(tools: &Tools, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = csmith::generate_small(seed, folder.path())?;
    let program = csmith::build(tools, &source, Build::Faultline0, folder.path())?;
    let recording = folder.path().join("recording.flt");
    record(tools, &program, &recording)?;
    let looked = check(&recording).with_context(|| format!("csmith seed {seed}"))?;
    settle(looked, LONG_SEEDS.contains(&seed))
}

fn record(tools: &Tools, program: &Path, recording: &Path) -> Result<()> {
    let mut command = Command::new(&tools.faultline);
    // Some never end.
    command.args(["record", "--time-limit", "5", "-o"]).arg(recording).arg("--").arg(program);
    testkit::run(&mut command, b"", Duration::from_secs(60))?;
    ensure!(recording.exists(), "nothing was recorded");
    Ok(())
}

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["transparency", "replay", "execution/facts"] {
        for one in fixtures(folder)? {
            trials.push(Trial::test(one.name(), move || {
                Tools::find().and_then(|tools| fixture(&tools, &one)).map_err(|error| format!("{error:#}").into())
            }));
        }
    }
    for folder in changed::cases()? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        trials.push(Trial::test(format!("changed/{name}"), move || {
            Tools::find()
                .and_then(|tools| changed::changed(&tools, &folder))
                .map_err(|error| format!("{error:#}").into())
        }));
    }
    for seed in csmith::seeds(10) {
        trials.push(Trial::test(format!("csmith/{seed}"), move || {
            Tools::find().and_then(|tools| random(&tools, seed)).map_err(|error| format!("{error:#}").into())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
