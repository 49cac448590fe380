//! Outcomes of conditions: what a condition led to, and whether that ended a loop.

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

/// Whether a predicate left the innermost loop it stands in.
pub fn is_end_of_loop(run: &Run<'_>, predicate: &Predicate) -> bool {
    let shape = run.functions.shape(predicate.at.function);
    let inner = shape.loops.innermost(shape.block_of(predicate.at.instruction));
    inner.zip(taken(run, predicate)).is_some_and(|(inner, to)| !shape.loops.contains(inner, to))
}

/// The first line that ran because of a predicate, and for no other reason: a `break` is one, though it is no step.
pub fn arm(run: &Run<'_>, predicate: &Predicate) -> Option<Location> {
    let key = predicate.at.function;
    let (function, shape) = (run.functions.function(key), run.functions.shape(key));
    let to = taken(run, predicate)?;
    let [_] = shape.cfg.predecessors(to) else { return None };
    let block = &function.blocks[to.0 as usize];
    let ids = (block.first.0..block.end.0).map(abi::InstructionId);
    let has_place = |id: &abi::InstructionId| function.instruction(*id).location.is_some_and(|own| own.line > 0);
    let first = ids.into_iter().find(has_place)?;
    let condition = site_location(run, key, predicate.at.instruction)?;
    site_location(run, key, first).filter(|place| (&place.file, place.line) != (&condition.file, condition.line))
}
