//! `./x fuzz`: bad input for everything that reads files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use testkit::Verdict;
use testkit::fuzz::{Target, read_one, target};

#[derive(clap::Args)]
pub struct Arguments {
    /// recording, plan, saved-ir or suite [default: all]
    target: Vec<String>,
    /// Inputs for each target
    #[arg(long, default_value_t = 100_000)]
    inputs: u64,
    /// What chance begins with [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// The first input
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Read this one input, in this process, and nothing else
    #[arg(long, value_name = "FILE")]
    only: Option<PathBuf>,
}

pub fn fuzz(arguments: &Arguments) -> Result<Verdict> {
    let named: Vec<Target> = arguments.target.iter().map(|name| target(name)).collect::<Result<_>>()?;
    let targets = if named.is_empty() { Target::ALL.to_vec() } else { named };
    if let Some(path) = &arguments.only {
        let input = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        targets.iter().try_for_each(|target| read_one(*target, &input))?;
        return Ok(Verdict::Holds);
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seed = arguments.seed.unwrap_or(now.as_nanos() as u64);
    println!("seed {seed}");
    let mut verdict = Verdict::Holds;
    for target in targets {
        let begun = Instant::now();
        let mut told = Instant::now();
        let report = testkit::fuzz::fuzz(target, seed, arguments.first, arguments.inputs, &mut |done| {
            if told.elapsed() > Duration::from_secs(30) {
                eprintln!("{}: {done} of {}", target.name(), arguments.inputs);
                told = Instant::now();
            }
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{}: {} inputs in {seconds:.0} s: {} panics, {} aborts, {} hangs; {} that LLVM does not survive were refused",
            target.name(),
            report.inputs,
            report.panics,
            report.aborts,
            report.hangs,
            report.contained
        );
        for path in &report.kept {
            println!("  {}", path.display());
        }
        if !report.is_clean() {
            verdict = Verdict::DoesNotHold;
        }
    }
    Ok(verdict)
}
