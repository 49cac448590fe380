//! Potential dependences by their definition (1 of Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission
//! Errors*): of each use, all branches between it and the definition that reached it are asked.
//!
//! And summary control dependences by theirs (3.1 of Li, Li, Huo and Feng, *Locating Software Faults Based on Minimum Debugging
//! Frontier Set*): of each use, all branches of its own call, with the three conditions one by one.

use std::collections::HashMap;

use execution::Functions;
use program::potential::{Place, Potential, Use};
use program::{Edge, FunctionKey, Op, Site};

use crate::bytes::Maker;

/// A use, and when what it found was defined.
pub struct Wait {
    pub site: Site,
    /// Numbers of steps.
    pub since: u32,
    pub until: u32,
    /// The call whose local it is, if it is one's.
    pub call: Option<u32>,
    /// The call it is in.
    pub within: u32,
}

/// A branch that was executed.
pub struct Passed {
    pub step: u32,
    pub call: u32,
    pub function: FunctionKey,
    pub taken: Edge,
    pub maker: Maker,
}

/// What was asked before: whether a use may read what an edge leads to.
#[derive(Default)]
pub struct Answers {
    potential: HashMap<(Site, bool, FunctionKey, Edge), bool>,
    summary: HashMap<(Site, Edge), bool>,
}

impl Answers {
    /// The branches a use potentially depends on.
    pub fn branches<'a>(
        &mut self,
        functions: &Functions<'_>,
        potential: &Potential<'_>,
        wait: &Wait,
        passed: &'a [Passed],
    ) -> Vec<&'a Passed> {
        let first = passed.partition_point(|branch| branch.step < wait.since);
        let end = passed.partition_point(|branch| branch.step < wait.until);
        let between = passed.get(first..end).unwrap_or_default().iter();
        let asked = between
            .filter(|branch| wait.call.is_none_or(|call| call == branch.call))
            .filter(|branch| !functions.is_twin(branch.function));
        asked.filter(|branch| self.could_define(functions, potential, wait, branch)).collect()
    }

    fn could_define(
        &mut self,
        functions: &Functions<'_>,
        potential: &Potential<'_>,
        wait: &Wait,
        branch: &Passed,
    ) -> bool {
        let shape = functions.shape(branch.function);
        let mut others = shape.cfg.successors(branch.taken.from).iter().filter(|&&to| to != branch.taken.to);
        others.any(|&to| {
            let untaken = Edge { from: branch.taken.from, to };
            let question = (wait.site, wait.call.is_some(), branch.function, untaken);
            *self.potential.entry(question).or_insert_with(|| {
                let at = if wait.call.is_some() { Use::Here(wait.site.instruction) } else { Use::Elsewhere };
                !potential.definitions_if_taken(branch.function, untaken, &read(potential, wait), at).is_empty()
            })
        })
    }
}

impl Answers {
    /// The branches on which a use has a summary control dependence.
    pub fn summaries<'a>(
        &mut self,
        functions: &Functions<'_>,
        potential: &Potential<'_>,
        wait: &Wait,
        passed: &'a [Passed],
    ) -> Vec<&'a Passed> {
        if functions.is_twin(wait.site.function) {
            return Vec::new();
        }
        let first = passed.partition_point(|branch| branch.step < wait.since);
        let end = passed.partition_point(|branch| branch.step < wait.until);
        let between = passed.get(first..end).unwrap_or_default().iter();
        let own = between.filter(|branch| branch.call == wait.within);
        own.filter(|branch| self.decides(functions, potential, wait, branch.taken)).collect()
    }

    fn decides(&mut self, functions: &Functions<'_>, potential: &Potential<'_>, wait: &Wait, taken: Edge) -> bool {
        let known = self.summary.entry((wait.site, taken));
        *known.or_insert_with(|| {
            let function = wait.site.function;
            let shape = functions.shape(function);
            let block = shape.block_of(wait.site.instruction);
            // 1) The use is not control dependent on the branch, not through others either.
            let (mut open, mut seen) = (vec![block], vec![block]);
            while let Some(block) = open.pop() {
                for edge in shape.control.parents(block) {
                    if edge.from == taken.from {
                        return false;
                    }
                    if !seen.contains(&edge.from) {
                        seen.push(edge.from);
                        open.push(edge.from);
                    }
                }
            }
            // 2) A path from the branch has an assignment that reaches the use, and 3) it was not executed as the branch went.
            let others = shape.cfg.successors(taken.from).iter().filter(|&&to| to != taken.to);
            let mut edges = others.map(|&to| Edge { from: taken.from, to });
            let (at, read) = (Use::Here(wait.site.instruction), read(potential, wait));
            edges.any(|edge| !potential.definitions_if_taken(function, edge, &read, at).is_empty())
        })
    }
}

/// The places a use may read.
fn read(potential: &Potential<'_>, wait: &Wait) -> Vec<Place> {
    let instruction = potential.function(wait.site.function).instruction(wait.site.instruction);
    match &instruction.op {
        Op::Load { address, .. } => potential.places(wait.site.function, address, Some(instruction.ty.store_size())),
        Op::Call(call) => potential.places(wait.site.function, &call.arguments[1], None),
        other => unreachable!("{other:?} reads no memory"),
    }
}
