//! Debug metadata: its operands and the fields that LLVM's C interface gives out.
//!
//! The interface hides some fields (the encoding of a basic type, the value of an enumerator, the operations of an
//! address expression); [`Metadata::print`] shows them all, since LLVM's text form is complete.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use crate::text::{owned_message, text};
use crate::{DebugFile, Function, Instruction, Module, Value};

pub use llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;

/// An entry of the module's metadata, and the context it is of; equal references are the same entry. It is alive as long as
/// that context, which the module owns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'m>(LLVMMetadataRef, LLVMContextRef, PhantomData<&'m Module>);

impl<'m> Metadata<'m> {
    /// # Safety
    ///
    /// `raw` is null or metadata of the context, and the context is that of a module that lives for `'m`.
    unsafe fn if_any(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<Metadata<'m>> {
        (!raw.is_null()).then_some(Metadata(raw, context, PhantomData))
    }

    /// The metadata an operand of an intrinsic call wraps.
    ///
    /// # Safety
    ///
    /// `value` is null or a value of a module that lives for `'m`, and the context is that module's.
    unsafe fn from_value(value: LLVMValueRef, context: LLVMContextRef) -> Option<Metadata<'m>> {
        if value.is_null() {
            return None;
        }
        // SAFETY: any value can stand as metadata, of its own context.
        unsafe { Metadata::if_any(LLVMValueAsMetadata(value), context) }
    }

    fn as_value(self) -> LLVMValueRef {
        // SAFETY: the metadata is of this context.
        unsafe { LLVMMetadataAsValue(self.1, self.0) }
    }

    pub fn kind(self) -> MetadataKind {
        // SAFETY: any metadata has a kind, one of the enumeration: both are of LLVM 19.
        unsafe { LLVMGetMetadataKind(self.0) }
    }

    /// Whether LLVM keeps it as a node, which has operands.
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
        // SAFETY: a node; LLVM fills in as many operands as it counts, all of the same context.
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
        let mut length = 0;
        // SAFETY: of what is no string LLVM gives null; otherwise the text's place in the context, and its length.
        unsafe {
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
        let mut value = std::ptr::null_mut();
        // SAFETY: of a value that stands as metadata, LLVM fills in just that value.
        unsafe {
            LLVMGetMDNodeOperands(self.as_value(), &mut value);
            Value::if_any(value)
        }
    }

    /// Whether LLVM keeps a DWARF tag in it; elsewhere it keeps other things at that place.
    fn has_tag(self) -> bool {
        use MetadataKind::*;
        let has_none = matches!(
            self.kind(),
            LLVMMDTupleMetadataKind
                | LLVMDILocationMetadataKind
                | LLVMDIExpressionMetadataKind
                | LLVMDIGlobalVariableExpressionMetadataKind
                | LLVMDIAssignIDMetadataKind
        );
        self.is_tree() && !has_none
    }

    /// The DWARF tag of a type; 0 of what has none.
    pub fn tag(self) -> u16 {
        // SAFETY: asked of entries that have one.
        if self.has_tag() { unsafe { LLVMGetDINodeTag(self.0) } } else { 0 }
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
        let mut length = 0;
        // SAFETY: a type; LLVM gives the name's place in the context, and its length.
        unsafe { text(LLVMDITypeGetName(self.0, &mut length), length) }
    }

    pub fn size_in_bits(self) -> u64 {
        // SAFETY: asked of types only.
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.0) } } else { 0 }
    }

    pub fn offset_in_bits(self) -> u64 {
        // SAFETY: asked of types only.
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.0) } } else { 0 }
    }

    /// The flags of a type, as `DIFlags` has them.
    pub fn type_flags(self) -> i32 {
        // SAFETY: asked of types only.
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
        // SAFETY: asked of variables only.
        if self.is_variable() { unsafe { LLVMDIVariableGetLine(self.0) } } else { 0 }
    }

    pub fn variable_scope(self) -> Option<Metadata<'m>> {
        if !self.is_variable() {
            return None;
        }
        // SAFETY: a variable; its scope is of the same context.
        unsafe { Metadata::if_any(LLVMDIVariableGetScope(self.0), self.1) }
    }

    /// Directory and name of the file of a variable.
    pub fn variable_file(self) -> Option<(String, String)> {
        if !self.is_variable() {
            return None;
        }
        // SAFETY: a variable; its file is of the same context.
        let file: DebugFile<'m> = unsafe { DebugFile::if_any(LLVMDIVariableGetFile(self.0)) }?;
        Some((file.directory(), file.name()))
    }

    /// The whole entry in LLVM's text form; what it refers to is shown as addresses.
    pub fn print(self) -> String {
        // SAFETY: any value can be printed, and the text is ours to dispose of.
        unsafe { owned_message(LLVMPrintValueToString(self.as_value())) }
    }
}

impl Module {
    /// Turns debug records, which LLVM-C of this version cannot read, into calls of `llvm.dbg.declare` and relatives.
    /// Other instructions stay what and where they are, but their positions in a count of all change.
    pub fn use_debug_intrinsics(&self) {
        // SAFETY: the module is alive, and nothing is deleted that this crate gives out references to.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), 0) }
    }

    /// Turns them back: the calls are gone, and so are the functions they call.
    ///
    /// # Safety
    ///
    /// What refers to these calls and functions is not used again.
    pub unsafe fn use_debug_records(&self) {
        // SAFETY: the module is alive; for what is deleted the caller vouches.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), 1) }
    }
}

impl<'m> Value<'m> {
    /// The context of the value, which must be the module's.
    fn context(self, module: &Module) -> LLVMContextRef {
        // SAFETY: any type has a context.
        let own = unsafe { LLVMGetTypeContext(self.ty().0) };
        assert!(own == module.context(), "a value of another module");
        own
    }
}

impl<'m> Instruction<'m> {
    /// The innermost block of the source this instruction belongs to.
    pub fn scope(self, module: &'m Module) -> Option<Metadata<'m>> {
        let context = self.value().context(module);
        // SAFETY: this is an instruction; a location has a scope, and both are of the instruction's context.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw());
            if location.is_null() {
                return None;
            }
            Metadata::if_any(LLVMDILocationGetScope(location), context)
        }
    }

    /// The arguments of a debug intrinsic.
    pub fn metadata_arguments(self, module: &'m Module) -> Vec<Option<Metadata<'m>>> {
        let context = self.value().context(module);
        let metadata = |argument: Value<'m>| {
            let is_metadata = argument.kind() == llvm_sys::LLVMValueKind::LLVMMetadataAsValueValueKind;
            // SAFETY: an argument of this call, so of its context.
            if is_metadata { unsafe { Metadata::from_value(argument.raw(), context) } } else { None }
        };
        self.arguments().map(metadata).collect()
    }
}

impl<'m> Function<'m> {
    /// What debug information says of the function.
    pub fn subprogram(self, module: &'m Module) -> Option<Metadata<'m>> {
        let context = self.value().context(module);
        // SAFETY: this is a function, and what describes it is of its context.
        unsafe { Metadata::if_any(LLVMGetSubprogram(self.raw()), context) }
    }
}

impl<'m> Value<'m> {
    /// The variables of the source that a global variable holds, each with its address expression.
    pub fn global_debug(self, module: &'m Module) -> Vec<(Metadata<'m>, Option<Metadata<'m>>)> {
        let mut found = Vec::new();
        if !self.is_global_variable() {
            return found;
        }
        let (kind, context) = (module.metadata_kind("dbg"), self.context(module));
        // SAFETY: a global variable; LLVM makes a list of what is attached to it, which is ours to dispose of, and of which no
        // more is read than it counts. Variable and expression are asked of the kind that has them.
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
                let variable = Metadata::if_any(LLVMDIGlobalVariableExpressionGetVariable(pair), context);
                let expression = Metadata::if_any(LLVMDIGlobalVariableExpressionGetExpression(pair), context);
                found.extend(variable.map(|variable| (variable, expression)));
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        found
    }

    /// What a global variable holds when the program starts; `None` if it is only declared here.
    pub fn initialiser(self) -> Option<Value<'m>> {
        if !self.is_global_variable() {
            return None;
        }
        // SAFETY: a global variable.
        unsafe { Value::if_any(LLVMGetInitializer(self.raw())) }
    }

    /// Whether this is an array of bytes, all given.
    pub fn is_constant_bytes(self) -> bool {
        // SAFETY: the first may be asked of any value, and tells whether the second may.
        unsafe { !LLVMIsAConstantDataSequential(self.raw()).is_null() && LLVMIsConstantString(self.raw()) != 0 }
    }

    /// The bytes of such an array.
    pub fn constant_bytes(self) -> Vec<u8> {
        if !self.is_constant_bytes() {
            return Vec::new();
        }
        // SAFETY: LLVM gives the array's place in the context, and its length, which is not zero.
        unsafe {
            let mut length = 0;
            let start = LLVMGetAsString(self.raw(), &mut length);
            std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec()
        }
    }

    /// Whether this is a global variable that nobody writes.
    pub fn is_constant_global(self) -> bool {
        // SAFETY: asked of global variables only.
        self.is_global_variable() && unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }
}
