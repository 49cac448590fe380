//! Gives each invoke a normal destination of its own, so that what must happen after the call has a place.

use llvm::{Block, Function, LLVMOpcode, Module};
use llvm_sys::core::LLVMSetNormalDest;

use crate::builder::{Builder, erase, replace_uses};

pub fn split_normal_destinations<'m>(module: &'m Module, function: Function<'m>) {
    let builder = Builder::new(module);
    for instruction in function.instructions() {
        if instruction.opcode() != LLVMOpcode::LLVMInvoke {
            continue;
        }
        let (target, _) = instruction.invoke_destinations();
        let landing = builder.new_block_before(target, "invoke.returned");
        builder.at_end(landing);
        builder.locate_as(instruction);
        builder.jump(target);
        // SAFETY: an invoke, and a block of its function.
        unsafe { LLVMSetNormalDest(instruction.raw(), landing.raw()) };
        redirect_phis(&builder, target, instruction.block(), landing);
    }
}

/// In the phis of `block`, lets what came from `old` come from `new`.
fn redirect_phis<'m>(builder: &Builder<'m>, block: Block<'m>, old: Block<'m>, new: Block<'m>) {
    let phis: Vec<_> = block.instructions().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).collect();
    for phi in phis {
        let incoming: Vec<_> = phi.incoming().into_iter().map(|(v, b)| (v, if b == old { new } else { b })).collect();
        builder.before(phi);
        builder.locate_as(phi);
        let replacement = builder.phi(phi.ty(), &incoming);
        replace_uses(phi.value(), replacement);
        // SAFETY: `phis` is the only list that has it, and is past it.
        unsafe { erase(phi) };
    }
}
