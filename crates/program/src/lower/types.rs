//! Types with their layout.

use std::sync::Arc;

use llvm::TypeKind;

use super::{Lowering, Problem};
use crate::{FloatKind, Type};

impl<'m> Lowering<'m> {
    pub(super) fn ty(&mut self, ty: llvm::Type<'m>) -> Result<Type, Problem> {
        if let Some(known) = self.types.get(&ty) {
            return Ok(known.clone());
        }
        let lowered = self.new_type(ty)?;
        self.types.insert(ty, lowered.clone());
        Ok(lowered)
    }

    fn new_type(&mut self, ty: llvm::Type<'m>) -> Result<Type, Problem> {
        use TypeKind::*;
        Ok(match ty.kind() {
            LLVMVoidTypeKind => Type::Void,
            LLVMIntegerTypeKind => Type::Int(ty.bits()),
            LLVMHalfTypeKind => Type::Float(FloatKind::Half),
            LLVMBFloatTypeKind => Type::Float(FloatKind::BFloat),
            LLVMFloatTypeKind => Type::Float(FloatKind::Single),
            LLVMDoubleTypeKind => Type::Float(FloatKind::Double),
            LLVMX86_FP80TypeKind => Type::Float(FloatKind::X87),
            LLVMFP128TypeKind => Type::Float(FloatKind::Quad),
            // Only logged intrinsics compute with it; to us it is the 64 bits it casts from and to.
            LLVMX86_MMXTypeKind => Type::Int(64),
            // The segment-relative address spaces have pointers of the same size; x32-style ones have not.
            LLVMPointerTypeKind if ty.store_size(self.source) == 8 => Type::Pointer,
            LLVMStructTypeKind if ty.is_sized() => {
                let fields = ty
                    .fields(self.source)
                    .into_iter()
                    .map(|(field, offset)| Ok((self.ty(field)?, offset)))
                    .collect::<Result<Arc<[_]>, Problem>>()?;
                Type::Struct { fields, size: ty.alloc_size(self.source) }
            }
            kind @ (LLVMArrayTypeKind | LLVMVectorTypeKind) => {
                let (element, count) = ty.elements().ok_or_else(|| Problem::Type(ty.print()))?;
                let stride = element.alloc_size(self.source);
                let element = Arc::new(self.ty(element)?);
                if kind == LLVMArrayTypeKind {
                    Type::Array { element, count, stride }
                } else {
                    Type::Vector { element, count, store_size: ty.store_size(self.source) }
                }
            }
            LLVMPointerTypeKind
            | LLVMStructTypeKind
            | LLVMPPC_FP128TypeKind
            | LLVMLabelTypeKind
            | LLVMFunctionTypeKind
            | LLVMMetadataTypeKind
            | LLVMTokenTypeKind
            | LLVMScalableVectorTypeKind
            | LLVMX86_AMXTypeKind
            | LLVMTargetExtTypeKind => return Err(Problem::Type(ty.print())),
        })
    }
}
