//! Bad input by the million: what a file holds that is not as we have written it must never make faultline panic, abort or
//! hang.
//!
//! In: a target (a kind of file and the code that reads it), a seed, a number of inputs. Out: how many inputs there were
//! and which did harm. Inputs are made from valid ones by [`chance`], each from its own number, so that one can be made again
//! alone. They are read in children, some thousands by each, so that an abort or a crash is seen and counted as well; the
//! page that a child shares with its parent says which input it is at.

pub mod chance;
mod children;
mod plan;
mod recording;
mod saved_ir;
mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

pub use chance::Chance;
pub use plan::read as read_plan;
pub use recording::read as read_recording;
pub use saved_ir::{forged as forged_ir, read as read_saved_ir};

use crate::tools::{Tools, workspace};
use children::{Harm, run_all};

/// What is fed with bad input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The file of a recording: reading it, showing it, and replaying it.
    Recording,
    /// What is changed in a run, as a recording carries it.
    Plan,
    /// The IR a binary carries: reading it into the model, by LLVM where the hash is right.
    SavedIr,
    /// A list of tests.
    Suite,
}

impl Target {
    pub const ALL: [Target; 4] = [Target::Recording, Target::Plan, Target::SavedIr, Target::Suite];

    pub fn name(self) -> &'static str {
        match self {
            Target::Recording => "recording",
            Target::Plan => "plan",
            Target::SavedIr => "saved-ir",
            Target::Suite => "suite",
        }
    }
}

/// Makes inputs from valid ones, and reads them as the tools do.
trait Subject {
    /// The input of this number, always the same.
    fn input(&self, chance: &mut Chance) -> Vec<u8>;
    /// Reads it as the tools do. Refusing it is right; panicking is not.
    fn read(&self, input: &[u8]);
    /// What is read in place of [`Subject::read`] when there are many, if that may kill the child; then what was killed by
    /// it is given to `read` as well, which must not be.
    fn read_unguarded(&self, _: &[u8]) -> Option<()> {
        None
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub inputs: u64,
    pub panics: u64,
    pub aborts: u64,
    pub hangs: u64,
    /// Inputs that a library of others does not survive, each refused by us.
    pub contained: u64,
    /// The inputs that did harm.
    pub kept: Vec<PathBuf>,
}

impl Report {
    pub fn is_clean(&self) -> bool {
        self.panics + self.aborts + self.hangs == 0
    }
}

/// An input that takes longer hangs.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Where what is suspected is read once more, behind a guard: nothing is lost by suspecting too early.
const PATIENCE_WITHOUT_GUARD: Duration = Duration::from_secs(3);

/// What makes a library turn for ever is ended by our guard after some seconds of processor time, for the code and for the
/// debug information; on a busy machine these last.
const PATIENCE_BEHIND_GUARD: Duration = Duration::from_secs(120);

/// Feeds a target. Inputs `first..first + count` of the seed.
pub fn fuzz(target: Target, seed: u64, first: u64, count: u64, tell: &mut dyn FnMut(u64)) -> Result<Report> {
    let subject: Box<dyn Subject> = match target {
        Target::Recording => Box::new(recording::Recordings::new(&Tools::find()?)?),
        Target::Plan => Box::new(plan::Plans::new()),
        Target::SavedIr => Box::new(saved_ir::Modules::new(&Tools::find()?)?),
        Target::Suite => Box::new(suite::Suites::new()?),
    };
    let input = |number: u64| subject.input(&mut Chance::new(seed, number));
    let unguarded = |number: u64| match subject.read_unguarded(&input(number)) {
        Some(()) => {}
        None => subject.read(&input(number)),
    };
    let is_guarded = subject.read_unguarded(&[]).is_none();
    let mut report = Report { inputs: count, ..Report::default() };
    let patience = if is_guarded { PATIENCE } else { PATIENCE_WITHOUT_GUARD };
    let mut suspects = run_all(first..first + count, patience, &unguarded, tell)?;
    if !is_guarded {
        report.contained = suspects.len() as u64;
        // What a library does not survive must be harmless behind our guard.
        let mut harmful = Vec::new();
        for (number, _) in suspects {
            let read = |number| subject.read(&input(number));
            harmful.extend(run_all(number..number + 1, PATIENCE_BEHIND_GUARD, &read, &mut |_| {})?);
        }
        report.contained -= harmful.len() as u64;
        suspects = harmful;
    }
    for (number, harm) in suspects {
        match harm {
            Harm::Panic => report.panics += 1,
            Harm::Death => report.aborts += 1,
            Harm::Hang => report.hangs += 1,
        }
        report.kept.push(keep(target, seed, number, &input(number))?);
    }
    Ok(report)
}

/// Reads the input in this process, for who wants to see what it does.
pub fn read_one(target: Target, input: &[u8]) -> Result<()> {
    match target {
        Target::Recording => recording::read(input),
        Target::Plan => plan::read(input),
        Target::SavedIr => saved_ir::read(input),
        Target::Suite => suite::Suites::new()?.read(input),
    }
    Ok(())
}

/// Builds a program of ours.
fn build(tools: &Tools, folder: &Path, source: &str) -> Result<PathBuf> {
    let (file, program) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&file, source)?;
    let compiler = Command::new(&tools.cc).arg("-g").arg(&file).arg("-o").arg(&program).arg("-pthread").status()?;
    anyhow::ensure!(compiler.success(), "the program to begin with does not compile");
    Ok(program)
}

fn keep(target: Target, seed: u64, number: u64, input: &[u8]) -> Result<PathBuf> {
    let folder = workspace().join("target/fuzz");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(format!("{}-{seed}-{number}", target.name()));
    std::fs::write(&path, input).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// The target of that name.
pub fn target(name: &str) -> Result<Target> {
    match Target::ALL.into_iter().find(|target| target.name() == name) {
        Some(target) => Ok(target),
        None => bail!("there are the targets {}", Target::ALL.map(Target::name).join(", ")),
    }
}
