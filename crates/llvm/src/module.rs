//! An LLVM module that owns its context.

use std::ffi::{CStr, c_char};
use std::ptr;

use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};

use crate::text::{owned_message, text};

/// What LLVM said when it could not read or accept a module.
#[derive(Debug)]
pub struct LlvmError(pub String);

impl std::fmt::Display for LlvmError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LlvmError {}

/// Context and module are alive, and nobody else's, as long as this is.
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
        // SAFETY: the module is alive; the message, empty if all is well, is ours to dispose of.
        unsafe {
            let mut message = ptr::null_mut();
            let failed =
                LLVMVerifyModule(self.module, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) != 0;
            let said = owned_message(message);
            if failed { Err(LlvmError(said)) } else { Ok(()) }
        }
    }

    pub fn print(&self) -> String {
        // SAFETY: the module is alive; the text is ours to dispose of.
        unsafe { owned_message(LLVMPrintModuleToString(self.module)) }
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
        let mut length = 0;
        // SAFETY: the module is alive; LLVM gives the name's place in it, and its length.
        unsafe { text(LLVMGetSourceFileName(self.module, &mut length), length) }
    }

    /// The target triple.
    pub fn target(&self) -> String {
        // SAFETY: a string of the module's that ends with a zero byte.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.module)).to_string_lossy().into_owned() }
    }

    pub fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: the context is alive, and the name, given with its length, is copied.
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
                        strings.push(text(start, length as usize));
                    }
                }
            }
        }
        strings
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

extern "C" fn ignore_diagnostic(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}

/// The context is where to note it.
extern "C" fn note_diagnostic(_: LLVMDiagnosticInfoRef, noted: *mut std::ffi::c_void) {
    // SAFETY: `parse` sets the handler with a flag of its own, and another handler before that flag is gone.
    unsafe { noted.cast::<bool>().write(true) }
}
