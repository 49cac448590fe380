//! Values, functions, blocks and instructions: copyable references into a module.

use std::ffi::CStr;
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMOpcode, LLVMValueKind};

use crate::module::chain;
use crate::{Module, Type};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m>(pub LLVMValueRef, pub(crate) PhantomData<&'m Module>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Function<'m>(Value<'m>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m>(pub LLVMBasicBlockRef, PhantomData<&'m Module>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction<'m>(Value<'m>);

// Every call below reads a value that lives as long as the module.
impl<'m> Value<'m> {
    pub fn from_raw(raw: LLVMValueRef) -> Value<'m> {
        Value(raw, PhantomData)
    }

    pub fn raw(self) -> LLVMValueRef {
        self.0
    }

    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub fn ty(self) -> Type<'m> {
        unsafe { Type::from_raw(LLVMTypeOf(self.0)) }
    }

    pub fn name(self) -> String {
        unsafe {
            let mut length = 0;
            let start = LLVMGetValueName2(self.0, &mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length)).into_owned()
        }
    }

    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0).max(0) as u32 }
    }

    pub fn operand(self, index: u32) -> Value<'m> {
        unsafe { Value::from_raw(LLVMGetOperand(self.0, index)) }
    }

    pub fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    /// The values that use this one (an instruction that uses it twice appears twice).
    pub fn users(self) -> Vec<Value<'m>> {
        unsafe {
            let mut users = Vec::new();
            let mut current = LLVMGetFirstUse(self.0);
            while !current.is_null() {
                users.push(Value::from_raw(LLVMGetUser(current)));
                current = LLVMGetNextUse(current);
            }
            users
        }
    }

    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Not decided by [`Value::kind`]: LLVM-C gives out what it has no kind for (`dso_local_equivalent`) as instructions.
    pub fn as_instruction(self) -> Option<Instruction<'m>> {
        unsafe { !LLVMIsAInstruction(self.0).is_null() }.then_some(Instruction(self))
    }

    pub fn as_function(self) -> Option<Function<'m>> {
        (self.kind() == LLVMValueKind::LLVMFunctionValueKind).then_some(Function(self))
    }

    pub fn print(self) -> String {
        unsafe {
            let message = LLVMPrintValueToString(self.0);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            text
        }
    }

    /// Whether a global variable is thread-local.
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
}

impl<'m> Function<'m> {
    pub(crate) fn from_value(value: Value<'m>) -> Function<'m> {
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
        unsafe { Type::from_raw(LLVMGlobalGetValueType(self.raw())) }
    }

    pub fn parameters(self) -> impl Iterator<Item = Value<'m>> {
        let count = unsafe { LLVMCountParams(self.raw()) };
        (0..count).map(move |i| unsafe { Value::from_raw(LLVMGetParam(self.raw(), i)) })
    }

    pub fn blocks(self) -> Vec<Block<'m>> {
        unsafe {
            let mut blocks = Vec::new();
            let mut current = LLVMGetFirstBasicBlock(self.raw());
            while !current.is_null() {
                blocks.push(Block(current, PhantomData));
                current = LLVMGetNextBasicBlock(current);
            }
            blocks
        }
    }

    /// All instructions in order: the n-th is `i{n}`.
    pub fn instructions(self) -> Vec<Instruction<'m>> {
        self.blocks().into_iter().flat_map(|b| b.instructions().collect::<Vec<_>>()).collect()
    }

    pub fn string_attribute(self, name: &str) -> Option<String> {
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
            Some(String::from_utf8_lossy(std::slice::from_raw_parts(start.cast::<u8>(), length as usize)).into_owned())
        }
    }

    /// Whether this is an LLVM intrinsic.
    pub fn is_intrinsic(self) -> bool {
        unsafe { LLVMGetIntrinsicID(self.raw()) != 0 }
    }

    /// The enum attribute at an index (`LLVMAttributeFunctionIndex`, 0 for the result, n for the n-th parameter).
    pub fn has_attribute(self, index: u32, name: &str) -> bool {
        unsafe { !LLVMGetEnumAttributeAtIndex(self.raw(), index, attribute_kind(name)).is_null() }
    }

    /// The type that an attribute like `byval` names.
    pub fn attribute_type(self, index: u32, name: &str) -> Option<Type<'m>> {
        unsafe {
            let attribute = LLVMGetEnumAttributeAtIndex(self.raw(), index, attribute_kind(name));
            (!attribute.is_null()).then(|| Type::from_raw(LLVMGetTypeAttributeValue(attribute)))
        }
    }
}

impl<'m> Block<'m> {
    pub fn from_raw(raw: LLVMBasicBlockRef) -> Block<'m> {
        Block(raw, PhantomData)
    }

    pub fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }

    pub fn name(self) -> String {
        unsafe { Value::from_raw(LLVMBasicBlockAsValue(self.0)).name() }
    }

    pub fn instructions(self) -> impl Iterator<Item = Instruction<'m>> {
        chain(unsafe { LLVMGetFirstInstruction(self.0) }, LLVMGetNextInstruction).map(Instruction)
    }

    pub fn function(self) -> Function<'m> {
        unsafe { Function(Value::from_raw(LLVMGetBasicBlockParent(self.0))) }
    }

    pub fn terminator(self) -> Instruction<'m> {
        unsafe { Instruction(Value::from_raw(LLVMGetBasicBlockTerminator(self.0))) }
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
        unsafe { LLVMGetInstructionOpcode(self.raw()) }
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
        unsafe { Block::from_raw(LLVMGetInstructionParent(self.raw())) }
    }

    pub fn successors(self) -> Vec<Block<'m>> {
        unsafe {
            let count = LLVMGetNumSuccessors(self.raw());
            (0..count).map(|i| Block::from_raw(LLVMGetSuccessor(self.raw(), i))).collect()
        }
    }

    /// The callee operand of a call or invoke.
    pub fn callee(self) -> Value<'m> {
        unsafe { Value::from_raw(LLVMGetCalledValue(self.raw())) }
    }

    /// The function type a call or invoke is made with.
    pub fn called_type(self) -> Type<'m> {
        unsafe { Type::from_raw(LLVMGetCalledFunctionType(self.raw())) }
    }

    /// The arguments of a call or invoke.
    pub fn arguments(self) -> impl Iterator<Item = Value<'m>> {
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        (0..count).map(move |i| self.operand(i))
    }

    /// An enum attribute of a call site, or of the function it names directly.
    pub fn has_call_attribute(self, index: u32, name: &str) -> bool {
        unsafe {
            if !LLVMGetCallSiteEnumAttribute(self.raw(), index, attribute_kind(name)).is_null() {
                return true;
            }
        }
        self.callee().as_function().is_some_and(|f| f.has_attribute(index, name))
    }

    /// The type an attribute of an argument of this call names (`byval`), if it has the attribute.
    pub fn call_attribute_type(self, index: u32, name: &str) -> Option<Type<'m>> {
        unsafe {
            let attribute = LLVMGetCallSiteEnumAttribute(self.raw(), index, attribute_kind(name));
            (!attribute.is_null()).then(|| Type::from_raw(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    pub fn alloca_type(self) -> Type<'m> {
        unsafe { Type::from_raw(LLVMGetAllocatedType(self.raw())) }
    }

    /// The incoming values of a phi with their blocks.
    pub fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        unsafe {
            (0..LLVMCountIncoming(self.raw()))
                .map(|i| {
                    (
                        Value::from_raw(LLVMGetIncomingValue(self.raw(), i)),
                        Block::from_raw(LLVMGetIncomingBlock(self.raw(), i)),
                    )
                })
                .collect()
        }
    }

    /// The integers of a metadata node attached under this kind; none if it holds anything else.
    pub fn metadata_integers(self, kind: u32) -> Option<Vec<u64>> {
        unsafe {
            let node = LLVMGetMetadata(self.raw(), kind);
            if node.is_null() {
                return None;
            }
            let count = LLVMGetMDNodeNumOperands(node) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            if operands.iter().any(|&o| LLVMIsAConstantInt(o).is_null()) {
                return Some(Vec::new());
            }
            Some(operands.into_iter().map(|o| LLVMConstIntGetZExtValue(o)).collect())
        }
    }
}

/// The number LLVM knows an enum attribute by.
pub fn attribute_kind(name: &str) -> u32 {
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
