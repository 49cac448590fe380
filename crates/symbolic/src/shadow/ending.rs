//! What choices were made of, and what the instruction was about to work on that the run ended in.

use execution::register;
use program::{Op, Operand};
use replay::Step;
use smt::Term;

use super::Shadow;
use super::registers::Held;
use crate::path::Other;

/// A choice that was asked about; or what a function returned.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// How many conditions of the path came before; before the first of the same, if it held already.
    pub before: usize,
    /// One bit, which held; or the value that was returned.
    pub term: Term,
    /// The other ways.
    pub others: Vec<Other>,
}

/// The instruction that a run ended in.
#[derive(Clone, Debug)]
pub struct AtEnd {
    pub at: Step,
    /// The terms of its operands, in the order in which [`operands`] has them; none where nothing symbolic is in one.
    pub operands: Vec<Option<Term>>,
    /// Where the object begins that the address in an operand was computed from, if that is known.
    pub bases: Vec<Option<u64>>,
}

/// The operands of an instruction at which runs end: of a load and a store the address, then the value that is stored; of an
/// operation both numbers; of a call its arguments.
pub fn operands(op: &Op) -> Vec<&Operand> {
    match op {
        Op::Load { address, .. } => vec![address],
        Op::Store { address, value, .. }
        | Op::ReadModifyWrite { address, value, .. }
        | Op::CompareExchange { address, replacement: value, .. } => vec![address, value],
        Op::Binary { lhs, rhs, .. } => vec![lhs, rhs],
        Op::Call(call) | Op::Invoke { call, .. } => call.arguments.iter().collect(),
        _ => Vec::new(),
    }
}

impl Shadow<'_> {
    /// As far as the functions on the stack are those of the end that was asked about.
    pub(super) fn at_end(&self) -> Option<AtEnd> {
        let at = self.end.filter(|end| end.depth as usize == self.frames.len())?;
        let frame = self.frames.last()?;
        let uses = self.uses(frame);
        let count = uses.instructions.len() as u32;
        let op = &self.functions.instruction(at.site).op;
        let held = operands(op).into_iter().map(|operand| {
            match self.registers.get(&frame.part, register(count, operand)?)? {
                Held::Term(term) => Some(*term),
                Held::Bytes(_) => None,
            }
        });
        let operands: Vec<Option<Term>> = held.collect();
        let bases = operands.iter().map(|term| term.and_then(|term| self.bases.get(&term).copied())).collect();
        Some(AtEnd { at, operands, bases })
    }
}
