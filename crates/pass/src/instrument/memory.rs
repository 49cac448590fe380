//! Loads and stores of memory that others may see, and its shadow (`abi::watch`).

use llvm::Instruction;
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;

use crate::builder::V;

use super::function::Instrumenter;

/// Copies of at most this many bytes are done on the shadow without asking whether there is one.
const SMALL_COPY: u64 = 128;

impl Instrumenter<'_, '_> {
    /// Where the shadow of an address is.
    fn shadow_of(&self, address: V) -> V {
        let b = self.b;
        b.int_to_ptr(b.xor(b.ptr_to_int(address), b.load(b.i64, self.state.shadow)))
    }

    /// After a watched load: logs its value if the shadow has another.
    pub fn watch(&mut self, load: Instruction<'_>, key: u64) {
        let b = self.b;
        let address = load.operand(0).raw();
        let Some(value) = b.widen(load.raw()) else { return };
        // SAFETY: the shadow is read as an integer of the load's size; it is not known to be aligned.
        unsafe {
            let size = load.ty().store_size(self.module);
            let integer = LLVMIntTypeInContext(b.context, size as u32 * 8);
            let shadow = b.load(integer, self.shadow_of(address));
            LLVMSetAlignment(shadow, 1);
            let differs = b.icmp(LLVMIntPredicate::LLVMIntNE, b.trunc(value, integer), shadow);
            let (surprise, known) = (self.new_block("surprise"), self.new_block("known"));
            b.branch_unlikely(differs, surprise, known);
            b.at_end(surprise);
            self.write_back();
            let what = b.i64_of(key | size << 32);
            b.call_runtime(self.runtime.surprise, &[self.slot(), b.ptr_to_int(address), value, what]);
            b.jump(known);
            b.at_end(known);
        }
    }

    /// After a store to memory: the same to the shadow.
    pub fn store_shadow(&mut self, value: V, address: V, alignment: u32) {
        let store = self.b.store(value, self.shadow_of(address));
        // SAFETY: the store just built. Shadows are moved by multiples of pages.
        unsafe { LLVMSetAlignment(store, alignment) };
    }

    /// After `memcpy`, `memmove` or `memset`: the same to the shadow.
    pub fn memory_shadow(&mut self, call: Instruction<'_>) {
        let b = self.b;
        let name = call.callee().as_function().map(|f| f.name()).unwrap_or_default();
        let (to, from, length) = (call.operand(0).raw(), call.operand(1).raw(), call.operand(2).raw());
        let sets = name.starts_with("llvm.memset");
        // SAFETY: arguments of the intrinsic; a repeated `memcpy` or `memset` of the same bytes changes nothing, so
        // without a shadow it does no harm, but costs; a repeated `memmove` would.
        unsafe {
            let small = !LLVMIsAConstantInt(length).is_null() && LLVMConstIntGetZExtValue(length) <= SMALL_COPY;
            let moves = name.starts_with("llvm.memmove");
            let done = if small && !moves {
                None
            } else {
                let (shadowed, done) = (self.new_block("copy.shadow"), self.new_block("copied"));
                let mask = b.load(b.i64, self.state.shadow);
                b.branch(b.icmp(LLVMIntPredicate::LLVMIntNE, mask, b.i64_of(0)), shadowed, done);
                b.at_end(shadowed);
                Some(done)
            };
            let length64 = b.zext(length, b.i64);
            if sets {
                LLVMBuildMemSet(b.raw(), self.shadow_of(to), from, length64, 1);
            } else if moves {
                let arguments = [self.slot(), b.ptr_to_int(to), b.ptr_to_int(from), length64];
                b.call_runtime(self.runtime.moved, &arguments);
            } else {
                LLVMBuildMemCpy(b.raw(), self.shadow_of(to), 1, self.shadow_of(from), 1, length64);
            }
            if let Some(done) = done {
                b.jump(done);
                b.at_end(done);
            }
        }
    }
}
