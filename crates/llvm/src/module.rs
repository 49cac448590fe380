//! An LLVM module that owns its context.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};

use crate::{Function, Value};

/// What LLVM said when it could not read or accept a module.
#[derive(Debug)]
pub struct LlvmError(pub String);

impl std::fmt::Display for LlvmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LlvmError {}

pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    was_mended: bool,
}

impl Module {
    pub fn parse(bitcode: &[u8]) -> Result<Module, LlvmError> {
        // SAFETY: the memory buffer is a copy of `bitcode`; context and module are freed together in `drop`.
        unsafe {
            let context = LLVMContextCreate();
            let mut was_mended = false;
            LLVMContextSetDiagnosticHandler(context, Some(note_diagnostic), (&raw mut was_mended).cast());
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bitcode.as_ptr().cast::<c_char>(),
                bitcode.len(),
                c"".as_ptr(),
            );
            let mut module = ptr::null_mut();
            let failed = LLVMParseBitcodeInContext2(context, buffer, &mut module) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            LLVMContextSetDiagnosticHandler(context, Some(ignore_diagnostic), ptr::null_mut());
            if failed {
                LLVMContextDispose(context);
                return Err(LlvmError("not bitcode that LLVM 19 can read".into()));
            }
            Ok(Module { context, module, was_mended })
        }
    }

    /// Whether LLVM found fault with what it read and left that out: debug information, as a rule.
    pub fn was_mended(&self) -> bool {
        self.was_mended
    }

    pub fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is ours until disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.module);
            let bytes =
                std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Checks the module's well-formedness.
    pub fn verify(&self) -> Result<(), LlvmError> {
        use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
        // SAFETY: on failure the message is ours to dispose of.
        unsafe {
            let mut message = ptr::null_mut();
            let failed =
                LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) != 0;
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            if failed { Err(LlvmError(text)) } else { Ok(()) }
        }
    }

    pub fn print(&self) -> String {
        // SAFETY: as above.
        unsafe {
            let message = LLVMPrintModuleToString(self.module);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            text
        }
    }

    pub fn raw(&self) -> LLVMModuleRef {
        self.module
    }

    pub fn context(&self) -> LLVMContextRef {
        self.context
    }

    pub fn data_layout(&self) -> LLVMTargetDataRef {
        // SAFETY: the module is alive.
        unsafe { LLVMGetModuleDataLayout(self.module) }
    }

    pub fn source_file(&self) -> String {
        // SAFETY: LLVM returns a pointer and length into the module.
        unsafe {
            let mut length = 0;
            let start = LLVMGetSourceFileName(self.module, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length)).into_owned()
        }
    }

    /// The target triple.
    pub fn target(&self) -> String {
        // SAFETY: a string of the module's.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.module)).to_string_lossy().into_owned() }
    }

    pub fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: the name is copied.
        unsafe { LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), name.len() as u32) }
    }

    /// The strings of a named metadata node's operands, in order.
    pub fn named_strings(&self, name: &str) -> Vec<String> {
        let Ok(name) = std::ffi::CString::new(name) else { return Vec::new() };
        let mut strings = Vec::new();
        // SAFETY: LLVM fills exactly as many operands as it counts, and strings point into the context.
        unsafe {
            let mut entries =
                vec![ptr::null_mut(); LLVMGetNamedMetadataNumOperands(self.module, name.as_ptr()) as usize];
            LLVMGetNamedMetadataOperands(self.module, name.as_ptr(), entries.as_mut_ptr());
            for entry in entries {
                let mut operands = vec![ptr::null_mut(); LLVMGetMDNodeNumOperands(entry) as usize];
                LLVMGetMDNodeOperands(entry, operands.as_mut_ptr());
                for operand in operands.into_iter().filter(|o| !o.is_null()) {
                    let mut length = 0;
                    let start = LLVMGetMDString(operand, &mut length);
                    if !start.is_null() {
                        let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length as usize);
                        strings.push(String::from_utf8_lossy(bytes).into_owned());
                    }
                }
            }
        }
        strings
    }

    /// Functions, defined and declared, in module order: the n-th is `fn{n}`.
    pub fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        // SAFETY: the module's own list.
        chain(unsafe { LLVMGetFirstFunction(self.module) }, LLVMGetNextFunction).map(Function::from_value)
    }

    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as above.
        chain(unsafe { LLVMGetFirstGlobal(self.module) }, LLVMGetNextGlobal)
    }

    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as above.
        chain(unsafe { LLVMGetFirstGlobalAlias(self.module) }, LLVMGetNextGlobalAlias)
    }

    pub fn ifuncs(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as above.
        chain(unsafe { LLVMGetFirstGlobalIFunc(self.module) }, LLVMGetNextGlobalIFunc)
    }

    /// All global values in the order of a module descriptor's addresses: functions, variables, aliases, ifuncs.
    pub fn global_values(&self) -> impl Iterator<Item = Value<'_>> {
        self.functions().map(Function::value).chain(self.globals()).chain(self.aliases()).chain(self.ifuncs())
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: created in `parse`, disposed of once.
        unsafe {
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

/// Follows one of LLVM's linked lists.
pub(crate) fn chain<'m>(
    first: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    let mut current = first;
    std::iter::from_fn(move || {
        if current.is_null() {
            return None;
        }
        let value = current;
        // SAFETY: `value` is a member of the list.
        current = unsafe { next(value) };
        Some(Value(value, PhantomData))
    })
}

extern "C" fn ignore_diagnostic(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}

/// The context is where to note it.
extern "C" fn note_diagnostic(_: LLVMDiagnosticInfoRef, noted: *mut std::ffi::c_void) {
    // SAFETY: the handler is set for as long as the flag is there.
    unsafe { noted.cast::<bool>().write(true) }
}
