//! Faults of ours in programs of other people, which are fetched from Debian: `eval --real` and `eval --mistakes`.
//!
//! A fault is a small patch and a run that shows it. What the run should do is what the right version does.

mod fault;
mod version;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use testkit::{Ending, Tools, Verdict, workspace};

use crate::facts::Facts;
use crate::folder::folder;
use crate::row::Row;
use crate::session::{Asking, tools_now};
use crate::technique::{Expected, Question, Technique};
use fault::{RealFault, read_faults};

/// Seconds for a run.
const TIMEOUT: u64 = 10;

/// Which faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    Real,
    /// Made by somebody who had not read any technique; of each kind that paper 003 lists.
    Mistakes,
}

impl Set {
    fn name(self) -> &'static str {
        match self {
            Set::Real => "real",
            Set::Mistakes => "mistakes",
        }
    }
}

/// `names`: programs, or PROGRAM/FAULT; none: all. A fault that cannot be asked about, because the program is another version or
/// does not build, is told and left out.
pub fn session(
    tools: &Tools,
    set: Set,
    techniques: &[Technique],
    names: &[String],
    budget: u32,
) -> Result<(Vec<Row>, Verdict)> {
    let mut faults = read_faults(&workspace().join("eval").join(set.name()))?;
    let full = |fault: &RealFault| format!("{}/{}", fault.program, fault.name);
    for name in names {
        ensure!(
            faults.iter().any(|fault| fault.program == *name || full(fault) == *name),
            "there is no program or fault {name}"
        );
    }
    faults.retain(|fault| names.is_empty() || names.contains(&fault.program) || names.contains(&full(fault)));
    let (mut rows, mut verdict) = (Vec::new(), Verdict::Holds);
    for fault in &faults {
        match one(tools, set, fault, techniques, budget) {
            Ok(asked) => {
                rows.extend(asked);
                match fault.kind {
                    Some(kind) => eprintln!("{} ({kind:?})", full(fault)),
                    None => eprintln!("{}", full(fault)),
                }
            }
            Err(error) => {
                eprintln!("{}: {error:#}", full(fault));
                verdict = Verdict::DoesNotHold;
            }
        }
    }
    Ok((rows, verdict))
}

fn one(tools: &Tools, set: Set, fault: &RealFault, techniques: &[Technique], budget: u32) -> Result<Vec<Row>> {
    let place = folder().join(set.name()).join(&fault.name);
    let versions = version::build(tools, fault, &place)?;
    let known = versions.fault(fault)?;
    let run = fault.prepare(&place)?;
    let [right, wrong] = [&versions.right, &versions.faulty].map(|program| run.behaviour(program, fault));
    let (right, wrong) = (right?, wrong?);
    ensure!(right != wrong, "the faulty version does what the right one does");
    let Ending::Exit(status) = right.ending else { bail!("the right version: {}", right.ending) };
    let expected: PathBuf = place.join("expected");
    std::fs::write(&expected, &right.output)?;
    let mut hasher = DefaultHasher::new();
    (&known.change.text, tools_now(tools)?, budget, &right.output, &fault.args).hash(&mut hasher);
    let made_from = format!("{:016x}", hasher.finish());
    let question = Question {
        program: &versions.faulty,
        args: &fault.args,
        stdin: run.stdin.as_deref(),
        dir: Some(&run.folder),
        expected: Some(Expected { output: &expected, status }),
        suite: None,
        right: Some(&versions.right),
        timeout: TIMEOUT,
        budget,
    };
    let subject = format!("{}-{}", set.name(), fault.program);
    let asking = Asking { tools, subject: &subject, fault: &fault.name, source: &fault.file, made_from: &made_from };
    let mut rows = Vec::new();
    for technique in techniques {
        let answer = asking.answer(technique, Some(&question))?;
        // What it executed in all its files is not counted.
        rows.push(Row::new(&fault.program, &known, &technique.name, &answer, &Facts::default()));
    }
    Ok(rows)
}
