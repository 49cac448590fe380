//! Entering and leaving a function: who called, where the frame is.

use abi::{SLOT_FILLS, SLOT_TOKEN};
use llvm::{Instruction, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;

use crate::descriptor;

use super::function::Instrumenter;

impl<'m> Instrumenter<'_, 'm> {
    /// Emits the prologue into the builder's block (the function's first).
    pub fn enter(&mut self) {
        let b = self.b;
        let slot = b.load(b.ptr, self.runtime.slot);
        if self.decision.is_open {
            self.enter_open(slot);
        } else {
            b.store(slot, self.state.slot);
        }
        self.reload_fields();
        if let Some(frame) = self.frame {
            let address = b.ptr_to_int(frame);
            self.log(address);
            self.fill_frame(frame);
        }
        let by_value = |position: &usize| self.decision.by_value.contains(&(*position as u32));
        for (_, parameter) in self.decision.function.parameters().enumerate().filter(|(position, _)| by_value(position))
        {
            let address = b.ptr_to_int(parameter);
            self.log(address);
        }
    }

    /// Gives locals that are in memory one beginning, where a run wants that.
    fn fill_frame(&mut self, frame: Value<'m>) {
        let Some((size, alignment)) = self.decision.frame.filter(|(size, _)| *size > 0) else { return };
        let b = self.b;
        let (fill, filled) = (self.new_block("locals.fill"), self.new_block("locals.filled"));
        let fills = b.load(b.i64, self.slot_field(SLOT_FILLS));
        b.branch_unlikely(b.icmp(LLVMIntPredicate::LLVMIntNE, fills, b.i64_of(0)), fill, filled);
        b.at_end(fill);
        // Inline: a function of that name may be the program's own.
        let memset = b.intrinsic("llvm.memset.inline", &[b.ptr, b.i64]);
        let call = b.call(memset, &[frame, b.trunc(fills, b.i8), b.i64_of(size), b.int(b.i1, 0)]);
        // SAFETY: the call just built, whose first argument is an address; the frame is aligned like that.
        unsafe { LLVMSetInstrParamAlignment(call.raw(), 1, alignment as u32) };
        b.jump(filled);
        b.at_end(filled);
    }

    /// The same for a local whose size is known only when it is made: byte by byte, which only runs that want it pay for.
    pub fn fill_dynamic(&mut self, alloca: Instruction<'m>) {
        let b = self.b;
        let element = alloca.alloca_type().alloc_size(self.module);
        let begun = b.block();
        let (fill, filled) = (self.new_block("locals.fill"), self.new_block("locals.filled"));
        let size = b.mul(b.zext(alloca.operand(0), b.i64), b.i64_of(element));
        let fills = b.load(b.i64, self.slot_field(SLOT_FILLS));
        let wanted = b.icmp(LLVMIntPredicate::LLVMIntNE, fills, b.i64_of(0));
        let is_some = b.icmp(LLVMIntPredicate::LLVMIntNE, size, b.i64_of(0));
        b.branch_unlikely(b.and(wanted, is_some), fill, filled);
        b.at_end(fill);
        let at = b.phi(b.i64, &[(b.i64_of(0), begun)]);
        // Volatile: the optimiser would make a call of `memset` of it, which may be the program's own.
        b.store_volatile(b.trunc(fills, b.i8), b.element(b.i8, alloca.value(), at));
        let next = b.add(at, b.i64_of(1));
        b.add_incoming(at, next, fill);
        b.branch(b.icmp(LLVMIntPredicate::LLVMIntULT, next, size), fill, filled);
        b.at_end(filled);
    }

    /// The clock's tick on entry, for functions that could call before they tick otherwise.
    pub fn entry_tick(&mut self) {
        if self.decision.entry_tick {
            self.tick_without_value();
        }
    }

    fn enter_open(&mut self, slot: Value<'m>) {
        let b = self.b;
        let begun = b.block();
        let (new_thread, started) = (self.new_block("thread.new"), self.new_block("thread.started"));
        b.branch_unlikely(b.icmp(LLVMIntPredicate::LLVMIntEQ, slot, b.zero(b.ptr)), new_thread, started);
        b.at_end(new_thread);
        let fresh = b.call_runtime(self.runtime.thread, &[]);
        b.jump(started);
        b.at_end(started);
        let slot = b.phi(b.ptr, &[(slot, begun), (fresh, new_thread)]);
        b.store(slot, self.state.slot);

        let token = b.load_volatile(b.i64, b.offset(slot, SLOT_TOKEN));
        let address = descriptor::own_address(self.module, self.decision.function);
        let own = self.token_of(address, self.decision.type_hash.into());
        let (known, stranger, inside) =
            (self.new_block("entered.inside"), self.new_block("entered.outside"), self.new_block("entered"));
        b.branch(b.icmp(LLVMIntPredicate::LLVMIntEQ, token, own), known, stranger);

        b.at_end(known);
        b.store_volatile(b.i64_of(0), b.offset(slot, SLOT_TOKEN));
        b.store(b.int(b.i1, 0), self.from_outside);
        b.jump(inside);

        b.at_end(stranger);
        b.store(b.int(b.i1, 1), self.from_outside);
        b.call_runtime(self.runtime.enter, &[slot, b.ptr_to_int(address), self.saved]);
        self.reload_fields();
        self.assume_room();
        for parameter in self.decision.function.parameters() {
            self.log(parameter);
        }
        b.jump(inside);

        b.at_end(inside);
        self.forget_room();
    }

    /// What a caller leaves for this callee, see `abi::call_token`.
    pub fn token_of(&self, callee: Value<'m>, type_hash: u64) -> Value<'m> {
        let b = self.b;
        if type_hash == abi::NO_TYPE.into() {
            return b.i64_of(1);
        }
        b.add(b.ptr_to_int(callee), b.i64_of(type_hash << 48))
    }

    /// Before a `ret` or a `resume`.
    pub fn leave(&mut self) {
        let b = self.b;
        self.write_back();
        if !self.decision.is_open {
            return;
        }
        let (stranger, done) = (self.new_block("leave.outside"), self.new_block("leave"));
        b.branch(b.load(b.i1, self.from_outside), stranger, done);
        b.at_end(stranger);
        b.call_runtime(self.runtime.leave, &[self.slot(), self.saved]);
        b.jump(done);
        b.at_end(done);
    }
}
