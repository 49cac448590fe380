//! One function on the stack, as the walk backwards sees it.

use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::{Function, FunctionKey, Shape};

use super::open_uses::SiteNumber;
use super::summary::WaitingAt;
use super::{Mark, Slot};
use crate::uses::{Area, Register, Uses};

/// Where the walk is in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// It has just returned: the next word says from which block.
    End,
    /// Before this instruction: everything from it on has been walked over.
    Before(InstructionId),
    /// In this call.
    Call(InstructionId),
    /// This call has come back.
    AfterCall(InstructionId),
}

impl At {
    /// The instruction; the first one at a function's end.
    pub fn site(self) -> InstructionId {
        match self {
            At::Before(id) | At::Call(id) | At::AfterCall(id) => id,
            At::End => InstructionId(0),
        }
    }
}

/// What is known of the call a function is in.
#[derive(Default)]
pub struct Pending {
    /// Who wants its result.
    pub result: Mark,
    /// The result's first word, if it came back.
    pub came: Option<u64>,
    /// It entered a function of the program's.
    pub is_inside: bool,
    /// An outside function called back.
    pub called_back: bool,
    /// Who wants it to have been made.
    pub control: Mark,
    /// Who wants what an outside function gave to functions it called back.
    pub given: Mark,
    /// Who wants the parameters of the function it entered.
    pub parameters: Vec<Mark>,
    /// Arguments passed as copies in memory: which, and who wants which byte.
    pub copies: Vec<(usize, Vec<(u64, Mark)>)>,
    /// Variable arguments, by their positions in the call, and who wants them.
    pub variable: Vec<(usize, Mark)>,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        let marks = [self.result, self.control, self.given];
        marks.iter().chain(&self.parameters).all(|m| m.is_nobody())
            && self.copies.is_empty()
            && self.variable.is_empty()
    }
}

pub struct Frame<'r> {
    pub key: FunctionKey,
    pub slot: Slot,
    pub function: &'r Function,
    pub uses: Arc<Uses>,
    pub shape: Arc<Shape>,
    pub from_outside: bool,
    pub at: At,
    /// Who wants each register.
    pub registers: Vec<Mark>,
    /// Who wants to know why a block executed.
    pub blocks: Vec<Mark>,
    pub wanted_blocks: u32,
    pub pending: Pending,
    /// Who wants what it returns.
    pub returned: Mark,
    /// Uses of register-resident locals that wait for their definitions; only where potential dependences are followed.
    pub open_locals: Vec<(Register, SiteNumber, Mark)>,
    /// A number for the call, and its uses that wait; only where summary control dependences are followed.
    pub call: u32,
    pub waiting: Vec<WaitingAt>,
    /// Where its variable arguments lie, as far as it looked at them.
    pub areas: Vec<(Area, u64)>,
}

impl Frame<'_> {
    pub fn register(&mut self, register: Register) -> &mut Mark {
        &mut self.registers[register.0 as usize]
    }

    pub fn take_block(&mut self, block: BlockId) -> Mark {
        let mark = std::mem::take(&mut self.blocks[block.index()]);
        if !mark.is_nobody() {
            self.wanted_blocks -= 1;
        }
        mark
    }
}
