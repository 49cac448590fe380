//! What an instruction reads: its operands, one opcode after the other.

use crate::{Call, Callee, Op, Operand};

impl Op {
    /// Calls `visit` with each operand, in the order in which the model names them. Allocas named by `local` fields are
    /// addresses too and are met as such.
    pub fn for_each_operand<'a>(&'a self, mut visit: impl FnMut(&'a Operand)) {
        match self {
            Op::Binary { lhs, rhs, .. } | Op::ICmp { lhs, rhs, .. } | Op::FCmp { lhs, rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            Op::FNeg { value } | Op::Cast { value, .. } | Op::Freeze { value } | Op::Resume { value } => visit(value),
            Op::Select { condition, then, otherwise, .. } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            Op::Phi { incoming } => incoming.iter().for_each(|(_, value)| visit(value)),
            Op::Alloca { count, .. } => visit(count),
            Op::Load { address, .. } => visit(address),
            Op::Store { value, address, .. } => {
                visit(value);
                visit(address);
            }
            Op::ElementPointer { base, indices, .. } => {
                visit(base);
                indices.iter().for_each(|element| visit(&element.index));
            }
            Op::ReadModifyWrite { address, value, .. } => {
                visit(address);
                visit(value);
            }
            Op::CompareExchange { address, expected, replacement, .. } => {
                visit(address);
                visit(expected);
                visit(replacement);
            }
            Op::ExtractValue { aggregate, .. } => visit(aggregate),
            Op::InsertValue { aggregate, value, .. } => {
                visit(aggregate);
                visit(value);
            }
            Op::ExtractElement { vector, index, .. } => {
                visit(vector);
                visit(index);
            }
            Op::InsertElement { vector, element, index } => {
                visit(vector);
                visit(element);
                visit(index);
            }
            Op::Shuffle { left, right, .. } => {
                visit(left);
                visit(right);
            }
            Op::Call(call) | Op::Invoke { call, .. } => {
                if let Callee::Pointer(pointer) = &call.callee {
                    visit(pointer);
                }
                call.arguments.iter().for_each(visit);
            }
            Op::Branch { condition, .. } => visit(condition),
            Op::Switch { value, .. } => visit(value),
            Op::Return { value } => value.iter().for_each(visit),
            Op::Fence | Op::LandingPad | Op::Jump { .. } | Op::Unreachable => {}
        }
    }

    /// The call this instruction makes, if it makes one.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Op::Call(call) | Op::Invoke { call, .. } => Some(call),
            _ => None,
        }
    }
}
