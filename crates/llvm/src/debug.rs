//! Source positions of instructions.

use llvm_sys::debuginfo::*;

use crate::Instruction;

/// A place in the source. Line and column count from 1; 0 where the compiler knows none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    pub directory: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Instruction<'_> {
    pub fn location(self) -> Option<Location> {
        // SAFETY: the metadata read here belongs to the instruction's module.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw());
            if location.is_null() {
                return None;
            }
            let scope = LLVMDILocationGetScope(location);
            let file = LLVMDIScopeGetFile(scope);
            let text = |get: unsafe extern "C" fn(_, *mut u32) -> *const std::ffi::c_char| {
                if file.is_null() {
                    return String::new();
                }
                let mut length = 0;
                let start = get(file, &mut length);
                if start.is_null() {
                    return String::new();
                }
                String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length as usize)).into_owned()
            };
            Some(Location {
                directory: text(LLVMDIFileGetDirectory),
                file: text(LLVMDIFileGetFilename),
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
            })
        }
    }
}
