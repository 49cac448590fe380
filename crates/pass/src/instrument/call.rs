//! Calls: into instrumented code, into outside code, and those that come back in unusual ways.

use abi::{SLOT_LEVEL, SLOT_TOKEN, Tag};
use llvm::{Instruction, Value};
use llvm_sys::LLVMIntPredicate;

use crate::builder::{Builder, set_operand};

use super::function::Instrumenter;

impl<'m> Instrumenter<'_, 'm> {
    /// Before a call that may reach instrumented or outside code. Gives the token it is made with.
    pub fn before_open_call(&mut self, call: Instruction<'m>, type_hash: u64) -> Value<'m> {
        let b = self.b;
        self.write_back();
        let token = self.token_of(call.callee(), type_hash);
        b.store_volatile(token, self.slot_field(SLOT_TOKEN));
        token
    }

    /// After it: an instrumented callee took the token away; an outside one left it, and its result is logged.
    pub fn after_open_call(&mut self, made_with: Value<'m>, result: Option<Value<'m>>) {
        let b = self.b;
        b.store(b.load(b.ptr, self.runtime.slot), self.state.slot);
        let token = b.load_volatile(b.i64, self.slot_field(SLOT_TOKEN));
        // Cleared before the cursor is read: a signal from here on finds instrumented code running and keeps off it.
        b.store_volatile(b.i64_of(0), self.slot_field(SLOT_TOKEN));
        self.reload_fields();
        let (outside, done) = (self.new_block("returned.outside"), self.new_block("returned"));
        b.branch(b.icmp(LLVMIntPredicate::LLVMIntNE, token, b.i64_of(0)), outside, done);
        b.at_end(outside);
        // Another token than ours was left behind by a call whose frame an exception or a jump has taken away: outside
        // code caught it, or had called `setjmp`.
        let (crossed, own, told) =
            (self.new_block("returned.crossed"), self.new_block("returned.own"), self.new_block("returned.told"));
        b.branch_unlikely(b.icmp(LLVMIntPredicate::LLVMIntNE, token, made_with), crossed, own);
        b.at_end(crossed);
        let record = self.record(Tag::Crossed);
        self.log(record);
        self.log(made_with);
        b.jump(told);
        b.at_end(own);
        self.forget_room();
        let record = self.record(Tag::Returned);
        self.log(record);
        b.jump(told);
        b.at_end(told);
        self.forget_room();
        if let Some(result) = result {
            self.log(result);
        }
        b.jump(done);
        b.at_end(done);
        self.forget_room();
    }

    /// Tag and check byte, as one 16-bit value.
    fn record(&self, tag: Tag) -> Value<'m> {
        let b = self.b;
        let hash = b.load(b.i64, self.state.hash);
        let folded = b.xor(hash, b.lshr(hash, b.i64_of(8)));
        let check = b.shl(b.trunc(folded, b.i16), b.int(b.i16, 8));
        b.or(check, b.int(b.i16, tag as u64))
    }

    /// Before a call that may return twice: where signal handlers stood nested, to know which a jump abandons.
    pub fn before_setjmp(&mut self, call: Instruction<'m>, type_hash: u64) {
        let b = self.b;
        let level = b.load_volatile(b.i32, self.slot_field(SLOT_LEVEL));
        b.store_volatile(level, self.level);
        _ = self.before_open_call(call, type_hash);
    }

    pub fn after_setjmp(&mut self, position: usize, result: Option<Value<'m>>) {
        let b = self.b;
        b.store(b.load(b.ptr, self.runtime.slot), self.state.slot);
        let level = b.load_volatile(b.i32, self.level);
        let frame = self.frame_address();
        b.call_runtime(self.runtime.setjmp, &[self.slot(), frame, b.int(b.i32, position as u64), level]);
        self.reload_fields();
        self.assume_room();
        if let Some(result) = result {
            self.log(result);
        }
    }

    pub fn after_landing(&mut self, position: usize, value: Value<'m>) {
        let b = self.b;
        b.store(b.load(b.ptr, self.runtime.slot), self.state.slot);
        let frame = self.frame_address();
        b.call_runtime(self.runtime.landed, &[self.slot(), frame, b.int(b.i32, position as u64)]);
        self.reload_fields();
        self.assume_room();
        self.log(value);
    }

    fn frame_address(&self) -> Value<'m> {
        match self.frame {
            Some(frame) => self.b.ptr_to_int(frame),
            None => self.b.i64_of(0),
        }
    }

    /// While an exception is in flight control is outside.
    pub fn before_resume(&mut self) {
        let b = self.b;
        self.write_back();
        b.store_volatile(b.i64_of(1), self.slot_field(SLOT_TOKEN));
    }
}

/// The result of a call, if it has one.
pub fn result(call: Instruction<'_>) -> Option<Value<'_>> {
    (call.ty().kind() != llvm::TypeKind::LLVMVoidTypeKind).then_some(call.value())
}

/// A memory intrinsic must do its work even if the optimiser thinks nobody looks.
pub fn make_volatile<'m>(builder: &Builder<'m>, call: Instruction<'m>) {
    // The last argument of memcpy, memmove and memset is `isvolatile`.
    let last = call.arguments().count() as u32 - 1;
    set_operand(call, last, builder.int(builder.i1, 1));
}
