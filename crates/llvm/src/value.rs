//! Values, functions, blocks and instructions: copyable references into a module.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicOrdering, LLVMAttributeFunctionIndex, LLVMLinkage, LLVMOpcode, LLVMValueKind};

use crate::text::{owned_message, text};
use crate::{Module, Type};

/// A value of a module. What it refers to is alive for as long as `'m`: nothing in this crate deletes a value, and who
/// deletes one through [`raw`](Value::raw) must not use what refers to it again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m>(pub LLVMValueRef, pub(crate) PhantomData<&'m Module>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Function<'m>(Value<'m>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m>(pub LLVMBasicBlockRef, PhantomData<&'m Module>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction<'m>(Value<'m>);

impl<'m> Value<'m> {
    /// # Safety
    ///
    /// `raw` is not null, and is a value of a module that lives for `'m`.
    pub unsafe fn from_raw(raw: LLVMValueRef) -> Value<'m> {
        Value(raw, PhantomData)
    }

    /// What LLVM gave out for a value of the same module; it gives null for none.
    ///
    /// # Safety
    ///
    /// `raw` is null, or as [`Value::from_raw`] demands.
    pub(crate) unsafe fn if_any(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value(raw, PhantomData))
    }

    pub fn raw(self) -> LLVMValueRef {
        self.0
    }

    pub fn kind(self) -> LLVMValueKind {
        // SAFETY: any value has a kind, and this one is alive.
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub fn ty(self) -> Type<'m> {
        // SAFETY: any value has a type, which lives as long as the module's context.
        unsafe { Type::from_raw(LLVMTypeOf(self.0)) }
    }

    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: any value has a name, if an empty one; LLVM gives its place in the module, and its length.
        unsafe { text(LLVMGetValueName2(self.0, &mut length), length) }
    }

    /// None of what is neither an instruction nor a constant.
    pub fn operand_count(self) -> u32 {
        // SAFETY: the count is read of users only; other values have no operands to count.
        unsafe { if LLVMIsAUser(self.0).is_null() { 0 } else { LLVMGetNumOperands(self.0).max(0) as u32 } }
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count(), "an operand that is not there");
        // SAFETY: LLVM does not check the index, so that was done; what is there is of this module.
        unsafe { Value::if_any(LLVMGetOperand(self.0, index)) }.expect("the operand is set")
    }

    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    /// The values that use this one (an instruction that uses it twice appears twice).
    pub fn users(self) -> Vec<Value<'m>> {
        let mut users = Vec::new();
        // SAFETY: the list of uses ends with null and is not changed while it is read; users are of this module.
        unsafe {
            let mut current = LLVMGetFirstUse(self.0);
            while !current.is_null() {
                users.push(Value::from_raw(LLVMGetUser(current)));
                current = LLVMGetNextUse(current);
            }
        }
        users
    }

    pub fn is_constant(self) -> bool {
        // SAFETY: may be asked of any value.
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Not decided by [`Value::kind`]: LLVM-C gives out what it has no kind for (`dso_local_equivalent`) as instructions.
    pub fn as_instruction(self) -> Option<Instruction<'m>> {
        // SAFETY: may be asked of any value.
        unsafe { !LLVMIsAInstruction(self.0).is_null() }.then_some(Instruction(self))
    }

    pub fn as_function(self) -> Option<Function<'m>> {
        (self.kind() == LLVMValueKind::LLVMFunctionValueKind).then_some(Function(self))
    }

    pub fn print(self) -> String {
        // SAFETY: any value can be printed, and the text is ours to dispose of.
        unsafe { owned_message(LLVMPrintValueToString(self.0)) }
    }

    /// The number an integer constant of up to 64 bits is, unsigned.
    pub fn as_integer(self) -> Option<u64> {
        let fits = self.kind() == LLVMValueKind::LLVMConstantIntValueKind && self.ty().bits() <= 64;
        // SAFETY: an integer constant that fits.
        fits.then(|| unsafe { LLVMConstIntGetZExtValue(self.0) })
    }

    /// Whether this is a global variable.
    pub fn is_global_variable(self) -> bool {
        self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
    }

    /// Whether this is a global variable that is thread-local.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: asked of global variables only.
        self.is_global_variable() && unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Whether this is a global value that another module defines.
    pub fn is_declaration(self) -> bool {
        // SAFETY: asked of global values only.
        unsafe { !LLVMIsAGlobalValue(self.0).is_null() && LLVMIsDeclaration(self.0) != 0 }
    }
}

impl<'m> Function<'m> {
    /// # Safety
    ///
    /// The value is a function.
    pub(crate) unsafe fn from_value(value: Value<'m>) -> Function<'m> {
        Function(value)
    }

    pub fn value(self) -> Value<'m> {
        self.0
    }

    pub fn raw(self) -> LLVMValueRef {
        self.0.0
    }

    pub fn name(self) -> String {
        self.0.name()
    }

    pub fn is_declaration(self) -> bool {
        self.0.is_declaration()
    }

    /// The function's own type (not the pointer's).
    pub fn function_type(self) -> Type<'m> {
        // SAFETY: a function is a global value.
        unsafe { Type::from_raw(LLVMGlobalGetValueType(self.raw())) }
    }

    pub fn parameters(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: this is a function.
        let count = unsafe { LLVMCountParams(self.raw()) };
        // SAFETY: it has that many parameters, none of which is null.
        (0..count).map(move |i| unsafe { Value::from_raw(LLVMGetParam(self.raw(), i)) })
    }

    pub fn blocks(self) -> Vec<Block<'m>> {
        let mut blocks = Vec::new();
        // SAFETY: the function's list of blocks ends with null and is not changed while it is read.
        unsafe {
            let mut current = LLVMGetFirstBasicBlock(self.raw());
            while !current.is_null() {
                blocks.push(Block::from_raw(current));
                current = LLVMGetNextBasicBlock(current);
            }
        }
        blocks
    }

    /// All instructions in order: the n-th is `i{n}`.
    pub fn instructions(self) -> Vec<Instruction<'m>> {
        self.blocks().into_iter().flat_map(|b| b.instructions().collect::<Vec<_>>()).collect()
    }

    pub fn string_attribute(self, name: &str) -> Option<String> {
        // SAFETY: the name is given with its length; LLVM gives null, or a string attribute whose text the context owns.
        unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                self.raw(),
                LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                name.len() as u32,
            );
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetStringAttributeValue(attribute, &mut length);
            Some(text(start, length as usize))
        }
    }

    pub fn linkage(self) -> LLVMLinkage {
        // SAFETY: a function is a global value; its linkage is one of the enumeration.
        unsafe { LLVMGetLinkage(self.raw()) }
    }

    /// Whether no other module sees the function.
    pub fn is_private(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// Whether this is an LLVM intrinsic.
    pub fn is_intrinsic(self) -> bool {
        // SAFETY: this is a function.
        unsafe { LLVMGetIntrinsicID(self.raw()) != 0 }
    }

    /// The enum attribute at an index (`LLVMAttributeFunctionIndex`, 0 for the result, n for the n-th parameter).
    pub fn has_attribute(self, index: u32, name: &str) -> bool {
        // SAFETY: a function has attributes; of an index it has none at, LLVM says null.
        unsafe { !LLVMGetEnumAttributeAtIndex(self.raw(), index, attribute_kind(name)).is_null() }
    }

    /// The type that an attribute like `byval` names; it must be one that names a type.
    pub fn attribute_type(self, index: u32, name: &str) -> Option<Type<'m>> {
        // SAFETY: as above; that the attribute names a type was checked.
        unsafe { type_of_attribute(LLVMGetEnumAttributeAtIndex(self.raw(), index, attribute_kind(name))) }
    }
}

impl<'m> Block<'m> {
    /// # Safety
    ///
    /// `raw` is not null, and is a block of a function of a module that lives for `'m`.
    pub unsafe fn from_raw(raw: LLVMBasicBlockRef) -> Block<'m> {
        Block(raw, PhantomData)
    }

    pub fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }

    pub fn name(self) -> String {
        // SAFETY: every block is a value.
        unsafe { Value::from_raw(LLVMBasicBlockAsValue(self.0)) }.name()
    }

    pub fn instructions(self) -> impl Iterator<Item = Instruction<'m>> {
        // SAFETY: the block's own list, whose members are instructions of this module.
        unsafe { chain(LLVMGetFirstInstruction(self.0), LLVMGetNextInstruction) }.map(Instruction)
    }

    pub fn function(self) -> Function<'m> {
        // SAFETY: every block that can be referred to is in a function.
        unsafe { Function(Value::from_raw(LLVMGetBasicBlockParent(self.0))) }
    }

    /// Of a block that is complete.
    pub fn terminator(self) -> Instruction<'m> {
        // SAFETY: what LLVM gives is an instruction of this block, or null.
        let terminator = unsafe { Value::if_any(LLVMGetBasicBlockTerminator(self.0)) };
        Instruction(terminator.expect("the block is complete"))
    }
}

impl<'m> Instruction<'m> {
    pub fn value(self) -> Value<'m> {
        self.0
    }

    pub fn raw(self) -> LLVMValueRef {
        self.0.0
    }

    pub fn opcode(self) -> LLVMOpcode {
        // SAFETY: this is an instruction.
        unsafe { LLVMGetInstructionOpcode(self.raw()) }
    }

    /// LLVM does not check of what kind an instruction is that it is asked about, and reads whatever is there.
    pub(crate) fn expect(self, opcodes: &[LLVMOpcode]) {
        assert!(opcodes.contains(&self.opcode()), "this cannot be asked of an instruction of this kind");
    }

    fn expect_call(self) {
        self.expect(&[LLVMOpcode::LLVMCall, LLVMOpcode::LLVMInvoke, LLVMOpcode::LLVMCallBr]);
    }

    pub fn ty(self) -> Type<'m> {
        self.0.ty()
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        self.0.operand(index)
    }

    pub fn operand_count(self) -> u32 {
        self.0.operand_count()
    }

    pub fn block(self) -> Block<'m> {
        // SAFETY: every instruction that is reached from a module is in a block.
        unsafe { Block::from_raw(LLVMGetInstructionParent(self.raw())) }
    }

    /// None of what does not end a block.
    pub fn successors(self) -> Vec<Block<'m>> {
        // SAFETY: asked of terminators only, and of as many successors as there are; these are blocks of its function.
        unsafe {
            if LLVMIsATerminatorInst(self.raw()).is_null() {
                return Vec::new();
            }
            let count = LLVMGetNumSuccessors(self.raw());
            (0..count).map(|i| Block::from_raw(LLVMGetSuccessor(self.raw(), i))).collect()
        }
    }

    /// The callee operand of a call or invoke.
    pub fn callee(self) -> Value<'m> {
        self.expect_call();
        // SAFETY: this is a call, and every call has a callee.
        unsafe { Value::from_raw(LLVMGetCalledValue(self.raw())) }
    }

    /// The function type a call or invoke is made with.
    pub fn called_type(self) -> Type<'m> {
        self.expect_call();
        // SAFETY: this is a call.
        unsafe { Type::from_raw(LLVMGetCalledFunctionType(self.raw())) }
    }

    /// The arguments of a call or invoke.
    pub fn arguments(self) -> impl Iterator<Item = Value<'m>> {
        self.expect_call();
        // SAFETY: this is a call.
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        (0..count).map(move |i| self.operand(i))
    }

    /// An enum attribute of a call site, or of the function it names directly.
    pub fn has_call_attribute(self, index: u32, name: &str) -> bool {
        self.expect_call();
        // SAFETY: this is a call; of an index it has no attributes at, LLVM says null.
        let is_here = unsafe { !LLVMGetCallSiteEnumAttribute(self.raw(), index, attribute_kind(name)).is_null() };
        is_here || self.callee().as_function().is_some_and(|f| f.has_attribute(index, name))
    }

    /// The type an attribute of an argument of this call names (`byval`), if it has the attribute.
    pub fn call_attribute_type(self, index: u32, name: &str) -> Option<Type<'m>> {
        self.expect_call();
        // SAFETY: as above; that the attribute names a type is checked.
        unsafe { type_of_attribute(LLVMGetCallSiteEnumAttribute(self.raw(), index, attribute_kind(name))) }
    }

    /// Whether a load or store is neither volatile nor atomic.
    pub fn is_plain_access(self) -> bool {
        self.expect(&[LLVMOpcode::LLVMLoad, LLVMOpcode::LLVMStore]);
        // SAFETY: a load or store.
        unsafe {
            LLVMGetVolatile(self.raw()) == 0
                && LLVMGetOrdering(self.raw()) == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
        }
    }

    /// The alignment of a load, store or alloca, in bytes.
    pub fn alignment(self) -> u32 {
        self.expect(&[LLVMOpcode::LLVMLoad, LLVMOpcode::LLVMStore, LLVMOpcode::LLVMAlloca]);
        // SAFETY: an instruction that has an alignment.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    pub fn alloca_type(self) -> Type<'m> {
        self.expect(&[LLVMOpcode::LLVMAlloca]);
        // SAFETY: this is an alloca.
        unsafe { Type::from_raw(LLVMGetAllocatedType(self.raw())) }
    }

    /// The incoming values of a phi with their blocks.
    pub fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        self.expect(&[LLVMOpcode::LLVMPHI]);
        let raw = self.raw();
        // SAFETY: this is a phi, and is asked for as many as it has; its values and blocks are its function's.
        unsafe {
            let at = |i| (LLVMGetIncomingValue(raw, i), LLVMGetIncomingBlock(raw, i));
            let all = (0..LLVMCountIncoming(raw)).map(at);
            all.map(|(value, block)| (Value::from_raw(value), Block::from_raw(block))).collect()
        }
    }

    /// The integers of a metadata node attached under this kind; none if it holds anything else.
    pub fn metadata_integers(self, kind: u32) -> Option<Vec<u64>> {
        // SAFETY: what is attached to an instruction is a node; LLVM fills in as many operands as it counts, null for one
        // that is absent, which is no constant integer either.
        unsafe {
            let node = LLVMGetMetadata(self.raw(), kind);
            if node.is_null() {
                return None;
            }
            let count = LLVMGetMDNodeNumOperands(node) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            if operands.iter().any(|&o| o.is_null() || LLVMIsAConstantInt(o).is_null()) {
                return Some(Vec::new());
            }
            Some(operands.into_iter().map(|o| LLVMConstIntGetZExtValue(o)).collect())
        }
    }
}

/// Follows one of LLVM's linked lists.
///
/// # Safety
///
/// `first` and whatever `next` gives for a member are null, or members of a list of a module that lives for `'m`. The list is
/// not changed while it is followed.
pub(crate) unsafe fn chain<'m>(
    first: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = Value<'m>> {
    let mut current = first;
    std::iter::from_fn(move || {
        // SAFETY: the caller vouches for the list.
        let value = unsafe { Value::if_any(current) }?;
        // SAFETY: `value` is a member of the list.
        current = unsafe { next(value.0) };
        Some(value)
    })
}

/// The type that an attribute names, if there is the attribute.
///
/// # Safety
///
/// `attribute` is null or an attribute of a module that lives for `'m`.
unsafe fn type_of_attribute<'m>(attribute: LLVMAttributeRef) -> Option<Type<'m>> {
    if attribute.is_null() {
        return None;
    }
    // SAFETY: there is an attribute, and whether it names a type is asked first.
    unsafe {
        assert!(LLVMIsTypeAttribute(attribute) != 0, "an attribute that names no type");
        Some(Type::from_raw(LLVMGetTypeAttributeValue(attribute)))
    }
}

/// The number LLVM knows an enum attribute by.
pub fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name is given with its length, and not kept.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
