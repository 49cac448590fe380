//! `bench causes`: what fast passes save on causal paths. Each path is computed with them and once more without, where
//! re-execution shows every step; it must be the same path.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use experiment::{Case, Lab, Limits, Oracle};
use techniques::causes::{Compared, FastPasses, Path as CausalPath, Trials, path, repairs, with_repaired};
use techniques::{Means, TechniqueError, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

use crate::Verdict;

/// Seconds for a program.
const BUDGET: u64 = 120;
/// Experiments for one path; longer ones are left out.
const MOST: u64 = 200;

/// One path, computed in one of the two ways.
struct Measured {
    path: CausalPath,
    experiments: u64,
    seconds: f64,
}

pub fn causes() -> Result<Verdict> {
    let tools = Tools::find()?;
    let (mut same, mut others) = (Vec::new(), 0);
    println!("{:<28} {:>5} {:>12} {:>12} {:>8}", "program", "steps", "experiments", "without", "ratio");
    for folder in fixtures()? {
        let Some((with, without)) = measure(&tools, &folder)? else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ratio = without.seconds / with.seconds;
        let steps = with.path.steps.len();
        println!("{name:<28} {steps:>5} {:>12} {:>12} {ratio:>7.1}×", with.experiments, without.experiments);
        if steps_of(&with.path) == steps_of(&without.path) {
            same.push((with, without));
        } else {
            println!("{name}: another path without fast passes");
            others += 1;
        }
    }
    let total = |part: fn(&(Measured, Measured)) -> f64| same.iter().map(part).sum::<f64>();
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
fn measure(tools: &Tools, folder: &Path) -> Result<Option<(Measured, Measured)>> {
    let built = TempDir::new()?;
    let program = built.path().join("program");
    let mut compiler = Command::new(&tools.cc);
    compiler.args(["-g", "-w", "-O2"]).arg(folder.join("program.c")).arg("-o").arg(&program);
    let compiled = compiler.status()?;
    ensure!(compiled.success(), "{} does not compile", folder.display());
    let case = Case::new(&program, Vec::new())?.with_input_file(&folder.join("input"))?;
    let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
    let Ok(lab) = Lab::open(case, oracle, Limits { time: Duration::from_secs(1), ..Limits::default() }) else {
        return Ok(None);
    };
    let means = Means::until(Instant::now() + Duration::from_secs(BUDGET));
    let both = with_subject(&lab, means, |subject| {
        let repairs = repairs(subject, 1)?;
        let Some(by) = repairs.all.first() else { return Ok(None) };
        let compared = with_repaired(subject, by, |differences, again| {
            let computed = |passes| -> Result<Measured, TechniqueError> {
                let begun = Instant::now();
                let mut trials = Trials { subject, differences, again, made: 0 };
                let path = path(&mut trials, passes, MOST)?;
                Ok(Measured { path, experiments: trials.made, seconds: begun.elapsed().as_secs_f64() })
            };
            Ok((computed(FastPasses::Taken)?, computed(FastPasses::Never)?))
        })?;
        Ok(match compared {
            Compared::Done(both) => Some(both),
            Compared::Limit(_) => None,
        })
    })?;
    Ok(both.filter(|(with, without)| !with.path.is_cut_short && !without.path.is_cut_short))
}
