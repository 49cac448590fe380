//! The choice that led to where a run ended, and its ways that lead elsewhere.

use abi::BlockId;
use execution::{Run, steps};
use program::{Edge, Op};
use replay::{ReplayError, Step};

use crate::path::Way;

/// A choice, and those of its ways that would have been right.
pub(super) struct Guard {
    pub at: Step,
    pub ways: Vec<Way>,
}

/// The ways of a choice, each with the block it leads to.
pub(super) fn ways(op: &Op) -> Vec<(Way, BlockId)> {
    match op {
        Op::Branch { then, otherwise, .. } => vec![(Way::Branch(true), *then), (Way::Branch(false), *otherwise)],
        Op::Switch { default, cases, .. } => {
            let targets = cases.iter().map(|case| case.1).chain([*default]);
            (0..).map(Way::Case).zip(targets).collect()
        }
        _ => Vec::new(),
    }
}

/// Of the function that the run ended in, or of the nearest one on the stack whose call hinged on a choice.
pub(super) fn of_end(run: &Run<'_>) -> Result<Option<Guard>, ReplayError> {
    let stack = run.stack_after(run.last_window());
    for (below, (site, _)) in stack.iter().enumerate().rev() {
        let depth = below + 1;
        let shape = run.functions.shape(site.function);
        let block = shape.block_of(site.instruction);
        let edges = shape.control.parents(block);
        if edges.is_empty() {
            continue;
        }
        let last = steps::last(run, |step| {
            if step.depth != depth || step.site().function != site.function {
                return false;
            }
            let op = &step.instruction().op;
            let (Op::Branch { condition: tested, .. } | Op::Switch { value: tested, .. }) = op else { return false };
            let words = step.went_on_with(tested);
            let from = shape.block_of(step.id());
            taken(op, words).is_some_and(|to| edges.contains(&Edge { from, to }))
        })?;
        let Some(at) = last else { continue };
        let from = shape.block_of(at.site.instruction);
        let leads_elsewhere = |to: BlockId| !shape.control.controlled_by(Edge { from, to }).contains(&block);
        let all = ways(&run.functions.instruction(at.site).op);
        let ways = all.into_iter().filter(|(_, to)| leads_elsewhere(*to)).map(|(way, _)| way).collect();
        return Ok(Some(Guard { at, ways }));
    }
    Ok(None)
}

/// Where control goes.
fn taken(op: &Op, words: &[u64]) -> Option<BlockId> {
    let word = words.first().copied().unwrap_or(0);
    match op {
        Op::Branch { then, otherwise, .. } => Some(if word & 1 != 0 { *then } else { *otherwise }),
        Op::Switch { default, cases, .. } => {
            Some(cases.iter().find(|case| case.0 == word).map_or(*default, |case| case.1))
        }
        _ => None,
    }
}

/// Any way of a choice would have been right but the one that was taken, for which the shadow has no term among the others.
pub(super) fn others(run: &Run<'_>, at: Step) -> Guard {
    Guard { at, ways: ways(&run.functions.instruction(at.site).op).into_iter().map(|(way, _)| way).collect() }
}
