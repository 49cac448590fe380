//! The clock: one decrement, one branch that is hardly ever taken, and a chance to replace the value at hand.

use abi::TickKind;
use llvm::{Block, Value};
use llvm_sys::LLVMIntPredicate;

use crate::builder::Builder;

use super::function::Instrumenter;
use super::sites::operands;

impl<'m> Instrumenter<'_, 'm> {
    /// Advances the clock. Gives the value to go on with: `value`, unless the runtime replaces it. `variable`: what it is
    /// assigned to, if that has no address.
    pub fn tick(&mut self, value: Value<'m>, kind: TickKind, variable: Option<Value<'m>>) -> Value<'m> {
        let b = self.b;
        let Some(wide) = b.widen(value) else {
            self.tick_without_value();
            return value;
        };
        let ty = value.ty();
        let site = self.sites.add(b, kind);
        let (before, after, replaced) = self.tick_raw(|b| {
            let nothing = b.i64_of(0);
            let (first, second) = operands(value).map_or((nothing, nothing), |(first, second)| {
                (b.widen(first).unwrap_or(nothing), b.widen(second).unwrap_or(nothing))
            });
            let assigned = variable.and_then(|variable| b.widen(b.load(ty, variable))).unwrap_or(nothing);
            [wide, site, first, second, assigned]
        });
        b.at_end(replaced.0);
        let narrowed = b.narrow(replaced.1, ty);
        b.jump(after);
        b.at_end(after);
        b.phi(ty, &[(value, before), (narrowed, replaced.0)])
    }

    pub fn tick_without_value(&mut self) {
        let b = self.b;
        let (_, after, replaced) = self.tick_raw(|b| {
            let nothing = b.i64_of(0);
            [nothing, b.zero(b.ptr), nothing, nothing, nothing]
        });
        b.at_end(replaced.0);
        b.jump(after);
        b.at_end(after);
    }

    /// `at_hand` makes, on the slow side, what the runtime is told. Gives the block it branched from, the block where both
    /// sides meet (empty, not positioned at), and the slow side's block, unfinished, with what the runtime returned.
    fn tick_raw(
        &mut self,
        at_hand: impl FnOnce(&Builder<'m>) -> [Value<'m>; 5],
    ) -> (Block<'m>, Block<'m>, (Block<'m>, Value<'m>)) {
        let b = self.b;
        let remaining = b.sub(b.load(b.i64, self.state.remaining), b.i64_of(1));
        b.store(remaining, self.state.remaining);
        let due = b.icmp(LLVMIntPredicate::LLVMIntSLT, remaining, b.i64_of(0));
        let before = b.block();
        let (slow, after) = (self.new_block("tick.due"), self.new_block("tick.done"));
        b.branch_unlikely(due, slow, after);
        b.at_end(slow);
        self.write_back();
        let [value, site, first, second, assigned] = at_hand(b);
        let replaced = b.call_runtime(self.runtime.tick, &[self.slot(), value, site, first, second, assigned]);
        let room = self.room;
        self.reload_fields();
        self.room = room;
        (before, after, (slow, replaced))
    }

    /// One step of the running hash, see `abi::hash_step`.
    pub fn hash(&mut self, joined: Value<'m>) {
        let b = self.b;
        let hash = b.mul(b.load(b.i64, self.state.hash), b.i64_of(3));
        b.store(b.add(hash, joined), self.state.hash);
    }
}
