//! What instructions do beside computing a result and deciding where control goes: the one exhaustive list for analyses
//! that care about memory and calls only.

use abi::InstructionId;

use crate::model::{Call, Op, Operand, Storage};
use crate::operator::RmwOp;
use crate::types::Type;

#[derive(Clone, Copy, Debug)]
pub enum OpEffect<'o> {
    /// It computes, decides or jumps.
    Nothing,
    /// Makes a local variable, of `size` bytes for each of `count`.
    Allocates {
        storage: &'o Storage,
        size: u64,
        count: &'o Operand,
    },
    /// `local`: of a variable that is in a register.
    Loads {
        address: &'o Operand,
        local: Option<InstructionId>,
    },
    Stores {
        value: &'o Operand,
        value_type: &'o Type,
        address: &'o Operand,
        local: Option<InstructionId>,
    },
    Modifies {
        op: RmwOp,
        address: &'o Operand,
        value: &'o Operand,
        value_type: &'o Type,
    },
    Exchanges {
        address: &'o Operand,
        expected: &'o Operand,
        replacement: &'o Operand,
        value_type: &'o Type,
    },
    Calls(&'o Call),
}

impl Op {
    pub fn effect(&self) -> OpEffect<'_> {
        match self {
            Op::Alloca { storage, size, count, .. } => OpEffect::Allocates { storage, size: *size, count },
            Op::Load { address, local, .. } => OpEffect::Loads { address, local: *local },
            Op::Store { value, value_type, address, local, .. } => {
                OpEffect::Stores { value, value_type, address, local: *local }
            }
            Op::ReadModifyWrite { op, address, value, value_type } => {
                OpEffect::Modifies { op: *op, address, value, value_type }
            }
            Op::CompareExchange { address, expected, replacement, value_type } => {
                OpEffect::Exchanges { address, expected, replacement, value_type }
            }
            Op::Call(call) | Op::Invoke { call, .. } => OpEffect::Calls(call),
            Op::Binary { .. } | Op::FNeg { .. } | Op::ICmp { .. } | Op::FCmp { .. } | Op::Cast { .. } => {
                OpEffect::Nothing
            }
            Op::Select { .. } | Op::Freeze { .. } | Op::Phi { .. } | Op::ElementPointer { .. } => OpEffect::Nothing,
            Op::ExtractValue { .. } | Op::InsertValue { .. } | Op::Shuffle { .. } => OpEffect::Nothing,
            Op::ExtractElement { .. } | Op::InsertElement { .. } => OpEffect::Nothing,
            Op::Jump { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Return { .. } => OpEffect::Nothing,
            Op::Fence | Op::LandingPad | Op::Resume { .. } | Op::Unreachable => OpEffect::Nothing,
        }
    }
}
