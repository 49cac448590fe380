//! Builds instructions: LLVM's builder with the few types and operations instrumentation needs.
//!
//! Values are raw references here; all belong to the one module being instrumented.

use std::ffi::CString;

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMTypeKind};

use llvm::Module;

pub type V = LLVMValueRef;
pub type T = LLVMTypeRef;
pub type B = LLVMBasicBlockRef;

pub struct Builder {
    pub context: LLVMContextRef,
    raw: LLVMBuilderRef,
    pub i1: T,
    pub i8: T,
    pub i16: T,
    pub i32: T,
    pub i64: T,
    pub ptr: T,
    pub void: T,
}

// SAFETY of this file: every reference passed in belongs to the module whose context this builder was made for.
impl Builder {
    pub fn new(module: &Module) -> Builder {
        let context = module.context();
        unsafe {
            Builder {
                context,
                raw: LLVMCreateBuilderInContext(context),
                i1: LLVMInt1TypeInContext(context),
                i8: LLVMInt8TypeInContext(context),
                i16: LLVMInt16TypeInContext(context),
                i32: LLVMInt32TypeInContext(context),
                i64: LLVMInt64TypeInContext(context),
                ptr: LLVMPointerTypeInContext(context, 0),
                void: LLVMVoidTypeInContext(context),
            }
        }
    }

    pub fn raw(&self) -> LLVMBuilderRef {
        self.raw
    }

    pub fn at_end(&self, block: B) {
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block) }
    }

    pub fn before(&self, instruction: V) {
        unsafe { LLVMPositionBuilderBefore(self.raw, instruction) }
    }

    pub fn block(&self) -> B {
        unsafe { LLVMGetInsertBlock(self.raw) }
    }

    /// New instructions get the source position of this one.
    pub fn locate_as(&self, instruction: V) {
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(instruction)) }
    }

    pub fn locate_nowhere(&self) {
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut()) }
    }

    /// Takes an instruction out of its block and puts it at the builder's position.
    pub fn move_here(&self, instruction: V) {
        unsafe {
            let mut length = 0;
            let start = LLVMGetValueName2(instruction, &mut length);
            let name = CString::new(std::slice::from_raw_parts(start.cast::<u8>(), length)).unwrap_or_default();
            self.locate_as(instruction);
            LLVMInstructionRemoveFromParent(instruction);
            LLVMInsertIntoBuilderWithName(self.raw, instruction, name.as_ptr());
        }
    }

    pub fn int(&self, ty: T, value: u64) -> V {
        unsafe { LLVMConstInt(ty, value, 0) }
    }

    pub fn i64_of(&self, value: u64) -> V {
        self.int(self.i64, value)
    }

    pub fn alloca(&self, ty: T, name: &str) -> V {
        let name = CString::new(name).unwrap_or_default();
        unsafe { LLVMBuildAlloca(self.raw, ty, name.as_ptr()) }
    }

    pub fn load(&self, ty: T, address: V) -> V {
        unsafe { LLVMBuildLoad2(self.raw, ty, address, c"".as_ptr()) }
    }

    pub fn load_volatile(&self, ty: T, address: V) -> V {
        let load = self.load(ty, address);
        unsafe { LLVMSetVolatile(load, 1) };
        load
    }

    pub fn store(&self, value: V, address: V) -> V {
        unsafe { LLVMBuildStore(self.raw, value, address) }
    }

    pub fn store_volatile(&self, value: V, address: V) -> V {
        let store = self.store(value, address);
        unsafe { LLVMSetVolatile(store, 1) };
        store
    }

    /// `address + offset` in bytes.
    pub fn offset(&self, address: V, offset: u64) -> V {
        let mut index = [self.i64_of(offset)];
        unsafe { LLVMBuildGEP2(self.raw, self.i8, address, index.as_mut_ptr(), 1, c"".as_ptr()) }
    }

    /// The address of an element of an array.
    pub fn element(&self, ty: T, array: V, position: V) -> V {
        unsafe { LLVMBuildGEP2(self.raw, ty, array, [position].as_mut_ptr(), 1, c"".as_ptr()) }
    }

    pub fn add(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildAdd(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn sub(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildSub(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn mul(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildMul(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn and(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildAnd(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn or(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildOr(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn xor(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildXor(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn shl(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildShl(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn lshr(&self, a: V, b: V) -> V {
        unsafe { LLVMBuildLShr(self.raw, a, b, c"".as_ptr()) }
    }

    pub fn icmp(&self, predicate: LLVMIntPredicate, a: V, b: V) -> V {
        unsafe { LLVMBuildICmp(self.raw, predicate, a, b, c"".as_ptr()) }
    }

    pub fn zext(&self, value: V, ty: T) -> V {
        unsafe { LLVMBuildZExtOrBitCast(self.raw, value, ty, c"".as_ptr()) }
    }

    pub fn trunc(&self, value: V, ty: T) -> V {
        unsafe { LLVMBuildTruncOrBitCast(self.raw, value, ty, c"".as_ptr()) }
    }

    pub fn bitcast(&self, value: V, ty: T) -> V {
        unsafe { LLVMBuildBitCast(self.raw, value, ty, c"".as_ptr()) }
    }

    pub fn ptr_to_int(&self, value: V) -> V {
        unsafe { LLVMBuildPtrToInt(self.raw, value, self.i64, c"".as_ptr()) }
    }

    pub fn int_to_ptr(&self, value: V) -> V {
        unsafe { LLVMBuildIntToPtr(self.raw, value, self.ptr, c"".as_ptr()) }
    }

    pub fn jump(&self, target: B) -> V {
        unsafe { LLVMBuildBr(self.raw, target) }
    }

    pub fn branch(&self, condition: V, then: B, otherwise: B) -> V {
        unsafe { LLVMBuildCondBr(self.raw, condition, then, otherwise) }
    }

    pub fn unreachable(&self) -> V {
        unsafe { LLVMBuildUnreachable(self.raw) }
    }

    /// A branch whose condition is almost never true.
    pub fn branch_unlikely(&self, condition: V, then: B, otherwise: B) {
        unsafe {
            let branch = LLVMBuildCondBr(self.raw, condition, then, otherwise);
            let weight = |n| LLVMValueAsMetadata(self.int(self.i32, n));
            let kind = LLVMMDStringInContext2(self.context, c"branch_weights".as_ptr(), 14);
            let mut operands = [kind, weight(1), weight(1 << 20)];
            let node = LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), operands.len());
            let prof = LLVMGetMDKindIDInContext(self.context, c"prof".as_ptr(), 4);
            LLVMSetMetadata(branch, prof, LLVMMetadataAsValue(self.context, node));
        }
    }

    pub fn phi(&self, ty: T, incoming: &[(V, B)]) -> V {
        unsafe {
            let phi = LLVMBuildPhi(self.raw, ty, c"".as_ptr());
            let mut values: Vec<V> = incoming.iter().map(|i| i.0).collect();
            let mut blocks: Vec<B> = incoming.iter().map(|i| i.1).collect();
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), incoming.len() as u32);
            phi
        }
    }

    pub fn call(&self, ty: T, callee: V, arguments: &[V]) -> V {
        let mut arguments = arguments.to_vec();
        unsafe { LLVMBuildCall2(self.raw, ty, callee, arguments.as_mut_ptr(), arguments.len() as u32, c"".as_ptr()) }
    }

    /// A new block placed before another.
    pub fn new_block_before(&self, other: B, name: &str) -> B {
        let name = CString::new(name).unwrap_or_default();
        unsafe { LLVMInsertBasicBlockInContext(self.context, other, name.as_ptr()) }
    }

    pub fn new_block_at_end(&self, function: V, name: &str) -> B {
        let name = CString::new(name).unwrap_or_default();
        unsafe { LLVMAppendBasicBlockInContext(self.context, function, name.as_ptr()) }
    }

    pub fn function_type(&self, result: T, parameters: &[T]) -> T {
        let mut parameters = parameters.to_vec();
        unsafe { LLVMFunctionType(result, parameters.as_mut_ptr(), parameters.len() as u32, 0) }
    }

    /// A value of up to 64 bits as an integer of 64, zero-extended; `None` for wider types.
    pub fn widen(&self, value: V) -> Option<V> {
        unsafe {
            let ty = LLVMTypeOf(value);
            Some(match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMIntegerTypeKind if LLVMGetIntTypeWidth(ty) <= 64 => self.zext(value, self.i64),
                LLVMTypeKind::LLVMPointerTypeKind => self.ptr_to_int(value),
                LLVMTypeKind::LLVMDoubleTypeKind => self.bitcast(value, self.i64),
                LLVMTypeKind::LLVMFloatTypeKind => self.zext(self.bitcast(value, self.i32), self.i64),
                _ => return None,
            })
        }
    }

    /// The reverse of [`Builder::widen`].
    pub fn narrow(&self, value: V, ty: T) -> V {
        unsafe {
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMPointerTypeKind => self.int_to_ptr(value),
                LLVMTypeKind::LLVMDoubleTypeKind => self.bitcast(value, ty),
                LLVMTypeKind::LLVMFloatTypeKind => self.bitcast(self.trunc(value, self.i32), ty),
                _ => self.trunc(value, ty),
            }
        }
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: created in `new`.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}
