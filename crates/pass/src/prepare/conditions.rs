//! Lets each part of a condition decide for itself.
//!
//! For `if (a && b)` clang branches on `a` and on `b`. For `while (a && b)` it makes one value of both and branches on that,
//! so that nobody could see, reverse or edit `b` alone. Here such a value is taken apart again: whoever would bring it
//! branches on it.

use llvm::{Block, Function, Instruction, LLVMOpcode, Module, Value};
use llvm_sys::core::{LLVMDeleteBasicBlock, LLVMSetSuccessor};

use crate::builder::{Builder, erase};

pub fn take_apart(module: &Module, function: Function<'_>) {
    let builder = Builder::new(module);
    let mut is_changed = true;
    // What is taken apart may leave another block that can be.
    while is_changed {
        is_changed = false;
        for block in function.blocks() {
            if let Some(joint) = joint(block) {
                joint.take_apart(&builder);
                is_changed = true;
            }
        }
    }
}

/// A block that only joins the parts of a condition and branches on it.
struct Joint<'m> {
    block: Block<'m>,
    value: Instruction<'m>,
    branch: Instruction<'m>,
    then: Block<'m>,
    otherwise: Block<'m>,
    parts: Vec<(Part<'m>, Instruction<'m>)>,
}

/// What comes into a joint, with the terminator it comes by.
#[derive(Clone, Copy)]
enum Part<'m> {
    Known(bool),
    Value(Value<'m>),
}

fn joint(block: Block<'_>) -> Option<Joint<'_>> {
    let mut instructions = block.instructions();
    let (value, branch) = (instructions.next()?, instructions.next()?);
    let is_condition = value.opcode() == LLVMOpcode::LLVMPHI && value.value().users().len() == 1;
    if !is_condition || branch.opcode() != LLVMOpcode::LLVMBr || branch.operand_count() != 3 {
        return None;
    }
    let &[then, otherwise] = branch.successors().as_slice() else { return None };
    let is_decided_here = branch.operand(0) == value.value();
    let has_phi = |target: Block<'_>| target.instructions().next().is_some_and(|i| i.opcode() == LLVMOpcode::LLVMPHI);
    if !is_decided_here || then == block || otherwise == block || has_phi(then) || has_phi(otherwise) {
        return None;
    }
    let mut parts = Vec::new();
    for (part, from) in value.incoming() {
        let terminator = from.terminator();
        if terminator.opcode() != LLVMOpcode::LLVMBr || from == block {
            return None;
        }
        let part = match (part.as_integer(), terminator.operand_count()) {
            (Some(truth), _) => Part::Known(truth != 0),
            (None, 1) => Part::Value(part),
            // It could come by the one edge and not by the other.
            (None, _) => return None,
        };
        parts.push((part, terminator));
    }
    Some(Joint { block, value, branch, then, otherwise, parts })
}

impl<'m> Joint<'m> {
    fn take_apart(self, builder: &Builder<'m>) {
        for &(part, terminator) in &self.parts {
            match part {
                Part::Known(truth) => {
                    let target = if truth { self.then } else { self.otherwise };
                    let successors = terminator.successors().into_iter().enumerate();
                    for (i, _) in successors.filter(|(_, successor)| *successor == self.block) {
                        // SAFETY: a successor that is there, replaced by a block of the same function, which has no phi that
                        // would have to be told.
                        unsafe { LLVMSetSuccessor(terminator.raw(), i as u32, target.raw()) };
                    }
                }
                Part::Value(value) => {
                    builder.before(terminator);
                    let made = value.as_instruction().filter(|made| made.has_location());
                    builder.locate_as(made.unwrap_or(self.branch));
                    builder.branch(value, self.then, self.otherwise);
                    // SAFETY: a terminator is one part's, and is not looked at again.
                    unsafe { erase(terminator) };
                }
            }
        }
        // SAFETY: the block is empty and nobody goes there any more; the joint, which refers to it all, ends here.
        unsafe {
            erase(self.branch);
            erase(self.value);
            LLVMDeleteBasicBlock(self.block.raw());
        }
    }
}
