//! LLVM types, with sizes and offsets by the module's data layout.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

use crate::Module;

pub use llvm_sys::LLVMTypeKind as TypeKind;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m>(pub LLVMTypeRef, pub(crate) PhantomData<&'m Module>);

// Every call below reads a type that lives as long as the module's context.
impl<'m> Type<'m> {
    pub fn from_raw(raw: LLVMTypeRef) -> Type<'m> {
        Type(raw, PhantomData)
    }

    pub fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Width of an integer type in bits.
    pub fn bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Element type and count of an array or vector.
    pub fn elements(self) -> Option<(Type<'m>, u64)> {
        unsafe {
            match self.kind() {
                TypeKind::LLVMArrayTypeKind => {
                    Some((Type::from_raw(LLVMGetElementType(self.0)), LLVMGetArrayLength2(self.0)))
                }
                TypeKind::LLVMVectorTypeKind => {
                    Some((Type::from_raw(LLVMGetElementType(self.0)), LLVMGetVectorSize(self.0).into()))
                }
                _ => None,
            }
        }
    }

    /// Field types of a struct, with their offsets in bytes.
    pub fn fields(self, module: &Module) -> Vec<(Type<'m>, u64)> {
        unsafe {
            let count = LLVMCountStructElementTypes(self.0);
            (0..count)
                .map(|i| {
                    (
                        Type::from_raw(LLVMStructGetTypeAtIndex(self.0, i)),
                        LLVMOffsetOfElement(module.data_layout(), self.0, i),
                    )
                })
                .collect()
        }
    }

    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Bytes a value of this type takes in an array: size with padding.
    pub fn alloc_size(self, module: &Module) -> u64 {
        unsafe { LLVMABISizeOfType(module.data_layout(), self.0) }
    }

    /// Bytes a store of this type writes.
    pub fn store_size(self, module: &Module) -> u64 {
        unsafe { LLVMStoreSizeOfType(module.data_layout(), self.0) }
    }

    pub fn return_type(self) -> Type<'m> {
        unsafe { Type::from_raw(LLVMGetReturnType(self.0)) }
    }

    pub fn parameters(self) -> Vec<Type<'m>> {
        unsafe {
            let count = LLVMCountParamTypes(self.0) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type::from_raw).collect()
        }
    }

    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub fn print(self) -> String {
        unsafe {
            let message = LLVMPrintTypeToString(self.0);
            let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            text
        }
    }
}
