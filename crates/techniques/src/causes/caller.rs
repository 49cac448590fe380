//! The statement a reader takes a step for, where that is another one: the arrival of a parameter is told by the call, and so
//! is what happens inside a library function.

use execution::dependence::Moment;
use execution::difference::{CauseId, Name, Side, Sides, executions};
use program::{Op, Operand};

use super::differences::Differences;
use crate::TechniqueError;

/// Statements looked at for the call.
const MOST: u64 = 400;

/// The call that a step is told by; `None` for a step that speaks for itself.
pub fn caller(differences: &Differences<'_, '_>, id: CauseId) -> Result<Option<(Side, Moment)>, TechniqueError> {
    let (Some((side, at)), Some(name)) = (differences.step(id), differences.name(id)) else { return Ok(None) };
    let functions = &differences.pair.runs.of(side).functions;
    let op = |at: Moment| &functions.function(at.function).instruction(at.instruction).op;
    let is_arrival = matches!(op(at), Op::Store { value: Operand::Parameter(_), .. });
    if !is_arrival && !functions.is_twin(at.function) {
        return Ok(None);
    }
    let Some(ordinal) = differences.order.ordinal(side, name) else { return Ok(None) };
    let before: Vec<Name> =
        (ordinal.saturating_sub(MOST)..ordinal).rev().map(|earlier| differences.order.name(side, earlier)).collect();
    let moments = executions(&differences.pair, &differences.order, &before)?;
    let steps =
        before.iter().filter_map(|name| moments.get(name).and_then(|both: &Sides<Option<Moment>>| *both.of(side)));
    let is_call = |earlier: &Moment| {
        earlier.depth < at.depth
            && !functions.is_twin(earlier.function)
            && matches!(op(*earlier), Op::Call(_) | Op::Invoke { .. })
    };
    Ok(steps.into_iter().find(is_call).map(|call| (side, call)))
}
