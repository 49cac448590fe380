//! Source positions of instructions and functions.

use std::marker::PhantomData;

use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;

use crate::{Function, Instruction, Module};

/// A place in the source. Line and column count from 1; 0 where the compiler knows none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    pub directory: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// A source file as the module's debug information knows it: a key to intern by before any text is copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DebugFile<'m>(LLVMMetadataRef, PhantomData<&'m Module>);

/// Like [`Location`], without copying text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position<'m> {
    pub file: DebugFile<'m>,
    pub line: u32,
    pub column: u32,
}

impl<'m> DebugFile<'m> {
    pub(crate) fn from_raw(file: LLVMMetadataRef) -> Option<DebugFile<'m>> {
        (!file.is_null()).then_some(DebugFile(file, PhantomData))
    }

    pub fn directory(self) -> String {
        self.text(LLVMDIFileGetDirectory)
    }

    pub fn name(self) -> String {
        self.text(LLVMDIFileGetFilename)
    }

    fn of_scope(scope: LLVMMetadataRef) -> Option<DebugFile<'m>> {
        // SAFETY: the scope belongs to the module.
        DebugFile::from_raw(unsafe { LLVMDIScopeGetFile(scope) })
    }

    fn text(self, get: unsafe extern "C" fn(LLVMMetadataRef, *mut u32) -> *const std::ffi::c_char) -> String {
        // SAFETY: LLVM returns a pointer and length into the module.
        unsafe {
            let mut length = 0;
            let start = get(self.0, &mut length);
            if start.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length as usize)).into_owned()
        }
    }
}

impl<'m> Instruction<'m> {
    /// The innermost location: of inlined code, where it was written, not where it was inlined.
    pub fn position(self) -> Option<Position<'m>> {
        // SAFETY: the metadata read here belongs to the instruction's module.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw());
            if location.is_null() {
                return None;
            }
            Some(Position {
                file: DebugFile::of_scope(LLVMDILocationGetScope(location))?,
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
            })
        }
    }

    pub fn location(self) -> Option<Location> {
        let Position { file, line, column } = self.position()?;
        Some(Location { directory: file.directory(), file: file.name(), line, column })
    }
}

impl<'m> Function<'m> {
    /// Where the function is declared; the column is unknown.
    pub fn position(self) -> Option<Position<'m>> {
        // SAFETY: the metadata read here belongs to the function's module.
        unsafe {
            let subprogram = LLVMGetSubprogram(self.raw());
            if subprogram.is_null() {
                return None;
            }
            Some(Position {
                file: DebugFile::of_scope(subprogram)?,
                line: LLVMDISubprogramGetLine(subprogram),
                column: 0,
            })
        }
    }
}
