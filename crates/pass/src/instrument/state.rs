//! The values that ride in registers, and writing to the log.

use abi::{RED_ZONE, SLOT_CURSOR, SLOT_HASH, SLOT_LIMIT, SLOT_REMAINING, SLOT_SHADOW};
use llvm::Value;
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;

use super::function::Instrumenter;

/// Allocas the optimiser turns into registers.
pub struct State<'m> {
    pub slot: Value<'m>,
    pub cursor: Value<'m>,
    pub remaining: Value<'m>,
    pub hash: Value<'m>,
    /// What an address is xored with to give its shadow's.
    pub shadow: Value<'m>,
}

/// Bytes of the red zone kept back for what the runtime itself appends.
const RESERVE: u64 = 256;

impl<'m> Instrumenter<'_, 'm> {
    pub fn slot(&self) -> Value<'m> {
        self.b.load(self.b.ptr, self.state.slot)
    }

    pub fn slot_field(&self, offset: u64) -> Value<'m> {
        self.b.offset(self.slot(), offset)
    }

    /// Fetches slot, cursor, clock and hash: at entry and wherever other code may have moved them.
    pub fn reload(&mut self) {
        let b = self.b;
        b.store(b.load(b.ptr, self.runtime.slot), self.state.slot);
        self.reload_fields();
    }

    /// The same, the slot being known.
    pub fn reload_fields(&mut self) {
        self.reload_cursor();
        let b = self.b;
        b.store(b.load_volatile(b.i64, self.slot_field(SLOT_REMAINING)), self.state.remaining);
        b.store(b.load_volatile(b.i64, self.slot_field(SLOT_HASH)), self.state.hash);
        b.store(b.load(b.i64, self.slot_field(SLOT_SHADOW)), self.state.shadow);
    }

    fn reload_cursor(&mut self) {
        let b = self.b;
        b.store(b.load_volatile(b.ptr, self.slot_field(SLOT_CURSOR)), self.state.cursor);
        self.room = None;
    }

    /// Writes clock and hash back.
    pub fn write_back(&self) {
        let b = self.b;
        b.store_volatile(b.load(b.i64, self.state.remaining), self.slot_field(SLOT_REMAINING));
        b.store_volatile(b.load(b.i64, self.state.hash), self.slot_field(SLOT_HASH));
    }

    /// Appends a value to the log.
    pub fn log(&mut self, value: Value<'m>) {
        let b = self.b;
        let size = value.ty().store_size(self.module);
        self.ensure_room(size);
        let cursor = b.load(b.ptr, self.state.cursor);
        let store = b.store_volatile(value, cursor);
        // SAFETY: the store just built; log entries are not aligned.
        unsafe { LLVMSetAlignment(store.raw(), 1) };
        let next = b.offset(cursor, size);
        b.store(next, self.state.cursor);
        b.store_volatile(next, self.slot_field(SLOT_CURSOR));
    }

    /// Room for `size` more bytes: one check serves a straight line of up to the red zone.
    fn ensure_room(&mut self, size: u64) {
        match self.room {
            Some(left) if left >= size => self.room = Some(left - size),
            _ => {
                self.check_room();
                self.room = Some(RED_ZONE as u64 - RESERVE - size);
            }
        }
    }

    fn check_room(&mut self) {
        let b = self.b;
        let cursor = b.load(b.ptr, self.state.cursor);
        let limit = b.load_volatile(b.ptr, self.slot_field(SLOT_LIMIT));
        let full = b.icmp(LLVMIntPredicate::LLVMIntUGE, cursor, limit);
        let (slow, go_on) = (self.new_block("log.full"), self.new_block("log.room"));
        b.branch_unlikely(full, slow, go_on);
        b.at_end(slow);
        // Exact clock and hash here: the chunk that begins is checked against them.
        self.write_back();
        b.call_runtime(self.runtime.room, &[self.slot()]);
        self.reload_cursor();
        b.jump(go_on);
        b.at_end(go_on);
    }

    /// What follows is reached from several sides: nothing is known about room.
    pub fn forget_room(&mut self) {
        self.room = None;
    }

    /// The runtime has just ensured room for a whole red zone.
    pub fn assume_room(&mut self) {
        self.room = Some(RED_ZONE as u64 - RESERVE);
    }
}
