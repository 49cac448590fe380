//! Source positions of instructions and functions.

use std::marker::PhantomData;

use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;

use crate::text::text;
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
    /// # Safety
    ///
    /// `file` is null, or a `DIFile` of the context of a module that lives for `'m`.
    pub(crate) unsafe fn if_any(file: LLVMMetadataRef) -> Option<DebugFile<'m>> {
        (!file.is_null()).then_some(DebugFile(file, PhantomData))
    }

    pub fn directory(self) -> String {
        let mut length = 0;
        // SAFETY: a file; LLVM gives the text's place in the context, and its length.
        unsafe { text(LLVMDIFileGetDirectory(self.0, &mut length), length as usize) }
    }

    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: as above.
        unsafe { text(LLVMDIFileGetFilename(self.0, &mut length), length as usize) }
    }

    /// # Safety
    ///
    /// `scope` is a `DIScope` of the context of a module that lives for `'m`.
    unsafe fn of_scope(scope: LLVMMetadataRef) -> Option<DebugFile<'m>> {
        // SAFETY: the caller vouches for the scope; its file is of the same context.
        unsafe { DebugFile::if_any(LLVMDIScopeGetFile(scope)) }
    }
}

impl<'m> Instruction<'m> {
    /// The innermost location: of inlined code, where it was written, not where it was inlined.
    pub fn position(self) -> Option<Position<'m>> {
        // SAFETY: this is an instruction; a location has a scope, and both are of the module's context.
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

    /// Whether the instruction comes from somewhere in the source.
    pub fn has_location(self) -> bool {
        // SAFETY: this is an instruction.
        unsafe { !LLVMInstructionGetDebugLoc(self.raw()).is_null() }
    }

    pub fn location(self) -> Option<Location> {
        let Position { file, line, column } = self.position()?;
        Some(Location { directory: file.directory(), file: file.name(), line, column })
    }
}

impl<'m> Function<'m> {
    /// Where the function is declared; the column is unknown.
    pub fn position(self) -> Option<Position<'m>> {
        // SAFETY: this is a function; what describes it is a scope of the module's context.
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
