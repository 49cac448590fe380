//! Strips from instructions every promise that lets the optimiser assume undefined behaviour away.

use llvm::{Function, LLVMOpcode, LLVMValueKind, Module, TypeKind};
use llvm_sys::core::*;

use crate::builder::{Builder, set_operand};

/// Metadata that promises something about values, memory or progress.
const PROMISES: &[&str] = &[
    "range",
    "nonnull",
    "noundef",
    "align",
    "dereferenceable",
    "dereferenceable_or_null",
    "invariant.load",
    "invariant.group",
    "tbaa",
    "tbaa.struct",
    "alias.scope",
    "noalias",
    "nontemporal",
    "fpmath",
    "llvm.loop",
    "mustprogress",
];

pub fn strip<'m>(module: &'m Module, function: Function<'m>) {
    let builder = Builder::new(module);
    let kinds: Vec<u32> = PROMISES.iter().map(|name| module.metadata_kind(name)).collect();
    for instruction in function.instructions() {
        let raw = instruction.raw();
        // SAFETY: an instruction; null takes metadata away, and each setter is called on the operations it is made for.
        unsafe {
            for &kind in &kinds {
                LLVMSetMetadata(raw, kind, std::ptr::null_mut());
            }
            match instruction.opcode() {
                LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl => {
                    LLVMSetNSW(raw, 0);
                    LLVMSetNUW(raw, 0);
                }
                LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr => {
                    LLVMSetExact(raw, 0);
                }
                LLVMOpcode::LLVMZExt => LLVMSetNNeg(raw, 0),
                LLVMOpcode::LLVMOr => LLVMSetIsDisjoint(raw, 0),
                LLVMOpcode::LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(raw, 0),
                _ => {}
            }
            if LLVMCanValueUseFastMathFlags(raw) != 0 {
                LLVMSetFastMathFlags(raw, 0);
            }
        }
        // An undefined operand may be anything, and another thing at each use: make it zero.
        for i in 0..instruction.operand_count() {
            let operand = instruction.operand(i);
            if matches!(operand.kind(), LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind)
                && operand.ty().kind() != TypeKind::LLVMMetadataTypeKind
            {
                set_operand(instruction, i, builder.zero(operand.ty()));
            }
        }
    }
}
