//! Values of steps that become symbols of their own.

use execution::Register;
use program::{Op, Type};
use replay::{Observed, Step};
use smt::Term;

use super::Shadow;
use super::registers::Held;
use super::step::{cut, number, scalar};

impl Shadow<'_> {
    /// A step whose value was asked to be a symbol, after it took effect. A choice has had its symbol before, and a call has no
    /// result yet.
    pub(super) fn refresh(&mut self, step: &Observed<'_>) {
        match &step.instruction().op {
            Op::Branch { .. } | Op::Switch { .. } => {}
            Op::Call(_) | Op::Invoke { .. } if !self.is_computed(step) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.makes_fresh = Some(step.step());
                }
            }
            Op::Store { value, value_type, address, local, .. } => {
                let Some(term) = self.symbol_for(step.step(), step.went_on_with(value), value_type) else { return };
                match local {
                    Some(local) => self.set_register(Register(local.0), Some(Held::Term(term))),
                    None => {
                        let address = number(step.operand(address)) as u64;
                        self.put(address, value_type.store_size(), Some(Held::Term(term)));
                    }
                }
            }
            _ => {
                if let Some(term) = self.symbol_for(step.step(), step.result(), &step.instruction().ty) {
                    self.set_result(step.id(), Some(Held::Term(term)));
                }
            }
        }
    }

    /// A call came back whose result was asked to be a symbol.
    pub(super) fn refresh_result(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(called) = frame.makes_fresh.take_if(|called| called.site.instruction == step.id()) else { return };
        if let Some(term) = self.symbol_for(called, step.result(), &step.instruction().ty) {
            self.set_result(step.id(), Some(Held::Term(term)));
        }
    }

    /// What a choice is made by, if that was asked to be a symbol.
    pub(super) fn fresh_choice(&mut self, step: &Observed<'_>, words: &[u64], ty: &Type) -> Option<Term> {
        let is_asked = step.clock >= self.next_asked && self.fresh.has(step);
        is_asked.then(|| self.symbol_for(step.step(), words, ty)).flatten()
    }

    fn symbol_for(&mut self, step: Step, words: &[u64], ty: &Type) -> Option<Term> {
        let of = scalar(ty)?;
        let term = self.symbols.fresh(&self.domain, of.width(), cut(number(words), of.width()), step);
        self.made_fresh.insert(step, term);
        Some(term)
    }

    /// A call of an intrinsic, whose result is there at once.
    fn is_computed(&self, step: &Observed<'_>) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        self.uses(frame).instructions[step.id().index()].action == execution::Action::Pure
    }
}
