//! Debug metadata: its operands and the fields that LLVM's C interface gives out.
//!
//! The interface hides some fields (the encoding of a basic type, the value of an enumerator, the operations of an
//! address expression); [`Metadata::print`] shows them all, since LLVM's text form is complete.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use crate::{Function, Instruction, Module, Value};

pub use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;

/// An entry of the module's metadata; equal references are the same entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'m>(LLVMMetadataRef, LLVMContextRef, PhantomData<&'m Module>);

// Every call below reads metadata that lives as long as the module's context.
impl<'m> Metadata<'m> {
    fn from_raw(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata(raw, context, PhantomData))
    }

    /// The metadata an operand of an intrinsic call wraps.
    fn from_value(value: LLVMValueRef, context: LLVMContextRef) -> Option<Metadata<'m>> {
        if value.is_null() {
            return None;
        }
        unsafe { Metadata::from_raw(LLVMValueAsMetadata(value), context) }
    }

    fn as_value(self) -> LLVMValueRef {
        unsafe { LLVMMetadataAsValue(self.1, self.0) }
    }

    pub fn kind(self) -> MetadataKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }

    fn is_tree(self) -> bool {
        use MetadataKind::*;
        !matches!(
            self.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDIArgListMetadataKind
        )
    }

    /// In the order LLVM keeps them, which differs between kinds; `None` where one is absent.
    pub fn operands(self) -> Vec<Option<Metadata<'m>>> {
        if !self.is_tree() {
            return Vec::new();
        }
        unsafe {
            let value = self.as_value();
            let mut raw = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, raw.as_mut_ptr());
            raw.into_iter().map(|operand| Metadata::from_value(operand, self.1)).collect()
        }
    }

    pub fn operand(self, index: usize) -> Option<Metadata<'m>> {
        self.operands().get(index).copied().flatten()
    }

    /// The text of a string.
    pub fn string(self) -> Option<String> {
        unsafe {
            let mut length = 0;
            let start = LLVMGetMDString(self.as_value(), &mut length);
            (!start.is_null()).then(|| text(start, length as usize))
        }
    }

    /// The value that stands here as metadata: a constant, an instruction or a parameter.
    pub fn value(self) -> Option<Value<'m>> {
        use MetadataKind::*;
        if !matches!(self.kind(), LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind) {
            return None;
        }
        unsafe {
            let mut value = std::ptr::null_mut();
            LLVMGetMDNodeOperands(self.as_value(), &mut value);
            (!value.is_null()).then(|| Value::from_raw(value))
        }
    }

    /// The DWARF tag of a type; 0 of what has none.
    pub fn tag(self) -> u16 {
        if self.is_tree() { unsafe { LLVMGetDINodeTag(self.0) } } else { 0 }
    }

    fn is_type(self) -> bool {
        use MetadataKind::*;
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
                | LLVMDIStringTypeMetadataKind
        )
    }

    pub fn type_name(self) -> String {
        if !self.is_type() {
            return String::new();
        }
        unsafe {
            let mut length = 0;
            let start = LLVMDITypeGetName(self.0, &mut length);
            if start.is_null() { String::new() } else { text(start, length) }
        }
    }

    pub fn size_in_bits(self) -> u64 {
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.0) } } else { 0 }
    }

    pub fn offset_in_bits(self) -> u64 {
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.0) } } else { 0 }
    }

    /// The flags of a type, as `DIFlags` has them.
    pub fn type_flags(self) -> i32 {
        if self.is_type() { unsafe { LLVMDITypeGetFlags(self.0) } } else { 0 }
    }

    fn is_variable(self) -> bool {
        matches!(
            self.kind(),
            MetadataKind::LLVMDILocalVariableMetadataKind | MetadataKind::LLVMDIGlobalVariableMetadataKind
        )
    }

    /// Where a variable is declared; 0 if unknown.
    pub fn variable_line(self) -> u32 {
        if self.is_variable() { unsafe { LLVMDIVariableGetLine(self.0) } } else { 0 }
    }

    pub fn variable_scope(self) -> Option<Metadata<'m>> {
        if !self.is_variable() {
            return None;
        }
        unsafe { Metadata::from_raw(LLVMDIVariableGetScope(self.0), self.1) }
    }

    /// Directory and name of the file of a variable.
    pub fn variable_file(self) -> Option<(String, String)> {
        if !self.is_variable() {
            return None;
        }
        let file = unsafe { LLVMDIVariableGetFile(self.0) };
        let file = crate::DebugFile::from_raw(file)?;
        Some((file.directory(), file.name()))
    }

    /// The whole entry in LLVM's text form; what it refers to is shown as addresses.
    pub fn print(self) -> String {
        unsafe {
            let message = LLVMPrintValueToString(self.as_value());
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            text
        }
    }
}

unsafe fn text(start: *const c_char, length: usize) -> String {
    unsafe { String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length)).into_owned() }
}

impl Module {
    /// Turns debug records, which LLVM-C of this version cannot read, into calls of `llvm.dbg.declare` and relatives.
    /// Other instructions stay what and where they are, but their positions in a count of all change.
    pub fn use_debug_intrinsics(&self) {
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), 0) }
    }

    /// Turns them back: the calls are gone.
    pub fn use_debug_records(&self) {
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), 1) }
    }
}

impl<'m> Instruction<'m> {
    /// The innermost block of the source this instruction belongs to.
    pub fn scope(self, module: &'m Module) -> Option<Metadata<'m>> {
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw());
            if location.is_null() {
                return None;
            }
            Metadata::from_raw(LLVMDILocationGetScope(location), module.context())
        }
    }

    /// The arguments of a debug intrinsic.
    pub fn metadata_arguments(self, module: &'m Module) -> Vec<Option<Metadata<'m>>> {
        let is_metadata = |a: &Value<'m>| a.kind() == llvm_sys::LLVMValueKind::LLVMMetadataAsValueValueKind;
        self.arguments()
            .map(|a| if is_metadata(&a) { Metadata::from_value(a.raw(), module.context()) } else { None })
            .collect()
    }
}

impl<'m> Function<'m> {
    /// What debug information says of the function.
    pub fn subprogram(self, module: &'m Module) -> Option<Metadata<'m>> {
        unsafe { Metadata::from_raw(LLVMGetSubprogram(self.raw()), module.context()) }
    }
}

impl<'m> Value<'m> {
    /// The variables of the source that a global variable holds, each with its address expression.
    pub fn global_debug(self, module: &'m Module) -> Vec<(Metadata<'m>, Option<Metadata<'m>>)> {
        let kind = module.metadata_kind("dbg");
        let mut found = Vec::new();
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw(), &mut count);
            for entry in 0..count as u32 {
                if LLVMValueMetadataEntriesGetKind(entries, entry) != kind {
                    continue;
                }
                let pair = LLVMValueMetadataEntriesGetMetadata(entries, entry);
                if !matches!(LLVMGetMetadataKind(pair), MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                    continue;
                }
                let variable = LLVMDIGlobalVariableExpressionGetVariable(pair);
                let expression = LLVMDIGlobalVariableExpressionGetExpression(pair);
                if let Some(variable) = Metadata::from_raw(variable, module.context()) {
                    found.push((variable, Metadata::from_raw(expression, module.context())));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        found
    }

    /// What a global variable holds when the program starts; `None` if it is only declared here.
    pub fn initialiser(self) -> Option<Value<'m>> {
        let value = unsafe { LLVMGetInitializer(self.raw()) };
        (!value.is_null()).then(|| Value::from_raw(value))
    }

    /// Whether this is an array of bytes, all given.
    pub fn is_constant_bytes(self) -> bool {
        unsafe { !LLVMIsAConstantDataSequential(self.raw()).is_null() && LLVMIsConstantString(self.raw()) != 0 }
    }

    /// The bytes of such an array.
    pub fn constant_bytes(self) -> Vec<u8> {
        if !self.is_constant_bytes() {
            return Vec::new();
        }
        unsafe {
            let mut length = 0;
            let start = LLVMGetAsString(self.raw(), &mut length);
            std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec()
        }
    }

    /// Whether nobody writes a global variable.
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }
}
