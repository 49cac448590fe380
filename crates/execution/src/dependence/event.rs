//! Ways control took, walked over backwards: from block to block, to landing pads, by jumps.

use abi::{BlockId, InstructionId};
use program::{Edge, Op};

use super::frame::At;
use super::walk::{Walk, WalkError};
use super::{Demand, Mark};
use crate::trace::{Event, Token};
use crate::uses::{Action, register};

impl<D: Demand> Walk<'_, D> {
    /// The next word is a token.
    pub(super) fn event(&mut self, words: &mut &[u64]) -> Result<(), WalkError> {
        let event = Token(self.pop(words)?).event().ok_or_else(|| self.wrong("a token"))?;
        match event {
            Event::Went { from, to } => self.went(from, to, Mark::NOBODY),
            Event::Landed { from, to } => self.landed(from, to),
            Event::Ended { from } => self.ended(from),
            Event::Came { at } => {
                let word = self.pop(words)?;
                self.came(at, word)
            }
            Event::Called { at } => self.called(at, words),
            Event::Entered { function, .. } => self.entered(function, words),
            Event::Returned { function, from_outside } => {
                let mut result = Mark::NOBODY;
                if from_outside {
                    self.called_back();
                    self.jumped_outside();
                } else if let Some(caller) = self.frames.last_mut() {
                    result = std::mem::take(&mut caller.pending.result);
                    caller.pending.is_inside = true;
                }
                self.push(function, from_outside, At::End);
                if let Some(top) = self.frames.last_mut() {
                    top.returned = result;
                }
                Ok(())
            }
            Event::Unwound { function, from_outside } => {
                let at = InstructionId(self.pop(words)? as u32);
                if from_outside {
                    self.called_back();
                }
                self.push(function, from_outside, At::Before(at));
                self.settle_place(at, words);
                Ok(())
            }
            Event::Jumped { to } => self.jumped(to, words),
        }
    }

    /// Whether the innermost function is in the call at this instruction or was interrupted before it, the next word
    /// tells: a call it is in was begun, or has called back.
    pub(super) fn settle_place(&mut self, at: InstructionId, words: &[u64]) {
        let Some(top) = self.frames.last_mut() else { return };
        let is_call = matches!(top.uses.instructions[at.index()].action, Action::Call | Action::Invoke);
        let leaves = matches!(top.uses.instructions[at.index()].action, Action::Leave);
        let next = words.last().and_then(|&word| Token(word).event());
        top.at = match next {
            Some(Event::Called { at: called }) if is_call && called == at => At::Call(at),
            Some(Event::Returned { .. } | Event::Unwound { .. }) if is_call => At::Call(at),
            // It went on with an exception.
            Some(Event::Ended { .. }) if leaves => At::End,
            _ => At::Before(at),
        };
    }

    /// Control went from one block to another.
    fn went(&mut self, from: BlockId, to: BlockId, more: Mark) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        let uses = self.frames[top].uses.clone();
        match self.frames[top].at {
            At::Before(id) if uses.block_of[id.index()] == to => {}
            _ => return Err(self.wrong("the beginning of the block control went to")),
        }
        let chosen = self.phis(top, from, to);
        let terminator = InstructionId(uses.end_of[from.index()].0 - 1);
        let of = &uses.instructions[terminator.index()];
        let mut potential =
            if of.action == Action::Branch { self.potential_users(top, from, to) } else { Mark::NOBODY };
        if !potential.is_nobody() {
            potential = self.demand.could(self.step(top, terminator), potential);
        }
        let mut more = self.merge(more, potential);
        if self.looks_for_choices() {
            let summary = self.summary_users(top, from, to);
            let wanted = self.choice_users(self.step(top, terminator));
            let users = self.merge(summary, wanted);
            more = self.merge(more, users);
        }
        if of.action == Action::Branch {
            more = self.merge(more, chosen);
        } else {
            self.want_block(top, from, chosen);
        }
        if self.frames[top].wanted_blocks > 0 || !more.is_nobody() {
            let mut control = more;
            let shape = self.frames[top].shape.clone();
            for &block in shape.control.controlled_by(Edge { from, to }) {
                let mark = self.frames[top].take_block(block);
                control = self.merge(control, mark);
            }
            if !control.is_nobody() {
                let users = self.meet(top, terminator, Mark::NOBODY, control);
                if of.action == Action::Branch {
                    self.want_operands(top, of, users);
                }
            }
        }
        if of.action == Action::Invoke {
            // Its return comes next.
            self.frames[top].at = At::AfterCall(terminator);
            return Ok(());
        }
        if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
            self.roots_at(top, terminator);
        }
        if of.ticks {
            self.clock -= 1;
        }
        self.frames[top].at = At::Before(terminator);
        Ok(())
    }

    /// All phis of a block take their values at once. Who wants them wants also that control came this way: that decided
    /// which values they took.
    fn phis(&mut self, frame: usize, from: BlockId, to: BlockId) -> Mark {
        let uses = self.frames[frame].uses.clone();
        let phis = &uses.phis[to.index()];
        if phis.is_empty() {
            return Mark::NOBODY;
        }
        let function = self.frames[frame].function;
        let (mut wanted, mut chosen) = (Vec::new(), Mark::NOBODY);
        for &phi in phis {
            let mark = std::mem::take(&mut self.frames[frame].registers[phi.index()]);
            if let Op::Phi { incoming } = &function.instruction(phi).op
                && !mark.is_nobody()
            {
                let users = self.pass(frame, phi, mark);
                chosen = self.merge(chosen, users);
                let source = incoming.iter().find(|(block, _)| *block == from);
                wanted.extend(
                    source.and_then(|(_, o)| register(function.instructions.len() as u32, o)).map(|r| (r, users)),
                );
            }
        }
        for (register, mark) in wanted {
            self.want_register(frame, register, mark);
        }
        if self.follows_control { chosen } else { Mark::NOBODY }
    }

    /// An exception landed: whoever wants what happened there wants the throw, too.
    fn landed(&mut self, from: BlockId, to: BlockId) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        let uses = self.frames[top].uses.clone();
        let invoke = InstructionId(uses.end_of[from.index()].0 - 1);
        let pad = uses.first_of[to.index()].index() + uses.phis[to.index()].len();
        let mut mark = std::mem::take(&mut self.frames[top].registers[pad]);
        let shape = self.frames[top].shape.clone();
        for &block in shape.control.controlled_by(Edge { from, to }) {
            let wanted = self.frames[top].take_block(block);
            mark = self.merge(mark, wanted);
        }
        let chosen = self.phis(top, from, to);
        mark = self.merge(mark, chosen);
        if !mark.is_nobody() {
            let users = self.meet(top, invoke, Mark::NOBODY, mark);
            self.jump = self.merge(self.jump, users);
        }
        self.frames[top].at = At::Call(invoke);
        Ok(())
    }

    fn ended(&mut self, from: BlockId) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        let uses = self.frames[top].uses.clone();
        let terminator = InstructionId(uses.end_of[from.index()].0 - 1);
        let of = &uses.instructions[terminator.index()];
        let mark = std::mem::take(&mut self.frames[top].returned);
        let jump = if of.action == Action::Leave { std::mem::take(&mut self.jump) } else { Mark::NOBODY };
        let wanted = self.merge(mark, jump);
        if !wanted.is_nobody() {
            let users = self.meet(top, terminator, mark, jump);
            self.want_operands(top, of, users);
        }
        if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
            self.roots_at(top, terminator);
        }
        if of.ticks {
            self.clock -= 1;
        }
        self.frames[top].at = At::Before(terminator);
        Ok(())
    }

    fn jumped(&mut self, to: InstructionId, words: &mut &[u64]) -> Result<(), WalkError> {
        let (from, clock) = (InstructionId(self.pop(words)? as u32), self.pop(words)?);
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        if self.frames[top].at != At::Call(to) {
            return Err(self.wrong("the call that returned twice"));
        }
        // Whatever has no reason since then has the jump for a reason.
        let pending = std::mem::take(&mut self.frames[top].pending);
        let mut mark = pending.result;
        for block in 0..self.frames[top].blocks.len() {
            let wanted = self.frames[top].take_block(BlockId(block as u32));
            mark = self.merge(mark, wanted);
        }
        if !mark.is_nobody() {
            let users = self.meet(top, to, mark, Mark::NOBODY);
            self.jump = self.merge(self.jump, users);
        }
        self.clock = clock;
        self.settle_place(from, words);
        Ok(())
    }
}
