//! Declarations of the runtime's symbols.

use std::ffi::CString;

use abi::symbol;
use llvm::{Module, attribute_kind};
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMVisibility};

use crate::builder::{Builder, T, V};

/// LLVM's number for `preserve_allcc`: the callee saves every register.
pub const PRESERVE_ALL: u32 = 15;

/// LLVM's number for addresses from `fs` on.
const THREAD_CONTROL: u32 = 257;

#[derive(Clone, Copy)]
pub struct RuntimeFunction {
    pub ty: T,
    pub value: V,
    pub convention: u32,
}

pub struct Runtime {
    /// Where this thread's pointer to its slot is.
    pub slot: V,
    pub thread: RuntimeFunction,
    pub room: RuntimeFunction,
    pub tick: RuntimeFunction,
    pub surprise: RuntimeFunction,
    pub moved: RuntimeFunction,
    pub enter: RuntimeFunction,
    pub leave: RuntimeFunction,
    pub setjmp: RuntimeFunction,
    pub landed: RuntimeFunction,
    pub divide_error: RuntimeFunction,
}

impl Runtime {
    pub fn declare(module: &Module, b: &Builder) -> Runtime {
        let function = |name: &str, result: T, parameters: &[T], convention: u32| {
            let ty = b.function_type(result, parameters);
            let name = CString::new(name).unwrap_or_default();
            // SAFETY: adds a declaration to the module.
            unsafe {
                let value = LLVMAddFunction(module.raw(), name.as_ptr(), ty);
                LLVMSetFunctionCallConv(value, convention);
                // Each executable and shared library has its own.
                LLVMSetVisibility(value, LLVMVisibility::LLVMHiddenVisibility);
                for attribute in ["nounwind", "cold"] {
                    let attribute = LLVMCreateEnumAttribute(module.context(), attribute_kind(attribute), 0);
                    LLVMAddAttributeAtIndex(value, LLVMAttributeFunctionIndex, attribute);
                }
                RuntimeFunction { ty, value, convention }
            }
        };
        // SAFETY: a constant address.
        let slot = unsafe {
            LLVMConstIntToPtr(b.i64_of(abi::SLOT_PLACE), LLVMPointerTypeInContext(module.context(), THREAD_CONTROL))
        };
        Runtime {
            slot,
            thread: function(symbol::THREAD, b.ptr, &[], PRESERVE_ALL),
            room: function(symbol::ROOM, b.void, &[b.ptr], PRESERVE_ALL),
            tick: function(symbol::TICK, b.i64, &[b.ptr, b.i64, b.ptr, b.i64, b.i64, b.i64], PRESERVE_ALL),
            surprise: function(symbol::SURPRISE, b.void, &[b.ptr, b.i64, b.i64, b.i64], PRESERVE_ALL),
            moved: function(symbol::MOVED, b.void, &[b.ptr, b.i64, b.i64, b.i64], PRESERVE_ALL),
            enter: function(symbol::ENTER, b.void, &[b.ptr, b.i64, b.ptr], 0),
            leave: function(symbol::LEAVE, b.void, &[b.ptr, b.ptr], 0),
            setjmp: function(symbol::SETJMP, b.void, &[b.ptr, b.i64, b.i32, b.i32], 0),
            landed: function(symbol::LANDED, b.void, &[b.ptr, b.i64, b.i32], 0),
            divide_error: function(symbol::DIVIDE_ERROR, b.void, &[], 0),
        }
    }
}

impl Builder {
    pub fn call_runtime(&self, function: RuntimeFunction, arguments: &[V]) -> V {
        let call = self.call(function.ty, function.value, arguments);
        // SAFETY: the call just built.
        unsafe { LLVMSetInstructionCallConv(call, function.convention) };
        call
    }
}
