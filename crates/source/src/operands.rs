//! What a step used: the values that its statement loaded, as text.

use std::collections::HashMap;

use abi::InstructionId;
use program::debug::value_text;
use program::{Op, Operand, Statements, Type};
use replay::{Observed, Observer, ReplayError, Step};

use crate::sources::Sources;
use crate::told::Values;
use execution::Run;

/// Expression and value of each variable that a statement loaded, in the order of the program; each expression once.
/// What was loaded in an earlier window is left out.
pub fn operands(run: &Run<'_>, sources: &Sources<'_, '_>, at: Step) -> Result<Vec<(String, String)>, ReplayError> {
    let function = run.functions.function(at.site.function);
    let statements = Statements::of(function);
    let is_load = |id: &InstructionId| matches!(function.instruction(*id).op, Op::Load { .. });
    let loads: Vec<InstructionId> = statements.members(at.site.instruction).iter().copied().filter(is_load).collect();
    let values = Values::of_run(run, sources);
    let mut watcher =
        Watcher { at, loads: &loads, loaded: HashMap::new(), told: HashMap::new(), is_over: false, values: &values };
    for window in [run.window_at(at.clock), run.window_at(at.clock + 1)] {
        if !watcher.is_over {
            watcher = run.replay(window, watcher)?;
        }
    }
    let (module, debug) = (run.functions.module(at.site.function)?, sources.debug(at.site.function.module as usize));
    let mut told: Vec<(String, String)> = Vec::new();
    for &id in &loads {
        let expression = value_text(module, debug, function, &Operand::Result(id), None);
        if let Some(value) = watcher.told.get(&id)
            && told.iter().all(|(other, _)| *other != expression)
        {
            told.push((expression, value.clone()));
        }
    }
    Ok(told)
}

struct Watcher<'a, 's, 'r> {
    values: &'a Values<'s, 'r>,
    at: Step,
    loads: &'a [InstructionId],
    loaded: HashMap<InstructionId, (Type, Vec<u64>)>,
    told: HashMap<InstructionId, String>,
    is_over: bool,
}

impl Observer for Watcher<'_, '_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        if self.is_over || step.depth as u32 != self.at.depth {
            return;
        }
        let here = step.step();
        if here == self.at {
            self.is_over = true;
            let tell = |(id, (ty, words)): (&InstructionId, &(Type, Vec<u64>))| {
                (*id, self.values.of(step, &Operand::Result(*id), ty, words))
            };
            self.told = self.loaded.iter().map(tell).collect();
        } else if here.site.function == self.at.site.function && self.loads.contains(&here.site.instruction) {
            let ty = step.instruction().ty.clone();
            self.loaded.insert(here.site.instruction, (ty, step.result().to_vec()));
        }
    }
}
