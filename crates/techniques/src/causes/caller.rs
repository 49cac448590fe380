//! The statement a reader takes a step for, where that is another one: the arrival of a parameter is told by the call, and so
//! is what happens inside a library function.

use comparison::{CauseId, Name, Side, Sides, executions};
use program::{Function, Op, Operand};
use replay::Step;

use super::differences::Differences;
use subject::TechniqueError;

/// Statements looked at for the call: so many at first, then more, since a library function may take long.
const FIRST: u64 = 400;
const MOST: u64 = 400_000;

/// The call that a step is told by; `None` for a step that speaks for itself.
pub fn caller(differences: &Differences<'_, '_>, id: CauseId) -> Result<Option<(Side, Step)>, TechniqueError> {
    let (Some((side, at)), Some(name)) = (differences.step(id), differences.name(id)) else { return Ok(None) };
    caller_of(differences, side, name, at)
}

/// The same for any statement of either run.
pub fn caller_of(
    differences: &Differences<'_, '_>,
    side: Side,
    name: Name,
    at: Step,
) -> Result<Option<(Side, Step)>, TechniqueError> {
    let functions = &differences.pair.runs.of(side).functions;
    let op = |at: Step| &functions.instruction(at.site).op;
    let is_arrival = match op(at) {
        Op::Store { value, .. } => is_parameter(functions.function(at.site.function), value),
        _ => false,
    };
    if !is_arrival && !functions.is_twin(at.site.function) {
        return Ok(None);
    }
    let Some(ordinal) = differences.order.ordinal(side, name) else { return Ok(None) };
    let is_call = |earlier: &Step| {
        earlier.depth < at.depth
            && !functions.is_twin(earlier.site.function)
            && matches!(op(*earlier), Op::Call(_) | Op::Invoke { .. })
    };
    let (mut until, mut reach) = (ordinal, FIRST);
    while until > 0 && ordinal - until < MOST {
        let from = until.saturating_sub(reach);
        let before: Vec<Name> = (from..until).rev().map(|earlier| differences.order.name(side, earlier)).collect();
        let moments = executions(&differences.pair, &differences.order, &before)?;
        let mut steps =
            before.iter().filter_map(|name| moments.get(name).and_then(|both: &Sides<Option<Step>>| *both.of(side)));
        if let Some(call) = steps.find(is_call) {
            return Ok(Some((side, call)));
        }
        (until, reach) = (from, 4 * reach);
    }
    Ok(None)
}

/// Whether a value is a parameter as it came, or made narrower or wider.
fn is_parameter(function: &Function, value: &Operand) -> bool {
    match value {
        Operand::Parameter(_) => true,
        Operand::Result(id) => match &function.instruction(*id).op {
            Op::Cast { value, .. } => is_parameter(function, value),
            _ => false,
        },
        Operand::Constant(_) => false,
    }
}
