//! Slices by walking backwards are those of the stored whole graph, from many steps of many programs.

mod whole_graph;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use abi::StreamId;
use anyhow::{Context, Result, ensure};
use execution::Run;
use execution::criterion::Criterion;
use execution::dependence::{Follow, Wish};
use execution::slice::slice;
use libtest_mimic::{Arguments, Trial};
use program::Op;
use recording::Recording;
use replay::Image;
use testkit::{Build, Fixture, Tools, compile, csmith, fixtures};
use whole_graph::WholeGraph;

/// Steps from which slices are taken, of each program.
const CRITERIA: usize = 6;
/// Larger runs make graphs that are no fun to keep.
const MOST_STEPS: usize = 300_000;

fn check(recording: &Path) -> Result<()> {
    let recording = Recording::open(recording)?;
    let image = Image::new(&recording);
    // Small windows, so that there are many borders.
    let run = Run::with_windows(&image, StreamId(1), 500)?;
    if run.summary.instructions > MOST_STEPS as u64 {
        return Ok(());
    }
    let (_, graph) = replay::replay(&image, StreamId(1), WholeGraph::new(&run.functions))?;
    if graph.has_variable_arguments {
        return Ok(());
    }
    let is_criterion = |step: &u32| {
        let at = graph.steps[*step as usize];
        let op = &run.functions.function(at.function).instruction(at.instruction).op;
        matches!(op, Op::Store { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Binary { .. } | Op::Return { .. })
    };
    let candidates: Vec<u32> = (0..graph.steps.len() as u32).filter(is_criterion).collect();
    let every = (candidates.len() / CRITERIA).max(1);
    for &step in candidates.iter().rev().step_by(every) {
        let at = graph.steps[step as usize];
        let criterion = Criterion::Step { at, wishes: vec![Wish::Operands, Wish::Execution] };
        for follow in [Follow::Data, Follow::DataAndControl] {
            let found = slice(&run, &criterion, follow, 0)?;
            let mut counts = BTreeMap::new();
            for (&key, sites) in &found.counts {
                for (site, &count) in (0..).zip(sites).filter(|(_, count)| **count > 0) {
                    counts.insert((key, abi::InstructionId(site)), count);
                }
            }
            let expected = graph.slice(step, follow);
            if counts != expected {
                let differing = counts.iter().filter(|(site, count)| expected.get(site) != Some(count));
                let missing = expected.iter().filter(|(site, _)| !counts.contains_key(site));
                let tell = |((key, id), count): (&(execution::FunctionKey, abi::InstructionId), &u32)| {
                    let function = run.functions.function(*key);
                    let text = run.functions.module(*key).map(|m| m.instruction_text(function, *id).to_string());
                    let other = [counts.get(&(*key, *id)), expected.get(&(*key, *id))];
                    format!("{count} {other:?} {}: {}", function.name, text.unwrap_or_default())
                };
                let text: Vec<_> = differing.map(tell).chain(missing.map(tell)).take(12).collect();
                anyhow::bail!("{follow:?} from {at:?}: walked against whole graph:\n{}", text.join("\n"));
            }
        }
    }
    Ok(())
}

fn fixture(tools: &Tools, fixture: &Fixture) -> Result<()> {
    if Build::Faultline0.is_left_out_by(fixture) {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let program = compile(tools, fixture, Build::Faultline0, folder.path())?;
    let recording = folder.path().join("recording.flt");
    record(tools, &program, &fixture.arguments, &fixture.input, &recording)?;
    check(&recording)
}

fn random(tools: &Tools, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = csmith::generate_small(seed, folder.path())?;
    let program = csmith::build(tools, &source, Build::Faultline0, folder.path())?;
    let recording = folder.path().join("recording.flt");
    record(tools, &program, &[], b"", &recording)?;
    check(&recording).with_context(|| format!("csmith seed {seed}"))
}

fn record(tools: &Tools, program: &Path, arguments: &[String], input: &[u8], recording: &Path) -> Result<()> {
    let mut command = Command::new(&tools.faultline);
    command.args(["record", "--time-limit", "20", "-o"]).arg(recording).arg("--").arg(program).args(arguments);
    testkit::run(&mut command, input, Duration::from_secs(60))?;
    ensure!(recording.exists(), "nothing was recorded");
    Ok(())
}

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["transparency", "replay"] {
        for one in fixtures(folder)? {
            trials.push(Trial::test(one.name(), move || {
                Tools::find().and_then(|tools| fixture(&tools, &one)).map_err(|error| format!("{error:#}").into())
            }));
        }
    }
    let seeds = std::env::var("FAULTLINE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    for seed in 1..=seeds {
        trials.push(Trial::test(format!("csmith/{seed}"), move || {
            Tools::find().and_then(|tools| random(&tools, seed)).map_err(|error| format!("{error:#}").into())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
