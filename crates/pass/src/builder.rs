//! Builds instructions: LLVM's builder with the few types and operations instrumentation needs.
//!
//! What LLVM's builder is given it believes. So values, types and blocks come with the module they are of, and operands are
//! checked to be of the types that the operation is for.

use std::ffi::{CStr, CString};

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMOpcode};

use llvm::{Block, Function, Instruction, Module, Type, TypeKind, Value};

pub struct Builder<'m> {
    module: &'m Module,
    raw: LLVMBuilderRef,
    pub i1: Type<'m>,
    pub i8: Type<'m>,
    pub i16: Type<'m>,
    pub i32: Type<'m>,
    pub i64: Type<'m>,
    pub ptr: Type<'m>,
    pub void: Type<'m>,
}

const UNNAMED: &CStr = c"";

impl<'m> Builder<'m> {
    pub fn new(module: &'m Module) -> Builder<'m> {
        let context = module.context();
        // SAFETY: builder and types are made in the module's context; the builder borrows the module and is gone before it.
        unsafe {
            Builder {
                module,
                raw: LLVMCreateBuilderInContext(context),
                i1: Type::from_raw(LLVMInt1TypeInContext(context)),
                i8: Type::from_raw(LLVMInt8TypeInContext(context)),
                i16: Type::from_raw(LLVMInt16TypeInContext(context)),
                i32: Type::from_raw(LLVMInt32TypeInContext(context)),
                i64: Type::from_raw(LLVMInt64TypeInContext(context)),
                ptr: Type::from_raw(LLVMPointerTypeInContext(context, 0)),
                void: Type::from_raw(LLVMVoidTypeInContext(context)),
            }
        }
    }

    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// LLVM's builder, for what is built in one place only. It has a position.
    pub fn raw(&self) -> LLVMBuilderRef {
        _ = self.block();
        self.raw
    }

    pub fn at_end(&self, block: Block<'m>) {
        // SAFETY: a block of the module.
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block.raw()) }
    }

    pub fn before(&self, instruction: Instruction<'m>) {
        // SAFETY: an instruction of the module, which is in a block.
        unsafe { LLVMPositionBuilderBefore(self.raw, instruction.raw()) }
    }

    /// The block that is being built. There must be one before anything is built.
    pub fn block(&self) -> Block<'m> {
        // SAFETY: LLVM gives the block of the last position, of this module, or null if there was none.
        unsafe {
            let block = LLVMGetInsertBlock(self.raw);
            assert!(!block.is_null(), "the builder has no position");
            Block::from_raw(block)
        }
    }

    /// New instructions get the source position of this one.
    pub fn locate_as(&self, instruction: Instruction<'m>) {
        // SAFETY: an instruction's location is null or a location of the module's context.
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(instruction.raw())) }
    }

    pub fn locate_nowhere(&self) {
        // SAFETY: null stands for no location.
        unsafe { LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut()) }
    }

    /// Takes an instruction out of its block and puts it at the builder's position.
    pub fn move_here(&self, instruction: Instruction<'m>) {
        let name = CString::new(instruction.value().name()).unwrap_or_default();
        self.locate_as(instruction);
        // SAFETY: the instruction is in a block, and in one again afterwards; nobody can have a position before it, since the
        // builder's is where it goes.
        unsafe {
            LLVMInstructionRemoveFromParent(instruction.raw());
            LLVMInsertIntoBuilderWithName(self.raw(), instruction.raw(), name.as_ptr());
        }
    }

    /// A constant of an integer type.
    pub fn int(&self, ty: Type<'m>, value: u64) -> Value<'m> {
        assert!(ty.kind() == TypeKind::LLVMIntegerTypeKind, "a number of a type that has none");
        // SAFETY: an integer type; the constant is of its context.
        unsafe { Value::from_raw(LLVMConstInt(ty.0, value, 0)) }
    }

    pub fn i64_of(&self, value: u64) -> Value<'m> {
        self.int(self.i64, value)
    }

    /// The zero of a type, whatever that is.
    pub fn zero(&self, ty: Type<'m>) -> Value<'m> {
        assert!(ty.is_sized(), "a zero of a type that has no values");
        // SAFETY: a type that has values has a zero, of its context.
        unsafe { Value::from_raw(LLVMConstNull(ty.0)) }
    }

    /// The integer all of whose bits are set.
    pub fn all_ones(&self, ty: Type<'m>) -> Value<'m> {
        assert!(ty.kind() == TypeKind::LLVMIntegerTypeKind, "a number of a type that has none");
        // SAFETY: an integer type; the constant is of its context.
        unsafe { Value::from_raw(LLVMConstAllOnes(ty.0)) }
    }

    pub fn array_of(&self, element: Type<'m>, count: u64) -> Type<'m> {
        assert!(element.is_sized(), "an array of what has no size");
        // SAFETY: a type that can be an element; the array's is of its context.
        unsafe { Type::from_raw(LLVMArrayType2(element.0, count)) }
    }

    pub fn alloca(&self, ty: Type<'m>, name: &str) -> Value<'m> {
        assert!(ty.is_sized(), "a variable without a size");
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: a type with a size; the alloca is built at the builder's position, in the module.
        unsafe { Value::from_raw(LLVMBuildAlloca(self.raw(), ty.0, name.as_ptr())) }
    }

    pub fn load(&self, ty: Type<'m>, address: Value<'m>) -> Value<'m> {
        self.expect_pointer(address);
        assert!(ty.is_sized(), "a load without a size");
        // SAFETY: an address, and a type with a size; built at the builder's position, in the module.
        unsafe { Value::from_raw(LLVMBuildLoad2(self.raw(), ty.0, address.raw(), UNNAMED.as_ptr())) }
    }

    pub fn load_volatile(&self, ty: Type<'m>, address: Value<'m>) -> Value<'m> {
        let load = self.load(ty, address);
        // SAFETY: the load just built.
        unsafe { LLVMSetVolatile(load.raw(), 1) };
        load
    }

    pub fn store(&self, value: Value<'m>, address: Value<'m>) -> Value<'m> {
        self.expect_pointer(address);
        // SAFETY: an address; built at the builder's position, in the module.
        unsafe { Value::from_raw(LLVMBuildStore(self.raw(), value.raw(), address.raw())) }
    }

    pub fn store_volatile(&self, value: Value<'m>, address: Value<'m>) -> Value<'m> {
        let store = self.store(value, address);
        // SAFETY: the store just built.
        unsafe { LLVMSetVolatile(store.raw(), 1) };
        store
    }

    /// `address + offset` in bytes.
    pub fn offset(&self, address: Value<'m>, offset: u64) -> Value<'m> {
        self.element(self.i8, address, self.i64_of(offset))
    }

    /// The address of an element of an array.
    pub fn element(&self, ty: Type<'m>, array: Value<'m>, position: Value<'m>) -> Value<'m> {
        self.expect_pointer(array);
        assert!(ty.is_sized() && position.ty() == self.i64, "no element of an array");
        let mut index = [position.raw()];
        // SAFETY: an address, elements with a size and one integer index; built at the builder's position, in the module.
        unsafe {
            let address = LLVMBuildGEP2(self.raw(), ty.0, array.raw(), index.as_mut_ptr(), 1, UNNAMED.as_ptr());
            Value::from_raw(address)
        }
    }

    fn expect_pointer(&self, address: Value<'m>) {
        assert!(address.ty().kind() == TypeKind::LLVMPointerTypeKind, "no address");
    }

    /// An operation of two integers, or vectors of them.
    pub fn binary(&self, operation: LLVMOpcode, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        use LLVMOpcode::*;
        let is_of_integers = matches!(
            operation,
            LLVMAdd | LLVMSub | LLVMMul | LLVMURem | LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr
        );
        assert!(is_of_integers && a.ty() == b.ty() && is_integral(a.ty()), "operands of an operation for other types");
        // SAFETY: operands of one type, which the operation is for; built at the builder's position, in the module.
        unsafe { Value::from_raw(LLVMBuildBinOp(self.raw(), operation, a.raw(), b.raw(), UNNAMED.as_ptr())) }
    }

    pub fn add(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMAdd, a, b)
    }

    pub fn sub(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMSub, a, b)
    }

    pub fn mul(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMMul, a, b)
    }

    pub fn and(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMAnd, a, b)
    }

    pub fn or(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMOr, a, b)
    }

    pub fn xor(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMXor, a, b)
    }

    pub fn shl(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMShl, a, b)
    }

    pub fn lshr(&self, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        self.binary(LLVMOpcode::LLVMLShr, a, b)
    }

    /// Compares integers or addresses.
    pub fn icmp(&self, predicate: LLVMIntPredicate, a: Value<'m>, b: Value<'m>) -> Value<'m> {
        let is_comparable = is_integral(a.ty()) || a.ty().kind() == TypeKind::LLVMPointerTypeKind;
        assert!(is_comparable && a.ty() == b.ty(), "operands that cannot be compared");
        // SAFETY: operands of one type that has an order; built at the builder's position, in the module.
        unsafe { Value::from_raw(LLVMBuildICmp(self.raw(), predicate, a.raw(), b.raw(), UNNAMED.as_ptr())) }
    }

    /// The conversion `operation`; none if the value is of that type.
    fn cast(&self, operation: LLVMOpcode, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        use TypeKind::*;
        if value.ty() == ty {
            return value;
        }
        let from = value.ty();
        let is_valid = match (operation, from.kind(), ty.kind()) {
            (LLVMOpcode::LLVMZExt, LLVMIntegerTypeKind, LLVMIntegerTypeKind) => from.bits() < ty.bits(),
            (LLVMOpcode::LLVMTrunc, LLVMIntegerTypeKind, LLVMIntegerTypeKind) => from.bits() > ty.bits(),
            (LLVMOpcode::LLVMPtrToInt, LLVMPointerTypeKind, LLVMIntegerTypeKind)
            | (LLVMOpcode::LLVMIntToPtr, LLVMIntegerTypeKind, LLVMPointerTypeKind) => true,
            (LLVMOpcode::LLVMBitCast, LLVMIntegerTypeKind, LLVMFloatTypeKind)
            | (LLVMOpcode::LLVMBitCast, LLVMFloatTypeKind, LLVMIntegerTypeKind)
            | (LLVMOpcode::LLVMBitCast, LLVMIntegerTypeKind, LLVMDoubleTypeKind)
            | (LLVMOpcode::LLVMBitCast, LLVMDoubleTypeKind, LLVMIntegerTypeKind) => {
                from.store_size(self.module) == ty.store_size(self.module)
            }
            _ => false,
        };
        assert!(is_valid, "a conversion between types that it is not for");
        // SAFETY: the conversion is for these types; built at the builder's position, in the module.
        unsafe { Value::from_raw(LLVMBuildCast(self.raw(), operation, value.raw(), ty.0, UNNAMED.as_ptr())) }
    }

    pub fn zext(&self, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        self.cast(LLVMOpcode::LLVMZExt, value, ty)
    }

    pub fn trunc(&self, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        self.cast(LLVMOpcode::LLVMTrunc, value, ty)
    }

    pub fn bitcast(&self, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        self.cast(LLVMOpcode::LLVMBitCast, value, ty)
    }

    pub fn ptr_to_int(&self, value: Value<'m>) -> Value<'m> {
        self.cast(LLVMOpcode::LLVMPtrToInt, value, self.i64)
    }

    pub fn int_to_ptr(&self, value: Value<'m>) -> Value<'m> {
        self.cast(LLVMOpcode::LLVMIntToPtr, value, self.ptr)
    }

    pub fn jump(&self, target: Block<'m>) {
        // SAFETY: a block of the module; built at the builder's position.
        unsafe { LLVMBuildBr(self.raw(), target.raw()) };
    }

    pub fn branch(&self, condition: Value<'m>, then: Block<'m>, otherwise: Block<'m>) -> Value<'m> {
        assert!(condition.ty() == self.i1, "no condition");
        // SAFETY: a condition and two blocks of the module; built at the builder's position.
        unsafe { Value::from_raw(LLVMBuildCondBr(self.raw(), condition.raw(), then.raw(), otherwise.raw())) }
    }

    pub fn unreachable(&self) {
        // SAFETY: built at the builder's position.
        unsafe { LLVMBuildUnreachable(self.raw()) };
    }

    /// A branch whose condition is almost never true.
    pub fn branch_unlikely(&self, condition: Value<'m>, then: Block<'m>, otherwise: Block<'m>) {
        let branch = self.branch(condition, then, otherwise);
        let context = self.module.context();
        let (likely, unlikely) = (self.int(self.i32, 1 << 20), self.int(self.i32, 1));
        // SAFETY: metadata made in the module's context, of operands of that context, put on the branch just built.
        unsafe {
            let kind = LLVMMDStringInContext2(context, c"branch_weights".as_ptr(), 14);
            let mut operands = [kind, LLVMValueAsMetadata(unlikely.raw()), LLVMValueAsMetadata(likely.raw())];
            let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
            LLVMSetMetadata(branch.raw(), self.module.metadata_kind("prof"), LLVMMetadataAsValue(context, node));
        }
    }

    pub fn phi(&self, ty: Type<'m>, incoming: &[(Value<'m>, Block<'m>)]) -> Value<'m> {
        assert!(ty.is_sized(), "a value without a size");
        // SAFETY: a type that has values; built at the builder's position, in the module.
        let phi = unsafe { Value::from_raw(LLVMBuildPhi(self.raw(), ty.0, UNNAMED.as_ptr())) };
        incoming.iter().for_each(|&(value, block)| self.add_incoming(phi, value, block));
        phi
    }

    /// One more value of a phi, which comes from this block.
    pub fn add_incoming(&self, phi: Value<'m>, value: Value<'m>, block: Block<'m>) {
        let is_phi = phi.as_instruction().is_some_and(|phi| phi.opcode() == LLVMOpcode::LLVMPHI);
        assert!(is_phi && phi.ty() == value.ty(), "not for this phi");
        // SAFETY: a phi, and a value of its type; LLVM copies one of each array.
        unsafe { LLVMAddIncoming(phi.raw(), [value.raw()].as_mut_ptr(), [block.raw()].as_mut_ptr(), 1) };
    }

    pub fn call(&self, function: Function<'m>, arguments: &[Value<'m>]) -> Instruction<'m> {
        let ty = function.function_type();
        let expected = ty.parameters();
        let fits = expected.len() == arguments.len() && arguments.iter().zip(&expected).all(|(a, e)| a.ty() == *e);
        assert!(fits, "arguments that `{}` is not called with", function.name());
        let mut arguments: Vec<_> = arguments.iter().map(|argument| argument.raw()).collect();
        let (list, count) = (arguments.as_mut_ptr(), arguments.len() as u32);
        // SAFETY: a function with arguments of its types, which LLVM copies; built at the builder's position, in the module.
        let call =
            unsafe { Value::from_raw(LLVMBuildCall2(self.raw(), ty.0, function.raw(), list, count, UNNAMED.as_ptr())) };
        call.as_instruction().expect("a call is an instruction")
    }

    /// An intrinsic, for these types where it is overloaded.
    pub fn intrinsic(&self, name: &str, types: &[Type<'m>]) -> Function<'m> {
        let mut types: Vec<_> = types.iter().map(|ty| ty.0).collect();
        // SAFETY: the name is given with its length, the types with their number; they are of the module's context.
        let intrinsic = unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert!(id != 0, "no intrinsic `{name}`");
            Value::from_raw(LLVMGetIntrinsicDeclaration(self.module.raw(), id, types.as_mut_ptr(), types.len()))
        };
        intrinsic.as_function().expect("an intrinsic is a function")
    }

    /// A new block placed before another.
    pub fn new_block_before(&self, other: Block<'m>, name: &str) -> Block<'m> {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: a block of the module; the name is copied.
        unsafe { Block::from_raw(LLVMInsertBasicBlockInContext(self.module.context(), other.raw(), name.as_ptr())) }
    }

    pub fn new_block_at_end(&self, function: Function<'m>, name: &str) -> Block<'m> {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: a function of the module; the name is copied.
        unsafe { Block::from_raw(LLVMAppendBasicBlockInContext(self.module.context(), function.raw(), name.as_ptr())) }
    }

    pub fn function_type(&self, result: Type<'m>, parameters: &[Type<'m>]) -> Type<'m> {
        let mut parameters: Vec<_> = parameters.iter().map(|ty| ty.0).collect();
        // SAFETY: types of the module's context, which LLVM copies.
        unsafe { Type::from_raw(LLVMFunctionType(result.0, parameters.as_mut_ptr(), parameters.len() as u32, 0)) }
    }

    /// A value of up to 64 bits as an integer of 64, zero-extended; `None` for wider types.
    pub fn widen(&self, value: Value<'m>) -> Option<Value<'m>> {
        let ty = value.ty();
        Some(match ty.kind() {
            TypeKind::LLVMIntegerTypeKind if ty.bits() <= 64 => self.zext(value, self.i64),
            TypeKind::LLVMPointerTypeKind => self.ptr_to_int(value),
            TypeKind::LLVMDoubleTypeKind => self.bitcast(value, self.i64),
            TypeKind::LLVMFloatTypeKind => self.zext(self.bitcast(value, self.i32), self.i64),
            _ => return None,
        })
    }

    /// The reverse of [`Builder::widen`].
    pub fn narrow(&self, value: Value<'m>, ty: Type<'m>) -> Value<'m> {
        match ty.kind() {
            TypeKind::LLVMPointerTypeKind => self.int_to_ptr(value),
            TypeKind::LLVMDoubleTypeKind => self.bitcast(value, ty),
            TypeKind::LLVMFloatTypeKind => self.bitcast(self.trunc(value, self.i32), ty),
            _ => self.trunc(value, ty),
        }
    }
}

/// Integers, and vectors of them.
fn is_integral(ty: Type<'_>) -> bool {
    let element = ty.elements().map_or(ty, |(element, _)| element);
    element.kind() == TypeKind::LLVMIntegerTypeKind && ty.kind() != TypeKind::LLVMArrayTypeKind
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `new`, disposed of once, before the module whose context it is of.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

/// Erases an instruction that nobody uses any more.
///
/// # Safety
///
/// What refers to the instruction is not used again.
pub unsafe fn erase(instruction: Instruction<'_>) {
    assert!(instruction.value().users().is_empty(), "an instruction that is still used");
    // SAFETY: it is in a block, and has no users left; for references the caller vouches.
    unsafe { LLVMInstructionEraseFromParent(instruction.raw()) }
}

/// Lets everybody who uses `old` use `new`.
pub fn replace_uses<'m>(old: Value<'m>, new: Value<'m>) {
    assert!(old.ty() == new.ty() && old != new, "a replacement of another type");
    // SAFETY: both are values of one type.
    unsafe { LLVMReplaceAllUsesWith(old.raw(), new.raw()) }
}

/// Replaces an operand.
pub fn set_operand<'m>(instruction: Instruction<'m>, index: u32, new: Value<'m>) {
    assert!(instruction.operand(index).ty() == new.ty(), "an operand of another type");
    // SAFETY: an operand that is there, replaced by one of its type.
    unsafe { LLVMSetOperand(instruction.raw(), index, new.raw()) }
}
