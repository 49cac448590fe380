//! Rewrites instructions whose meaning depends on the optimiser, or that instrumentation cannot follow, into ones
//! with the meaning they have in -O0 code on x86-64.

use llvm::{Function, Instruction, LLVMOpcode, LLVMValueKind, Module, TypeKind};
use llvm_sys::LLVMTailCallKind;
use llvm_sys::core::*;

use crate::builder::{Builder, V};

pub fn rewrite(module: &Module, function: Function<'_>) {
    let builder = Builder::new(module);
    let fused = function.string_attribute("target-features").is_some_and(|f| f.split(',').any(|f| f == "+fma"));
    for instruction in function.instructions() {
        builder.before(instruction.raw());
        builder.locate_as(instruction.raw());
        name_thread_locals(module, &builder, instruction);
        match instruction.opcode() {
            LLVMOpcode::LLVMShl | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr => mask_shift(&builder, instruction),
            LLVMOpcode::LLVMCall => call(module, &builder, instruction, fused),
            LLVMOpcode::LLVMUnreachable => trap(module, &builder),
            _ => {}
        }
    }
}

/// Where clang uses a thread-local variable's address as if it were a constant (its own guards), asks for it: it is
/// another one in each thread, and is logged as the result of the question.
fn name_thread_locals(module: &Module, builder: &Builder, instruction: Instruction<'_>) {
    let asks = |i: Instruction<'_>| {
        i.opcode() == LLVMOpcode::LLVMCall
            && i.callee().as_function().is_some_and(|f| f.name().starts_with("llvm.threadlocal.address"))
    };
    if instruction.opcode() == LLVMOpcode::LLVMPHI || asks(instruction) {
        return;
    }
    for i in 0..instruction.operand_count() {
        let operand = instruction.operand(i);
        if operand.kind() == LLVMValueKind::LLVMGlobalVariableValueKind && operand.is_thread_local() {
            // SAFETY: the question has the operand's type.
            unsafe {
                let question = intrinsic(module, c"llvm.threadlocal.address", builder.ptr);
                let address = builder.call(LLVMGlobalGetValueType(question), question, &[operand.raw()]);
                LLVMSetOperand(instruction.raw(), i, address);
            }
        }
    }
}

/// The machine takes shift amounts modulo the width; LLVM would take a larger one as licence.
fn mask_shift(builder: &Builder, shift: Instruction<'_>) {
    let amount = shift.operand(1);
    let ty = amount.ty();
    // SAFETY: an integer of the same type replaces the amount.
    unsafe {
        let (element, lanes) = match ty.elements() {
            Some((element, lanes)) => (element, Some(lanes)),
            None => (ty, None),
        };
        if element.kind() != TypeKind::LLVMIntegerTypeKind {
            return;
        }
        let bits = u64::from(element.bits());
        if lanes.is_none()
            && !LLVMIsAConstantInt(amount.raw()).is_null()
            && LLVMConstIntGetZExtValue(amount.raw()) < bits
        {
            return;
        }
        let splat = |n: u64| {
            let one = LLVMConstInt(element.0, n, 0);
            match lanes {
                None => one,
                Some(lanes) => LLVMConstVector(vec![one; lanes as usize].as_mut_ptr(), lanes as u32),
            }
        };
        let masked = if bits.is_power_of_two() {
            LLVMBuildAnd(builder.raw(), amount.raw(), splat(bits - 1), c"".as_ptr())
        } else {
            LLVMBuildURem(builder.raw(), amount.raw(), splat(bits), c"".as_ptr())
        };
        LLVMSetOperand(shift.raw(), 1, masked);
    }
}

fn call(module: &Module, builder: &Builder, call: Instruction<'_>, fused: bool) {
    // SAFETY: replacements have the call's type.
    unsafe {
        // A tail call that must be one stays one only where it forwards variable arguments (`eligible` then leaves
        // the function alone); elsewhere an ordinary call and return do the same.
        let variadic = call.block().function().function_type().is_variadic();
        if LLVMGetTailCallKind(call.raw()) != LLVMTailCallKind::LLVMTailCallKindMustTail || !variadic {
            LLVMSetTailCallKind(call.raw(), LLVMTailCallKind::LLVMTailCallKindNone);
        }
        let Some(callee) = call.callee().as_function() else { return };
        let name = callee.name();
        if name == "vfork" && callee.is_declaration() {
            // A child that shares our memory would write into the parent's log.
            let ty = callee.function_type().0;
            let mut fork = LLVMGetNamedFunction(module.raw(), c"fork".as_ptr());
            if fork.is_null() {
                fork = LLVMAddFunction(module.raw(), c"fork".as_ptr(), ty);
            }
            LLVMSetOperand(call.raw(), call.operand_count() - 1, fork);
            let kind = llvm::attribute_kind("returns_twice");
            LLVMRemoveCallSiteEnumAttribute(call.raw(), llvm_sys::LLVMAttributeFunctionIndex, kind);
        } else if name.starts_with("llvm.fmuladd.") {
            let operands: Vec<V> = call.arguments().map(|a| a.raw()).collect();
            let result = if fused {
                let fma = intrinsic(module, c"llvm.fma", call.ty().0);
                builder.call(LLVMGlobalGetValueType(fma), fma, &operands)
            } else {
                let product = LLVMBuildFMul(builder.raw(), operands[0], operands[1], c"".as_ptr());
                LLVMBuildFAdd(builder.raw(), product, operands[2], c"".as_ptr())
            };
            replace(call, result);
        } else if name.starts_with("llvm.is.constant.") {
            let constant = call.operand(0);
            replace(call, builder.int(builder.i1, u64::from(!LLVMIsAConstantInt(constant.raw()).is_null())));
        } else if name.starts_with("llvm.objectsize.") {
            let minimum = LLVMConstIntGetZExtValue(call.operand(1).raw()) != 0;
            replace(call, LLVMConstInt(call.ty().0, if minimum { 0 } else { u64::MAX }, 1));
        } else if name.starts_with("llvm.ctlz.") || name.starts_with("llvm.cttz.") || name.starts_with("llvm.abs.") {
            // Of zero (or the least number), too, the result is one value and always the same.
            LLVMSetOperand(call.raw(), 1, builder.int(builder.i1, 0));
        } else if name == "llvm.assume" || name.starts_with("llvm.experimental.noalias.scope") {
            LLVMInstructionEraseFromParent(call.raw());
        }
    }
}

/// Reaching an `unreachable` ends the program, rather than running into whatever code comes next.
fn trap(module: &Module, builder: &Builder) {
    // SAFETY: `llvm.trap` has no overloaded types.
    unsafe {
        let id = LLVMLookupIntrinsicID(c"llvm.trap".as_ptr(), 9);
        let trap = LLVMGetIntrinsicDeclaration(module.raw(), id, std::ptr::null_mut(), 0);
        builder.call(LLVMGlobalGetValueType(trap), trap, &[]);
    }
}

unsafe fn intrinsic(module: &Module, name: &std::ffi::CStr, ty: crate::builder::T) -> V {
    unsafe {
        let id = LLVMLookupIntrinsicID(name.as_ptr(), name.to_bytes().len());
        LLVMGetIntrinsicDeclaration(module.raw(), id, [ty].as_mut_ptr(), 1)
    }
}

unsafe fn replace(instruction: Instruction<'_>, by: V) {
    unsafe {
        LLVMReplaceAllUsesWith(instruction.raw(), by);
        LLVMInstructionEraseFromParent(instruction.raw());
    }
}
