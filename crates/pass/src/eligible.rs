//! Which functions can be instrumented. The others stay outside code, which is always safe, and are told as limits.

use std::collections::HashSet;

use llvm::{Function, Instruction, LLVMLinkage, LLVMOpcode, LLVMValueKind, Module, Type, TypeKind, Value};
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMTailCallKind};

/// Values larger than this are not logged; a function that would have to is left outside.
pub const LARGEST_VALUE: u64 = 1024;

/// `Ok` if the function can be instrumented, otherwise why not, as the end of a sentence beginning with its name.
pub fn eligible(module: &Module, function: Function<'_>, resolvers: &HashSet<Function<'_>>) -> Result<(), String> {
    if function.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage {
        return Err("is defined elsewhere".into());
    }
    for (attribute, why) in [("naked", "is naked: it is written in assembly"), ("presplitcoroutine", "is a coroutine")]
    {
        if function.has_attribute(LLVMAttributeFunctionIndex, attribute) {
            return Err(why.into());
        }
    }
    if resolvers.contains(&function) {
        return Err("chooses an indirect function, before the program has started".into());
    }
    for parameter in function.parameters() {
        value_type(module, parameter.ty())?;
    }
    let total: u64 = function.parameters().map(|p| p.ty().store_size(module)).sum();
    if total > LARGEST_VALUE {
        return Err("has very large parameters".into());
    }
    function.instructions().into_iter().try_for_each(|i| instruction(module, i))
}

/// The functions that choose what an indirect function stands for.
pub fn resolvers(module: &Module) -> HashSet<Function<'_>> {
    // SAFETY: every ifunc has a resolver, a value of its module.
    let resolver = |ifunc: Value<'_>| unsafe { Value::from_raw(LLVMGetGlobalIFuncResolver(ifunc.raw())) };
    module.ifuncs().filter_map(|ifunc| resolver(ifunc).as_function()).collect()
}

fn instruction(module: &Module, instruction: Instruction<'_>) -> Result<(), String> {
    use LLVMOpcode::*;
    // Code and data may see different addresses of one, so what the program computes with cannot be known.
    let is_call = matches!(instruction.opcode(), LLVMCall | LLVMInvoke);
    if (0..instruction.operand_count()).any(|i| {
        let operand = instruction.operand(i);
        operand.kind() == LLVMValueKind::LLVMGlobalIFuncValueKind && !(is_call && operand == instruction.callee())
    }) {
        return Err("takes the address of an indirect function".into());
    }
    match instruction.opcode() {
        LLVMCallBr => return Err("contains `asm goto`".into()),
        LLVMVAArg => return Err("contains a `va_arg` instruction".into()),
        LLVMIndirectBr => return Err("contains a computed goto that could not be rewritten".into()),
        LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad | LLVMCleanupPad | LLVMCatchSwitch => {
            return Err("uses another system's exceptions".into());
        }
        LLVMUserOp1 | LLVMUserOp2 => return Err("contains an unknown instruction".into()),
        LLVMGetElementPtr if instruction.ty().kind() != TypeKind::LLVMPointerTypeKind => {
            return Err("computes several addresses at once".into());
        }
        LLVMCall => {
            // SAFETY: a call, whose kind is one of the enumeration.
            let tail = unsafe { LLVMGetTailCallKind(instruction.raw()) };
            if tail == LLVMTailCallKind::LLVMTailCallKindMustTail {
                return Err("forwards its variable arguments".into());
            }
            let name = instruction.callee().as_function().map(|f| f.name()).unwrap_or_default();
            if name.starts_with("llvm.coro.") || name.starts_with("llvm.local") || name.starts_with("llvm.masked.") {
                return Err(format!("uses `{name}`"));
            }
        }
        LLVMSwitch if instruction.operand(0).ty().bits() > 64 => {
            return Err("switches on an integer of more than 64 bits".into());
        }
        LLVMAlloca => return Ok(()),
        LLVMStore => value_type(module, instruction.operand(0).ty())?,
        _ => {}
    }
    if instruction.ty().kind() == TypeKind::LLVMVoidTypeKind {
        return Ok(());
    }
    value_type(module, instruction.ty())
}

fn value_type(module: &Module, ty: Type<'_>) -> Result<(), String> {
    use TypeKind::*;
    match ty.kind() {
        LLVMHalfTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind | LLVMX86_FP80TypeKind | LLVMFP128TypeKind
        | LLVMBFloatTypeKind => Ok(()),
        LLVMPointerTypeKind => {
            // SAFETY: a pointer type.
            if unsafe { LLVMGetPointerAddressSpace(ty.0) } == 0 {
                Ok(())
            } else {
                Err("uses another address space".into())
            }
        }
        LLVMIntegerTypeKind if ty.bits() <= 128 => Ok(()),
        LLVMIntegerTypeKind => Err(format!("uses integers of {} bits", ty.bits())),
        LLVMArrayTypeKind | LLVMVectorTypeKind => {
            let size = ty.store_size(module);
            if size > LARGEST_VALUE {
                return Err(format!("has a value of {size} bytes"));
            }
            match ty.elements() {
                Some((element, _)) => value_type(module, element),
                None => Err("has a value of unknown size".into()),
            }
        }
        LLVMStructTypeKind => {
            if !ty.is_sized() || ty.store_size(module) > LARGEST_VALUE {
                return Err("has a very large value".into());
            }
            ty.fields(module).into_iter().try_for_each(|(field, _)| value_type(module, field))
        }
        LLVMVoidTypeKind
        | LLVMPPC_FP128TypeKind
        | LLVMLabelTypeKind
        | LLVMFunctionTypeKind
        | LLVMMetadataTypeKind
        | LLVMTokenTypeKind
        | LLVMScalableVectorTypeKind
        | LLVMX86_AMXTypeKind
        | LLVMX86_MMXTypeKind
        | LLVMTargetExtTypeKind => Err("has a value of a kind faultline does not know".into()),
    }
}
