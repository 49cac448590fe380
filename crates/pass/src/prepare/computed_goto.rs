//! Turns computed gotos into switches: labels become small numbers, so that no address of code is in the data.

use std::collections::HashMap;

use llvm::{Block, Function, Instruction, LLVMOpcode, LLVMValueKind, Module, Value};
use llvm_sys::core::*;

use crate::builder::{Builder, erase, replace_uses};

/// Labels start above what a null check or a small enum would meet.
const FIRST_LABEL: u64 = 0x1000;

pub fn expand(module: &Module) {
    let builder = Builder::new(module);
    for function in module.functions().filter(|f| !f.is_declaration()) {
        let jumps = function.instructions().into_iter().filter(|i| i.opcode() == LLVMOpcode::LLVMIndirectBr);
        let jumps: Vec<_> = jumps.collect();
        let labels = number_labels(&builder, function);
        for jump in jumps {
            switch(&builder, function, jump, &labels);
        }
    }
}

/// Puts numbers in place of the addresses of blocks.
fn number_labels<'m>(builder: &Builder<'m>, function: Function<'m>) -> HashMap<Block<'m>, Value<'m>> {
    let mut labels = HashMap::new();
    for (position, block) in function.blocks().into_iter().enumerate() {
        // SAFETY: every block is a value.
        let users = unsafe { Value::from_raw(LLVMBasicBlockAsValue(block.raw())) }.users();
        let is_address = |user: &Value<'_>| user.kind() == LLVMValueKind::LLVMBlockAddressValueKind;
        let addresses: Vec<_> = users.into_iter().filter(is_address).collect();
        if addresses.is_empty() {
            continue;
        }
        let label = builder.i64_of(FIRST_LABEL + position as u64);
        labels.insert(block, label);
        // SAFETY: a constant number becomes a constant address.
        let number = unsafe { Value::from_raw(LLVMConstIntToPtr(label.raw(), builder.ptr.0)) };
        for address in addresses {
            replace_uses(address, number);
        }
    }
    labels
}

/// Replaces a computed goto by a switch on the number.
fn switch<'m>(
    builder: &Builder<'m>,
    function: Function<'m>,
    jump: Instruction<'m>,
    labels: &HashMap<Block<'m>, Value<'m>>,
) {
    builder.before(jump);
    builder.locate_as(jump);
    let targets = jump.successors();
    let value = builder.ptr_to_int(jump.operand(0));
    let nowhere = builder.new_block_at_end(function, "goto.nowhere");
    // SAFETY: a number and a block of this function; built at the builder's position.
    let switch = unsafe { LLVMBuildSwitch(builder.raw(), value.raw(), nowhere.raw(), targets.len() as u32) };
    let mut seen = Vec::new();
    for target in targets {
        if seen.contains(&target) {
            continue;
        }
        seen.push(target);
        if let Some(label) = labels.get(&target) {
            // SAFETY: the switch just built, and a constant of the type it switches on.
            unsafe { LLVMAddCase(switch, label.raw(), target.raw()) };
        }
    }
    builder.at_end(nowhere);
    builder.unreachable();
    // SAFETY: `expand` goes on with other jumps.
    unsafe { erase(jump) };
}
