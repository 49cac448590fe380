//! Rewrites instructions whose meaning depends on the optimiser, or that instrumentation cannot follow, into ones
//! with the meaning they have in -O0 code on x86-64.

use llvm::{Function, Instruction, LLVMOpcode, Module, TypeKind, Value};
use llvm_sys::LLVMTailCallKind;
use llvm_sys::core::*;

use crate::builder::{Builder, erase, replace_uses, set_operand};

pub fn rewrite<'m>(module: &'m Module, function: Function<'m>) {
    let builder = Builder::new(module);
    let fused = function.string_attribute("target-features").is_some_and(|f| f.split(',').any(|f| f == "+fma"));
    for instruction in function.instructions() {
        builder.before(instruction);
        builder.locate_as(instruction);
        name_thread_locals(&builder, instruction);
        match instruction.opcode() {
            LLVMOpcode::LLVMShl | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAShr => mask_shift(&builder, instruction),
            LLVMOpcode::LLVMCall => call(&builder, instruction, fused),
            LLVMOpcode::LLVMUnreachable => trap(&builder),
            _ => {}
        }
    }
}

/// Where clang uses a thread-local variable's address as if it were a constant (its own guards), asks for it: it is
/// another one in each thread, and is logged as the result of the question.
fn name_thread_locals<'m>(builder: &Builder<'m>, instruction: Instruction<'m>) {
    let asks = |i: Instruction<'_>| {
        i.opcode() == LLVMOpcode::LLVMCall
            && i.callee().as_function().is_some_and(|f| f.name().starts_with(abi::THREAD_LOCAL_ADDRESS))
    };
    if instruction.opcode() == LLVMOpcode::LLVMPHI || asks(instruction) {
        return;
    }
    for i in 0..instruction.operand_count() {
        let operand = instruction.operand(i);
        if operand.is_thread_local() {
            let question = builder.intrinsic(abi::THREAD_LOCAL_ADDRESS, &[builder.ptr]);
            set_operand(instruction, i, builder.call(question, &[operand]).value());
        }
    }
}

/// The machine takes shift amounts modulo the width; LLVM would take a larger one as licence.
fn mask_shift<'m>(builder: &Builder<'m>, shift: Instruction<'m>) {
    let amount = shift.operand(1);
    let ty = amount.ty();
    let (element, lanes) = ty.elements().map_or((ty, None), |(element, lanes)| (element, Some(lanes)));
    if element.kind() != TypeKind::LLVMIntegerTypeKind {
        return;
    }
    let bits = u64::from(element.bits());
    if lanes.is_none() && amount.as_integer().is_some_and(|amount| amount < bits) {
        return;
    }
    let splat = |n: u64| {
        let one = builder.int(element, n);
        match lanes {
            None => one,
            Some(lanes) => {
                let mut all = vec![one.raw(); lanes as usize];
                // SAFETY: constants of one type, which LLVM copies.
                unsafe { Value::from_raw(LLVMConstVector(all.as_mut_ptr(), lanes as u32)) }
            }
        }
    };
    let (operation, by) = if bits.is_power_of_two() {
        (LLVMOpcode::LLVMAnd, splat(bits - 1))
    } else {
        (LLVMOpcode::LLVMURem, splat(bits))
    };
    set_operand(shift, 1, builder.binary(operation, amount, by));
}

fn call<'m>(builder: &Builder<'m>, call: Instruction<'m>, fused: bool) {
    // A tail call that must be one stays one only where it forwards variable arguments (`eligible` then leaves
    // the function alone); elsewhere an ordinary call and return do the same.
    let variadic = call.block().function().function_type().is_variadic();
    // SAFETY: a call, whose kind is one of the enumeration.
    unsafe {
        if LLVMGetTailCallKind(call.raw()) != LLVMTailCallKind::LLVMTailCallKindMustTail || !variadic {
            LLVMSetTailCallKind(call.raw(), LLVMTailCallKind::LLVMTailCallKindNone);
        }
    }
    let Some(callee) = call.callee().as_function() else { return };
    let name = callee.name();
    if name == "vfork" && callee.is_declaration() {
        fork_instead(builder, call, callee);
    } else if name.starts_with("llvm.fmuladd.") {
        let operands: Vec<_> = call.arguments().collect();
        let result = if fused {
            builder.call(builder.intrinsic("llvm.fma", &[call.ty()]), &operands).value()
        } else {
            multiply_and_add(builder, call, &operands)
        };
        replace(call, result);
    } else if name.starts_with("llvm.is.constant.") {
        // SAFETY: may be asked of any value.
        let is_constant = unsafe { !LLVMIsAConstantInt(call.operand(0).raw()).is_null() };
        replace(call, builder.int(builder.i1, u64::from(is_constant)));
    } else if name.starts_with("llvm.objectsize.") {
        let minimum = call.operand(1).as_integer() == Some(1);
        replace(call, if minimum { builder.zero(call.ty()) } else { builder.all_ones(call.ty()) });
    } else if name.starts_with("llvm.ctlz.") || name.starts_with("llvm.cttz.") || name.starts_with("llvm.abs.") {
        // Of zero (or the least number), too, the result is one value and always the same.
        set_operand(call, 1, builder.int(builder.i1, 0));
    } else if name == "llvm.assume" || name.starts_with("llvm.experimental.noalias.scope") {
        // SAFETY: a call without a result; `rewrite` goes on with other instructions.
        unsafe { erase(call) };
    }
}

/// A child that shares our memory would write into the parent's log.
fn fork_instead<'m>(builder: &Builder<'m>, call: Instruction<'m>, vfork: Function<'m>) {
    let module = builder.module();
    // SAFETY: a function of this name and of the type of `vfork`, which takes nothing; the name is copied.
    let fork = unsafe {
        let known = LLVMGetNamedFunction(module.raw(), c"fork".as_ptr());
        let is_known = !known.is_null();
        Value::from_raw(if is_known {
            known
        } else {
            LLVMAddFunction(module.raw(), c"fork".as_ptr(), vfork.function_type().0)
        })
    };
    set_operand(call, call.operand_count() - 1, fork);
    let kind = llvm::attribute_kind("returns_twice");
    // SAFETY: a call.
    unsafe { LLVMRemoveCallSiteEnumAttribute(call.raw(), llvm_sys::LLVMAttributeFunctionIndex, kind) };
}

/// What `llvm.fmuladd` does without the instruction for it.
fn multiply_and_add<'m>(builder: &Builder<'m>, call: Instruction<'m>, operands: &[Value<'m>]) -> Value<'m> {
    let &[a, b, c] = operands else { return call.value() };
    // SAFETY: the intrinsic's operands are floating-point values of one type; built at the builder's position.
    unsafe {
        let product = LLVMBuildFMul(builder.raw(), a.raw(), b.raw(), c"".as_ptr());
        Value::from_raw(LLVMBuildFAdd(builder.raw(), product, c.raw(), c"".as_ptr()))
    }
}

/// Reaching an `unreachable` ends the program, rather than running into whatever code comes next.
fn trap(builder: &Builder<'_>) {
    builder.call(builder.intrinsic("llvm.trap", &[]), &[]);
}

fn replace<'m>(instruction: Instruction<'m>, by: Value<'m>) {
    replace_uses(instruction.value(), by);
    // SAFETY: `rewrite` goes on with other instructions.
    unsafe { erase(instruction) };
}
