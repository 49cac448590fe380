//! The places of a module that tick with a value: a byte of a table for each, which tells its kind.
//!
//! The byte's address is what the runtime knows a place by. It stays the same where the optimiser makes several copies of
//! the code, and costs nothing until it is asked for.

use std::cell::RefCell;

use abi::TickKind;
use llvm::{LLVMOpcode, Module, Value};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use crate::builder::{Builder, replace_uses};

pub struct Sites<'m> {
    kinds: RefCell<Vec<u8>>,
    /// Stands for the table until its length is known.
    table: Value<'m>,
}

impl<'m> Sites<'m> {
    pub fn new(module: &'m Module, b: &Builder<'m>) -> Sites<'m> {
        // SAFETY: adds a declaration to the module; the name is copied.
        let table = unsafe { Value::from_raw(LLVMAddGlobal(module.raw(), b.i8.0, c"faultline.places".as_ptr())) };
        Sites { kinds: RefCell::new(Vec::new()), table }
    }

    /// The address of a new place.
    pub fn add(&self, b: &Builder<'m>, kind: TickKind) -> Value<'m> {
        let mut kinds = self.kinds.borrow_mut();
        kinds.push(kind as u8);
        let mut index = [b.i64_of(kinds.len() as u64 - 1).raw()];
        // SAFETY: a constant address within the table to come, made of constants.
        unsafe { Value::from_raw(LLVMConstGEP2(b.i8.0, self.table.raw(), index.as_mut_ptr(), 1)) }
    }

    /// Puts the table into the module.
    pub fn emit(self, module: &'m Module) {
        let kinds = self.kinds.into_inner();
        // SAFETY: the bytes are copied, the table is made of them; the stand-in, a global of this module, has no uses left when it
        // is deleted, and is not referred to again.
        unsafe {
            let bytes = LLVMConstStringInContext2(module.context(), kinds.as_ptr().cast(), kinds.len(), 1);
            let table = LLVMAddGlobal(module.raw(), LLVMTypeOf(bytes), c"faultline.places".as_ptr());
            LLVMSetInitializer(table, bytes);
            LLVMSetGlobalConstant(table, 1);
            LLVMSetLinkage(table, LLVMLinkage::LLVMPrivateLinkage);
            replace_uses(self.table, Value::from_raw(table));
            LLVMDeleteGlobal(self.table.raw());
        }
    }
}

/// The operands of the operation that made a value: a comparison or arithmetic, directly or widened or cut once. The
/// `program` crate knows the same of its model (`Making`), and an edit means these two.
pub fn operands(value: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    use LLVMOpcode::*;
    let instruction = value.as_instruction()?;
    let instruction = match instruction.opcode() {
        LLVMZExt | LLVMTrunc => instruction.operand(0).as_instruction()?,
        _ => instruction,
    };
    match instruction.opcode() {
        LLVMICmp | LLVMFCmp | LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
        | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv => {
            Some((instruction.operand(0), instruction.operand(1)))
        }
        _ => None,
    }
}
