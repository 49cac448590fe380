//! Potential dependences by their definition (1 of Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission
//! Errors*): of each use, all branches between it and the definition that reached it are asked.

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
pub struct Answers(HashMap<(Site, bool, FunctionKey, Edge), bool>);

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
            *self.0.entry(question).or_insert_with(|| {
                let at = if wait.call.is_some() { Use::Here(wait.site.instruction) } else { Use::Elsewhere };
                !potential.definitions_if_taken(branch.function, untaken, &read(potential, wait), at).is_empty()
            })
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
