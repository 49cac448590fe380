//! The place of a run that computes something else, see `abi::Edit`.

use abi::{AtHand, Edit, FunctionId, InstructionId};
use program::{Function, Op, Operand, making};

use crate::code::Code;

#[derive(Clone, Copy, Debug)]
pub struct Edited {
    module: usize,
    function: FunctionId,
    instruction: InstructionId,
    edit: Edit,
}

impl Edited {
    pub fn new(code: &Code, pc: usize, edit: Edit) -> Edited {
        let instruction = InstructionId(pc as u32);
        Edited { module: code.module_position, function: code.id, instruction, edit }
    }

    /// What its step goes on with instead of `value`; `None` for a step of another place.
    pub fn value(&self, value: u64, code: &Code, pc: usize, frame: *const u64) -> Option<u64> {
        let is_here = self.instruction.index() == pc && self.function == code.id && self.module == code.module_position;
        is_here.then(|| self.edit.apply(at_hand(value, code, self.instruction, frame)))
    }
}

pub fn at_hand(value: u64, code: &Code, id: InstructionId, frame: *const u64) -> AtHand {
    let function = code.function();
    let word = |operand: &Operand| code.operand_words(operand, frame).first().copied().unwrap_or(0);
    let (first, second) = tested(function, id)
        .and_then(|tested| making(function, tested))
        .map_or((0, 0), |making| (word(making.first), word(making.second)));
    let before = match function.instruction(id).op {
        Op::Store { local: Some(local), .. } => code.result_words(local, frame).first().copied().unwrap_or(0),
        _ => 0,
    };
    AtHand { value, first, second, before }
}

/// What a step stores, branches on or switches on.
pub fn tested(function: &Function, id: InstructionId) -> Option<&Operand> {
    match &function.instruction(id).op {
        Op::Store { value, .. } => Some(value),
        Op::Branch { condition, .. } => Some(condition),
        Op::Switch { value, .. } => Some(value),
        _ => None,
    }
}
