//! Gives each invoke a normal destination of its own, so that what must happen after the call has a place.

use llvm::{Block, Function, LLVMOpcode, Module};
use llvm_sys::core::*;

use crate::builder::Builder;

pub fn split_normal_destinations(module: &Module, function: Function<'_>) {
    let builder = Builder::new(module);
    for instruction in function.instructions() {
        if instruction.opcode() != LLVMOpcode::LLVMInvoke {
            continue;
        }
        // SAFETY: the invoke and its blocks belong to this module.
        unsafe {
            let source = instruction.block();
            let target = Block::from_raw(LLVMGetNormalDest(instruction.raw()));
            let landing = builder.new_block_before(target.raw(), "invoke.returned");
            builder.at_end(landing);
            builder.locate_as(instruction.raw());
            builder.jump(target.raw());
            LLVMSetNormalDest(instruction.raw(), landing);
            redirect_phis(&builder, target, source, Block::from_raw(landing));
        }
    }
}

/// In the phis of `block`, lets what came from `old` come from `new`.
fn redirect_phis<'m>(builder: &Builder, block: Block<'m>, old: Block<'m>, new: Block<'m>) {
    let phis: Vec<_> = block.instructions().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).collect();
    for phi in phis {
        let incoming: Vec<_> =
            phi.incoming().into_iter().map(|(v, b)| (v.raw(), if b == old { new.raw() } else { b.raw() })).collect();
        builder.before(phi.raw());
        builder.locate_as(phi.raw());
        let replacement = builder.phi(phi.ty().0, &incoming);
        // SAFETY: the replacement has the same type.
        unsafe {
            LLVMReplaceAllUsesWith(phi.raw(), replacement);
            LLVMInstructionEraseFromParent(phi.raw());
        }
    }
}
