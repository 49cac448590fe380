//! Loads and stores of memory that others may see, and its shadow (`abi::watch`).

use abi::MemoryIntrinsic;
use llvm::{Instruction, Type, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;

use super::function::Instrumenter;

/// Copies of at most this many bytes are done on the shadow without asking whether there is one.
const SMALL_COPY: u64 = 128;

impl<'m> Instrumenter<'_, 'm> {
    /// Where the shadow of an address is.
    fn shadow_of(&self, address: Value<'m>) -> Value<'m> {
        let b = self.b;
        b.int_to_ptr(b.xor(b.ptr_to_int(address), b.load(b.i64, self.state.shadow)))
    }

    /// After a watched load: logs its value if the shadow has another.
    pub fn watch(&mut self, load: Instruction<'m>, key: u64) {
        let b = self.b;
        let address = load.operand(0);
        let Some(value) = b.widen(load.value()) else { return };
        let size = load.ty().store_size(self.module);
        // SAFETY: a width that integers have, that of a watched load; the type is of the module's context.
        let integer = unsafe { Type::from_raw(LLVMIntTypeInContext(self.module.context(), size as u32 * 8)) };
        let shadow = b.load(integer, self.shadow_of(address));
        // SAFETY: the load just built. A shadow is not known to be aligned.
        unsafe { LLVMSetAlignment(shadow.raw(), 1) };
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

    /// After a store to memory: the same to the shadow.
    pub fn store_shadow(&mut self, value: Value<'m>, address: Value<'m>, alignment: u32) {
        let store = self.b.store(value, self.shadow_of(address));
        // SAFETY: the store just built. Shadows are moved by multiples of pages.
        unsafe { LLVMSetAlignment(store.raw(), alignment) };
    }

    /// After `memcpy`, `memmove` or `memset`: the same to the shadow.
    pub fn memory_shadow(&mut self, call: Instruction<'m>) {
        let b = self.b;
        let name = call.callee().as_function().map(|f| f.name()).unwrap_or_default();
        let (to, from, length) = (call.operand(0), call.operand(1), call.operand(2));
        let Some(does) = abi::memory_intrinsic(&name) else { return };
        let small = length.as_integer().is_some_and(|length| length <= SMALL_COPY);
        // A repeated `memcpy` or `memset` of the same bytes changes nothing, so without a shadow it does no harm, but costs; a
        // repeated `memmove` would.
        let done = if small && does != MemoryIntrinsic::Move {
            None
        } else {
            let (shadowed, done) = (self.new_block("copy.shadow"), self.new_block("copied"));
            let mask = b.load(b.i64, self.state.shadow);
            b.branch(b.icmp(LLVMIntPredicate::LLVMIntNE, mask, b.i64_of(0)), shadowed, done);
            b.at_end(shadowed);
            Some(done)
        };
        let length = b.zext(length, b.i64);
        match does {
            MemoryIntrinsic::Move => {
                b.call_runtime(self.runtime.moved, &[self.slot(), b.ptr_to_int(to), b.ptr_to_int(from), length]);
            }
            MemoryIntrinsic::Fill => {
                // SAFETY: an address, and byte and length as the intrinsic had them; built at the builder's position.
                unsafe { LLVMBuildMemSet(b.raw(), self.shadow_of(to).raw(), from.raw(), length.raw(), 1) };
            }
            MemoryIntrinsic::Copy => {
                let (to, from) = (self.shadow_of(to), self.shadow_of(from));
                // SAFETY: two addresses, and the length as the intrinsic had it; built at the builder's position.
                unsafe { LLVMBuildMemCpy(b.raw(), to.raw(), 1, from.raw(), 1, length.raw()) };
            }
        }
        if let Some(done) = done {
            b.jump(done);
            b.at_end(done);
        }
    }
}
