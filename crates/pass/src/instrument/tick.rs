//! The clock: one decrement, one branch that is hardly ever taken, and a chance to replace the value at hand.

use abi::TickKind;
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::LLVMTypeOf;

use crate::builder::{B, V};

use super::function::Instrumenter;

impl Instrumenter<'_, '_> {
    /// Advances the clock. Gives the value to go on with: `value`, unless the runtime replaces it.
    pub fn tick(&mut self, value: V, kind: TickKind) -> V {
        let b = self.b;
        let Some(wide) = b.widen(value) else {
            self.tick_without_value();
            return value;
        };
        let (before, after, replaced) = self.tick_raw(wide, kind);
        // SAFETY: reads the type.
        let ty = unsafe { LLVMTypeOf(value) };
        b.at_end(replaced.0);
        let narrowed = b.narrow(replaced.1, ty);
        b.jump(after);
        b.at_end(after);
        b.phi(ty, &[(value, before), (narrowed, replaced.0)])
    }

    pub fn tick_without_value(&mut self) {
        let b = self.b;
        let (_, after, replaced) = self.tick_raw(b.i64_of(0), TickKind::Other);
        b.at_end(replaced.0);
        b.jump(after);
        b.at_end(after);
    }

    /// Gives the block it branched from, the block where both sides meet (empty, not positioned at), and the slow
    /// side's block, unfinished, with what the runtime returned.
    fn tick_raw(&mut self, value: V, kind: TickKind) -> (B, B, (B, V)) {
        let b = self.b;
        let remaining = b.sub(b.load(b.i64, self.state.remaining), b.i64_of(1));
        b.store(remaining, self.state.remaining);
        let due = b.icmp(LLVMIntPredicate::LLVMIntSLT, remaining, b.i64_of(0));
        let before = b.block();
        let (slow, after) = (self.new_block("tick.due"), self.new_block("tick.done"));
        b.branch_unlikely(due, slow, after);
        b.at_end(slow);
        self.write_back();
        let replaced = b.call_runtime(self.runtime.tick, &[self.slot(), value, b.int(b.i32, kind as u64)]);
        let room = self.room;
        self.reload_fields();
        self.room = room;
        (before, after, (slow, replaced))
    }

    /// One step of the running hash, see `abi::hash_step`.
    pub fn hash(&mut self, joined: V) {
        let b = self.b;
        let hash = b.mul(b.load(b.i64, self.state.hash), b.i64_of(3));
        b.store(b.add(hash, joined), self.state.hash);
    }
}
