//! LLVM types, with sizes and offsets by the module's data layout.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

use crate::Module;
use crate::text::owned_message;

pub use llvm_sys::LLVMTypeKind as TypeKind;

/// A type, which lives as long as the module's context.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m>(pub LLVMTypeRef, PhantomData<&'m Module>);

impl<'m> Type<'m> {
    /// # Safety
    ///
    /// `raw` is not null, and is a type of the context of a module that lives for `'m`.
    pub unsafe fn from_raw(raw: LLVMTypeRef) -> Type<'m> {
        Type(raw, PhantomData)
    }

    pub fn kind(self) -> TypeKind {
        // SAFETY: any type has a kind, and this one is alive.
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// LLVM does not check of what kind a type is that it is asked about, and reads whatever is there.
    fn expect(self, kind: TypeKind) {
        assert!(self.kind() == kind, "this cannot be asked of a type of this kind");
    }

    /// Width of an integer type in bits.
    pub fn bits(self) -> u32 {
        self.expect(TypeKind::LLVMIntegerTypeKind);
        // SAFETY: an integer type.
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Element type and count of an array or vector.
    pub fn elements(self) -> Option<(Type<'m>, u64)> {
        // SAFETY: each is asked of the kind that has it; element types are of the same context.
        unsafe {
            let count = match self.kind() {
                TypeKind::LLVMArrayTypeKind => LLVMGetArrayLength2(self.0),
                TypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(self.0).into(),
                _ => return None,
            };
            Some((Type::from_raw(LLVMGetElementType(self.0)), count))
        }
    }

    /// Field types of a struct, with their offsets in bytes. None of a struct without a size, which has no layout.
    pub fn fields(self, module: &Module) -> Vec<(Type<'m>, u64)> {
        self.expect(TypeKind::LLVMStructTypeKind);
        if !self.is_sized() {
            return Vec::new();
        }
        // SAFETY: a struct that has a layout, asked for as many fields as it has.
        unsafe {
            let at = |i| (LLVMStructGetTypeAtIndex(self.0, i), LLVMOffsetOfElement(module.data_layout(), self.0, i));
            let all = (0..LLVMCountStructElementTypes(self.0)).map(at);
            all.map(|(ty, offset)| (Type::from_raw(ty), offset)).collect()
        }
    }

    pub fn is_sized(self) -> bool {
        // SAFETY: may be asked of any type.
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Bytes a value of this type takes in an array: size with padding.
    pub fn alloc_size(self, module: &Module) -> u64 {
        self.expect_size();
        // SAFETY: the type has a size, and the layout is the module's for as long as that lives.
        unsafe { LLVMABISizeOfType(module.data_layout(), self.0) }
    }

    /// Bytes a store of this type writes.
    pub fn store_size(self, module: &Module) -> u64 {
        self.expect_size();
        // SAFETY: as above.
        unsafe { LLVMStoreSizeOfType(module.data_layout(), self.0) }
    }

    fn expect_size(self) {
        assert!(self.is_sized(), "a type without a size");
    }

    pub fn return_type(self) -> Type<'m> {
        self.expect(TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type.
        unsafe { Type::from_raw(LLVMGetReturnType(self.0)) }
    }

    pub fn parameters(self) -> Vec<Type<'m>> {
        self.expect(TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type; LLVM fills in as many parameters as it counts.
        unsafe {
            let count = LLVMCountParamTypes(self.0) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(|ty| Type::from_raw(ty)).collect()
        }
    }

    pub fn is_variadic(self) -> bool {
        self.expect(TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type.
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub fn print(self) -> String {
        // SAFETY: any type can be printed, and the text is ours to dispose of.
        unsafe { owned_message(LLVMPrintTypeToString(self.0)) }
    }
}
