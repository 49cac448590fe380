//! Strips attributes of functions, parameters and calls that promise something; keeps those that are calling
//! convention.

use llvm::{Function, LLVMOpcode, Module, attribute_kind};
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeReturnIndex};

/// Promises about the function as a whole. `returns_twice`, `noreturn` and `nounwind` stay: code generation and the
/// unwinder need them.
const ON_FUNCTIONS: &[&str] = &[
    "memory",
    "willreturn",
    "mustprogress",
    "nofree",
    "nosync",
    "nocallback",
    "norecurse",
    "speculatable",
    "allockind",
    "allocsize",
    "optnone",
    "nomerge",
    "fn_ret_thunk_extern",
];

/// Promises about one value.
const ON_VALUES: &[&str] = &[
    "noundef",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "range",
    "returned",
    "noalias",
    "nocapture",
    "readonly",
    "readnone",
    "writeonly",
    "writable",
    "dead_on_unwind",
    "nofpclass",
    "initializes",
    "allocptr",
    "allocalign",
];

pub fn strip(module: &Module, function: Function<'_>) {
    if function.is_intrinsic() {
        return;
    }
    let on_functions: Vec<u32> = ON_FUNCTIONS.iter().map(|n| attribute_kind(n)).filter(|&k| k != 0).collect();
    let on_values: Vec<u32> = ON_VALUES.iter().map(|n| attribute_kind(n)).filter(|&k| k != 0).collect();
    let raw = function.raw();
    // SAFETY: indices are those of the function type; removing an absent attribute does nothing.
    unsafe {
        for &kind in &on_functions {
            LLVMRemoveEnumAttributeAtIndex(raw, LLVMAttributeFunctionIndex, kind);
        }
        let parameters = function.function_type().parameters().len() as u32;
        for index in [LLVMAttributeReturnIndex].into_iter().chain(1..=parameters) {
            for &kind in &on_values {
                LLVMRemoveEnumAttributeAtIndex(raw, index, kind);
            }
        }
        if function.is_declaration() {
            return;
        }
        let null_is_valid = LLVMCreateEnumAttribute(module.context(), attribute_kind("null_pointer_is_valid"), 0);
        LLVMAddAttributeAtIndex(raw, LLVMAttributeFunctionIndex, null_is_valid);
        // What `printf` or `malloc` does is for the C library to say, not for the optimiser to guess.
        let no_builtins = LLVMCreateStringAttribute(
            module.context(),
            c"no-builtins".as_ptr(),
            "no-builtins".len() as u32,
            c"".as_ptr(),
            0,
        );
        LLVMAddAttributeAtIndex(raw, LLVMAttributeFunctionIndex, no_builtins);
        for instruction in function.instructions() {
            if !matches!(instruction.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr) {
                continue;
            }
            let call = instruction.raw();
            for &kind in &on_functions {
                LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
            }
            let arguments = LLVMGetNumArgOperands(call);
            for index in [LLVMAttributeReturnIndex].into_iter().chain(1..=arguments) {
                for &kind in &on_values {
                    LLVMRemoveCallSiteEnumAttribute(call, index, kind);
                }
            }
        }
    }
}
