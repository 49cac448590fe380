//! `bench causes`: what fast passes save on causal paths. Each path is computed with them and once more without, where
//! re-execution shows every step; it must be the same path.
//!
//! Two kinds of runs: programs that a switch repairs, and faults of the evaluation beside their right version.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use budget::Budget;
use evaluation::{Regression, regressions};
use experiment::{Case, Lab, Limits, Oracle};
use techniques::causes::{
    Again, Compared, Differences, FastPasses, Path as CausalPath, Trials, path, repairs, with_repaired, with_version,
};
use techniques::{Means, Notebook, Subject, TechniqueError, with_subject};
use tempfile::TempDir;
use testkit::{Tools, Verdict, workspace};

/// Seconds for a program.
const BUDGET: u64 = 120;
/// Experiments for one path; longer ones are left out.
const MOST: u64 = 200;

#[derive(clap::Args)]
pub struct Arguments {
    /// Every N-th fault of the evaluation
    #[arg(long, value_name = "N", default_value_t = 5)]
    every: usize,
}

/// One path, computed in one of the two ways.
struct Measured {
    path: CausalPath,
    experiments: u64,
    seconds: f64,
}

/// With fast passes, and without.
type Both = (Measured, Measured);

pub fn causes(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    println!("{:<28} {:>5} {:>12} {:>12} {:>8}", "program", "steps", "experiments", "without", "ratio");
    let (mut same, mut others) = (Vec::new(), 0);
    let mut add = |name: &str, measured: Option<Both>| {
        let Some((with, without)) = measured else { return };
        let (ratio, steps) = (without.seconds / with.seconds, with.path.steps.len());
        println!("{name:<28} {steps:>5} {:>12} {:>12} {ratio:>7.1}×", with.experiments, without.experiments);
        if steps_of(&with.path) == steps_of(&without.path) {
            same.push((with, without));
        } else {
            println!("{name}: another path without fast passes");
            others += 1;
        }
    };
    for folder in fixtures()? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add(&name, repaired(&tools, &folder)?);
    }
    for regression in regressions(&tools, arguments.every)? {
        add(&regression.name, beside_the_right_version(&regression)?);
    }
    let total = |part: fn(&Both) -> f64| same.iter().map(part).sum::<f64>();
    let (with, without) = (total(|both| both.0.seconds), total(|both| both.1.seconds));
    let (few, all) = (total(|both| both.0.experiments as f64), total(|both| both.1.experiments as f64));
    println!("{} paths the same, {others} others", same.len());
    println!("experiments: {few} with fast passes, {all} without; time: {:.2}× without them", without / with);
    Ok(if others == 0 && !same.is_empty() { Verdict::Holds } else { Verdict::DoesNotHold })
}

fn steps_of(path: &CausalPath) -> Vec<(u32, Vec<u32>)> {
    path.steps.iter().map(|step| (step.id.0, step.sources.iter().map(|source| source.0).collect())).collect()
}

/// Programs that fail, of all techniques.
fn fixtures() -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for technique in std::fs::read_dir(workspace().join("tests/locate"))? {
        for case in std::fs::read_dir(technique?.path())? {
            all.push(case?.path());
        }
    }
    all.sort();
    Ok(all)
}

/// None if no switch repairs it, or the path takes too many experiments.
fn repaired(tools: &Tools, folder: &Path) -> Result<Option<Both>> {
    let built = TempDir::new()?;
    let program = built.path().join("program");
    let mut compiler = Command::new(&tools.cc);
    compiler.args(["-g", "-w", "-O2"]).arg(folder.join("program.c")).arg("-o").arg(&program);
    let compiled = compiler.status()?;
    ensure!(compiled.success(), "{} does not compile", folder.display());
    let case = Case::new(&program, Vec::new())?.with_input_file(&folder.join("input"))?;
    let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
    asked(case, oracle, |subject| {
        let repairs = repairs(subject, 1)?;
        let Some(by) = repairs.all.first() else { return Ok(None) };
        both(|passes| with_repaired(subject, by, |differences, again| one(subject, differences, again, passes)))
    })
}

fn beside_the_right_version(regression: &Regression) -> Result<Option<Both>> {
    let args = regression.test.args.iter().map(OsString::from).collect();
    let mut case = Case::new(&regression.faulty, args)?;
    if let Some(input) = &regression.test.stdin {
        case = case.with_input_file(input)?;
    }
    let oracle = Oracle { output: Some(regression.expected.clone()), status: Some(0), ..Oracle::default() };
    asked(case, oracle, |subject| {
        let right = &regression.right;
        both(|passes| with_version(subject, right, |differences, again| one(subject, differences, again, passes)))
    })
}

/// None if there is nothing to ask about.
fn asked(
    case: Case,
    oracle: Oracle,
    ask: impl FnOnce(&Subject<'_, '_>) -> Result<Option<Both>, TechniqueError>,
) -> Result<Option<Both>> {
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let Ok(lab) = Lab::open(case, oracle, limits) else { return Ok(None) };
    let (budget, notebook) = (Budget::of(Duration::from_secs(BUDGET)), Notebook::default());
    let means = Means::within(&budget, &notebook);
    Ok(with_subject(&lab, means, ask)?)
}

/// Both ways, each from the beginning. What only the first run of all has to do is done before either.
fn both(
    compute: impl Fn(FastPasses) -> Result<Compared<Measured>, TechniqueError>,
) -> Result<Option<Both>, TechniqueError> {
    compute(FastPasses::Taken)?;
    let (with, without) = (compute(FastPasses::Taken)?, compute(FastPasses::Never)?);
    Ok(match (with, without) {
        (Compared::Done(with), Compared::Done(without)) if !with.path.is_cut_short && !without.path.is_cut_short => {
            Some((with, without))
        }
        _ => None,
    })
}

fn one(
    subject: &Subject<'_, '_>,
    differences: &Differences<'_, '_>,
    again: &Again<'_>,
    passes: FastPasses,
) -> Result<Measured, TechniqueError> {
    let begun = Instant::now();
    let mut trials = Trials { subject, differences, again, made: 0 };
    let path = path(&mut trials, passes, MOST)?;
    Ok(Measured { path, experiments: trials.made, seconds: begun.elapsed().as_secs_f64() })
}
