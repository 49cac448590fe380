//! Turns computed gotos into switches: labels become small numbers, so that no address of code is in the data.

use std::collections::HashMap;

use llvm::{LLVMOpcode, LLVMValueKind, Module, Value};
use llvm_sys::core::*;

use crate::builder::{B, Builder};

/// Labels start above what a null check or a small enum would meet.
const FIRST_LABEL: u64 = 0x1000;

pub fn expand(module: &Module) {
    let builder = Builder::new(module);
    for function in module.functions().filter(|f| !f.is_declaration()) {
        let jumps: Vec<_> =
            function.instructions().into_iter().filter(|i| i.opcode() == LLVMOpcode::LLVMIndirectBr).collect();
        // SAFETY: blocks and instructions of this module; a replaced terminator is erased once.
        unsafe {
            let mut labels: HashMap<B, u64> = HashMap::new();
            for (position, block) in function.blocks().into_iter().enumerate() {
                let as_value = LLVMBasicBlockAsValue(block.raw());
                let addresses: Vec<_> = Value::from_raw(as_value)
                    .users()
                    .into_iter()
                    .filter(|u| u.kind() == LLVMValueKind::LLVMBlockAddressValueKind)
                    .collect();
                if addresses.is_empty() {
                    continue;
                }
                let label = FIRST_LABEL + position as u64;
                labels.insert(block.raw(), label);
                let number = LLVMConstIntToPtr(builder.i64_of(label), builder.ptr);
                for address in addresses {
                    LLVMReplaceAllUsesWith(address.raw(), number);
                }
            }
            for jump in jumps {
                builder.before(jump.raw());
                builder.locate_as(jump.raw());
                let targets = jump.successors();
                let value = builder.ptr_to_int(jump.operand(0).raw());
                let nowhere = builder.new_block_at_end(function.raw(), "goto.nowhere");
                let switch = LLVMBuildSwitch(builder.raw(), value, nowhere, targets.len() as u32);
                let mut seen = Vec::new();
                for target in &targets {
                    if seen.contains(&target.raw()) {
                        continue;
                    }
                    seen.push(target.raw());
                    if let Some(&label) = labels.get(&target.raw()) {
                        LLVMAddCase(switch, builder.i64_of(label), target.raw());
                    }
                }
                builder.at_end(nowhere);
                builder.unreachable();
                LLVMInstructionEraseFromParent(jump.raw());
            }
        }
    }
}
