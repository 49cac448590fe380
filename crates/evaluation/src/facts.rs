//! What is measured of a failing run once, whatever techniques answer: the lines it executed, and the dependences of the
//! program. Like answers, facts are kept on disk, and they know nothing of where the fault is.

use std::collections::BTreeSet;

use anyhow::Result;
use execution::dependence::Follow;
use execution::slice::{Reach, Request};
use serde::{Deserialize, Serialize};
use source::lines::line_of;
use testkit::Tools;

use crate::dependence_graph::{DependenceGraph, dependence_graph};
use crate::failing_run::{FailingRun, with_failing_run};
use crate::technique::Question;

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Facts {
    pub made_from: String,
    /// Lines of the program that the failing run executed.
    pub executed: usize,
    pub slices: Option<Slices>,
    /// None for a program of several files.
    pub graph: Option<DependenceGraph>,
}

/// The sizes of the failure's plain dynamic slice and of its relevant one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Slices {
    pub plain: Size,
    pub relevant: Size,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Size {
    /// Of the program.
    pub lines: usize,
    pub steps: u64,
}

/// How far back slices of a run that does not end are measured: it makes a billion steps, each much like the one before.
const HANG: Reach = Reach(5_000_000);

pub fn facts(tools: &Tools, question: &Question<'_>, source: &str, made_from: String) -> Result<Facts> {
    with_failing_run(tools, question, source, |failing| {
        let executed = failing.executed(u64::MAX)?.len();
        Ok(Facts { made_from, executed, slices: slices(failing)?, graph: Some(dependence_graph(failing)?) })
    })
}

fn slices(failing: &FailingRun<'_, '_>) -> Result<Option<Slices>> {
    let Some(criterion) = &failing.criterion else { return Ok(None) };
    let potential = failing.run.potential()?;
    let reach = if failing.reach == Reach::ALL { Reach::ALL } else { HANG };
    let size = |follow| {
        let found = Request::of(criterion).within(reach).slice(failing.run, follow, 0)?;
        let mut lines = BTreeSet::new();
        for (&key, sites) in &found.counts {
            let (module, function) = (failing.run.functions.module(key)?, failing.run.functions.function(key));
            for (instruction, _) in function.instructions.iter().zip(sites).filter(|(_, count)| **count > 0) {
                let line = instruction.location.and_then(|location| line_of(module, location));
                lines.extend(line.filter(|line| failing.is_ours(&line.file)));
            }
        }
        Ok::<Size, anyhow::Error>(Size { lines: lines.len(), steps: found.steps })
    };
    let plain = size(Follow::DataAndControl)?;
    let relevant = size(Follow::Relevant(&potential))?;
    Ok(Some(Slices { plain, relevant }))
}
