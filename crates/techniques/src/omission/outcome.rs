//! Outcomes of conditions: what a condition led to, and whether that ended a loop.

use std::collections::HashSet;

use abi::InstructionId;
use execution::Run;
use execution::predicates::Predicate;
use findings::Location;
use program::{BlockId, Op};

use crate::place::site_location;

/// The block that a predicate went on with.
pub fn taken(run: &Run<'_>, predicate: &Predicate) -> Option<BlockId> {
    Some(match &run.functions.function(predicate.at.function).instruction(predicate.at.instruction).op {
        Op::Branch { then, otherwise, .. } => {
            if predicate.value != 0 {
                *then
            } else {
                *otherwise
            }
        }
        Op::Switch { default, cases, .. } => {
            cases.iter().find(|(value, _)| *value == predicate.value).map_or(*default, |(_, to)| *to)
        }
        _ => return None,
    })
}

/// Whether a predicate is the condition of a loop, and ended it. What leaves a loop in its middle is another matter.
pub fn is_end_of_loop(run: &Run<'_>, predicate: &Predicate) -> bool {
    let shape = run.functions.shape(predicate.at.function);
    let block = shape.block_of(predicate.at.instruction);
    let inner = shape.loops.innermost(block);
    inner.zip(taken(run, predicate)).is_some_and(|(inner, to)| {
        let header = shape.loops.header(inner);
        let is_condition = block == header || shape.cfg.successors(block).contains(&header);
        is_condition && !shape.loops.contains(inner, to)
    })
}

/// Lines of what ran because of a predicate that are told.
const MOST_LINES: usize = 3;

/// The first lines that ran because of a predicate, and for no other reason: a `break` is one, though it is no step.
pub fn arm(run: &Run<'_>, predicate: &Predicate) -> Vec<Location> {
    let key = predicate.at.function;
    let (function, shape) = (run.functions.function(key), run.functions.shape(key));
    let to = taken(run, predicate).filter(|to| shape.cfg.predecessors(*to).len() == 1);
    let Some((to, condition)) = to.zip(site_location(run, key, predicate.at.instruction)) else { return Vec::new() };
    let block = &function.blocks[to.0 as usize];
    let ids = (block.first.0..block.end.0).map(InstructionId);
    let own = ids.filter(|id| function.instruction(*id).location.is_some_and(|own| own.line > 0));
    let mut lines = HashSet::from([condition.line]);
    let places = own.filter_map(|id| site_location(run, key, id));
    places.filter(|place| place.file == condition.file && lines.insert(place.line)).take(MOST_LINES).collect()
}
