//! The places of a module that tick with a value: a byte of a table for each, which tells its kind.
//!
//! The byte's address is what the runtime knows a place by. It stays the same where the optimiser makes several copies of
//! the code, and costs nothing until it is asked for.

use std::cell::RefCell;

use abi::TickKind;
use llvm::{LLVMOpcode, Module};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;

use crate::builder::{Builder, V};

pub struct Sites {
    kinds: RefCell<Vec<u8>>,
    /// Stands for the table until its length is known.
    table: V,
}

impl Sites {
    pub fn new(module: &Module, b: &Builder) -> Sites {
        // SAFETY: adds a declaration to the module.
        let table = unsafe { LLVMAddGlobal(module.raw(), b.i8, c"faultline.places".as_ptr()) };
        Sites { kinds: RefCell::new(Vec::new()), table }
    }

    /// The address of a new place.
    pub fn add(&self, b: &Builder, kind: TickKind) -> V {
        let mut kinds = self.kinds.borrow_mut();
        kinds.push(kind as u8);
        let mut index = [b.i64_of(kinds.len() as u64 - 1)];
        // SAFETY: a constant address within the table to come.
        unsafe { LLVMConstGEP2(b.i8, self.table, index.as_mut_ptr(), 1) }
    }

    /// Puts the table into the module.
    pub fn emit(self, module: &Module) {
        let kinds = self.kinds.into_inner();
        // SAFETY: the stand-in has no uses left when it is erased.
        unsafe {
            let bytes = LLVMConstStringInContext2(module.context(), kinds.as_ptr().cast(), kinds.len(), 1);
            let table = LLVMAddGlobal(module.raw(), LLVMTypeOf(bytes), c"faultline.places".as_ptr());
            LLVMSetInitializer(table, bytes);
            LLVMSetGlobalConstant(table, 1);
            LLVMSetLinkage(table, LLVMLinkage::LLVMPrivateLinkage);
            LLVMReplaceAllUsesWith(self.table, table);
            LLVMDeleteGlobal(self.table);
        }
    }
}

/// The operands of the operation that made a value: a comparison or arithmetic, directly or widened or cut once. The
/// `program` crate knows the same of its model (`Making`), and an edit means these two.
pub fn operands(value: V) -> Option<(V, V)> {
    // SAFETY: instructions and their operands are looked at, never changed.
    unsafe {
        let value = match opcode(value)? {
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMTrunc => LLVMGetOperand(value, 0),
            _ => value,
        };
        use LLVMOpcode::*;
        match opcode(value)? {
            LLVMICmp | LLVMFCmp | LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
            | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv => {
                Some((LLVMGetOperand(value, 0), LLVMGetOperand(value, 1)))
            }
            _ => None,
        }
    }
}

fn opcode(value: V) -> Option<LLVMOpcode> {
    // SAFETY: a constant or a parameter is no instruction.
    unsafe { (!LLVMIsAInstruction(value).is_null()).then(|| LLVMGetInstructionOpcode(value)) }
}
