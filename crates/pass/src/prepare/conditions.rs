//! Lets each part of a condition decide for itself.
//!
//! For `if (a && b)` clang branches on `a` and on `b`. For `while (a && b)` it makes one value of both and branches on that,
//! so that nobody could see, reverse or edit `b` alone. Here such a value is taken apart again: whoever would bring it
//! branches on it.

use llvm::{Block, Function, Instruction, LLVMOpcode, Module, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;

use crate::builder::{B, Builder, V};

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
    then: B,
    otherwise: B,
    parts: Vec<(Part, Instruction<'m>)>,
}

/// What comes into a joint, with the terminator it comes by.
#[derive(Clone, Copy)]
enum Part {
    Known(bool),
    Value(V),
}

fn joint(block: Block<'_>) -> Option<Joint<'_>> {
    let mut instructions = block.instructions();
    let (value, branch) = (instructions.next()?, instructions.next()?);
    let is_condition = value.opcode() == LLVMOpcode::LLVMPHI && value.value().users().len() == 1;
    if !is_condition || branch.opcode() != LLVMOpcode::LLVMBr || branch.operand_count() != 3 {
        return None;
    }
    // SAFETY: a branch on a condition has two successors, a phi as many blocks as values.
    unsafe {
        if LLVMGetCondition(branch.raw()) != value.raw() {
            return None;
        }
        let (then, otherwise) = (LLVMGetSuccessor(branch.raw(), 0), LLVMGetSuccessor(branch.raw(), 1));
        let has_phi = |target: B| {
            let first = LLVMGetFirstInstruction(target);
            !first.is_null() && !LLVMIsAPHINode(first).is_null()
        };
        if then == block.raw() || otherwise == block.raw() || has_phi(then) || has_phi(otherwise) {
            return None;
        }
        let mut parts = Vec::new();
        for i in 0..LLVMCountIncoming(value.raw()) {
            let part = LLVMGetIncomingValue(value.raw(), i);
            let terminator = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(value.raw(), i));
            let terminator = Value::from_raw(terminator).as_instruction()?;
            if terminator.opcode() != LLVMOpcode::LLVMBr || terminator.block().raw() == block.raw() {
                return None;
            }
            let part = match (LLVMIsAConstantInt(part).is_null(), terminator.operand_count()) {
                (false, _) => Part::Known(LLVMConstIntGetZExtValue(part) != 0),
                (true, 1) => Part::Value(part),
                // It could come by the one edge and not by the other.
                (true, _) => return None,
            };
            parts.push((part, terminator));
        }
        Some(Joint { block, value, branch, then, otherwise, parts })
    }
}

impl Joint<'_> {
    fn take_apart(self, builder: &Builder) {
        // SAFETY: no phi has to be told of new edges; what is erased has no users left.
        unsafe {
            for (part, terminator) in &self.parts {
                match part {
                    Part::Known(truth) => {
                        let target = if *truth { self.then } else { self.otherwise };
                        for (i, successor) in terminator.successors().into_iter().enumerate() {
                            if successor.raw() == self.block.raw() {
                                LLVMSetSuccessor(terminator.raw(), i as u32, target);
                            }
                        }
                    }
                    Part::Value(value) => {
                        builder.before(terminator.raw());
                        let made = LLVMIsAInstruction(*value);
                        let is_placed = !made.is_null() && !LLVMInstructionGetDebugLoc(made).is_null();
                        builder.locate_as(if is_placed { made } else { self.branch.raw() });
                        builder.branch(*value, self.then, self.otherwise);
                        LLVMInstructionEraseFromParent(terminator.raw());
                    }
                }
            }
            LLVMInstructionEraseFromParent(self.branch.raw());
            LLVMInstructionEraseFromParent(self.value.raw());
            LLVMDeleteBasicBlock(self.block.raw());
        }
    }
}
