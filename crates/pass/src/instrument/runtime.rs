//! Declarations of the runtime's functions, as the table in `abi` has them.

use std::ffi::CString;

use abi::{Passed, Preserves};
use llvm::{Function, Module, Value, attribute_kind};
use llvm_sys::core::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMCallConv, LLVMVisibility};

use crate::builder::Builder;

/// LLVM's number for `preserve_allcc`: the callee saves every register. The C interface has no name for it.
const PRESERVE_ALL: u32 = 15;

/// LLVM's number for addresses from `fs` on.
const THREAD_CONTROL: u32 = 257;

#[derive(Clone, Copy)]
pub struct RuntimeFunction<'m> {
    function: Function<'m>,
    convention: u32,
}

pub struct Runtime<'m> {
    /// Where this thread's pointer to its slot is.
    pub slot: Value<'m>,
    pub thread: RuntimeFunction<'m>,
    pub room: RuntimeFunction<'m>,
    pub tick: RuntimeFunction<'m>,
    pub surprise: RuntimeFunction<'m>,
    pub moved: RuntimeFunction<'m>,
    pub enter: RuntimeFunction<'m>,
    pub leave: RuntimeFunction<'m>,
    pub setjmp: RuntimeFunction<'m>,
    pub landed: RuntimeFunction<'m>,
    pub divide_error: RuntimeFunction<'m>,
}

impl<'m> Runtime<'m> {
    pub fn declare(module: &'m Module, b: &Builder<'m>) -> Runtime<'m> {
        // SAFETY: a constant address, of a type of the module's context.
        let slot = unsafe {
            let place = LLVMPointerTypeInContext(module.context(), THREAD_CONTROL);
            Value::from_raw(LLVMConstIntToPtr(b.i64_of(abi::SLOT_PLACE).raw(), place))
        };
        Runtime {
            slot,
            thread: declare(module, b, abi::THREAD),
            room: declare(module, b, abi::ROOM),
            tick: declare(module, b, abi::TICK),
            surprise: declare(module, b, abi::SURPRISE),
            moved: declare(module, b, abi::MOVED),
            enter: declare(module, b, abi::ENTER),
            leave: declare(module, b, abi::LEAVE),
            setjmp: declare(module, b, abi::SETJMP),
            landed: declare(module, b, abi::LANDED),
            divide_error: declare(module, b, abi::DIVIDE_ERROR),
        }
    }
}

fn declare<'m>(module: &'m Module, b: &Builder<'m>, declared: abi::RuntimeFunction) -> RuntimeFunction<'m> {
    let ty = |passed: &Passed| match passed {
        Passed::Pointer => b.ptr,
        Passed::Word => b.i32,
        Passed::Long => b.i64,
    };
    let parameters: Vec<_> = declared.parameters.iter().map(ty).collect();
    let signature = b.function_type(declared.result.as_ref().map_or(b.void, ty), &parameters);
    let convention = match declared.preserves {
        Preserves::AsC => LLVMCallConv::LLVMCCallConv as u32,
        Preserves::All => PRESERVE_ALL,
    };
    let name = CString::new(declared.symbol).unwrap_or_default();
    // SAFETY: adds a function to the module, whose name is copied; attributes are made in the module's context.
    let value = unsafe {
        let function = LLVMAddFunction(module.raw(), name.as_ptr(), signature.0);
        LLVMSetFunctionCallConv(function, convention);
        // Each executable and shared library has its own.
        LLVMSetVisibility(function, LLVMVisibility::LLVMHiddenVisibility);
        for attribute in ["nounwind", "cold"] {
            let attribute = LLVMCreateEnumAttribute(module.context(), attribute_kind(attribute), 0);
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
        }
        Value::from_raw(function)
    };
    RuntimeFunction { function: value.as_function().expect("a function was added"), convention }
}

impl<'m> Builder<'m> {
    pub fn call_runtime(&self, function: RuntimeFunction<'m>, arguments: &[Value<'m>]) -> Value<'m> {
        let call = self.call(function.function, arguments);
        // SAFETY: the call just built.
        unsafe { LLVMSetInstructionCallConv(call.raw(), function.convention) };
        call.value()
    }
}
