//! Calls, walked over backwards: what the callee wanted, the caller must have.

use abi::InstructionId;
use program::library::{Known, in_words};
use program::{Call, Callee, Op};

use super::frame::{At, Pending};
use super::walk::{Walk, WalkError};
use super::want::merge;
use super::{Demand, Mark};
use crate::library_call::{Extent, Range, Touched, Words, called_name, touched};
use crate::uses::register;

impl<D: Demand> Walk<'_, D> {
    /// The beginning of a call: its arguments are there.
    pub(super) fn called(&mut self, at: InstructionId, words: &mut &[u64]) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        if self.frames[top].at != At::Call(at) {
            return Err(self.wrong("the call the function is in"));
        }
        let function = self.frames[top].function;
        let (Op::Call(call) | Op::Invoke { call, .. }) = &function.instruction(at).op else {
            return Err(self.wrong("a call"));
        };
        let uses = self.frames[top].uses.clone();
        let measures = uses.library_calls.get(&at).map_or(0, |known| known.measures.len());
        let measured = self.pop_words(measures, words)?;
        if matches!(call.callee, Callee::Pointer(_)) {
            self.pop_words(1, words)?;
        }
        let arguments = self.pop_words(call.arguments.len(), words)?;
        let pending = std::mem::take(&mut self.frames[top].pending);
        if pending.is_inside {
            self.inside(top, at, call, arguments, pending);
        } else {
            let words = Words { arguments, measured, result: pending.came };
            let touched = uses.library_calls.get(&at).map(|known| (known.known, touched(known, words)));
            self.outside(top, at, call, touched, &pending);
        }
        self.roots_at(top, at);
        if function.instruction(at).ticks {
            self.clock -= 1;
        }
        self.frames[top].at = At::Before(at);
        Ok(())
    }

    /// The last so many words, in their order.
    fn pop_words<'w>(&self, count: usize, words: &mut &'w [u64]) -> Result<&'w [u64], WalkError> {
        let at = words.len().checked_sub(count).ok_or_else(|| self.wrong("the words of a call"))?;
        let (rest, popped) = words.split_at(at);
        *words = rest;
        Ok(popped)
    }

    /// A call of a function of the program's: parameters come straight from arguments.
    fn inside(&mut self, frame: usize, at: InstructionId, call: &Call, words: &[u64], pending: Pending) {
        let registers = self.frames[frame].function.instructions.len() as u32;
        let variable = pending.variable.iter().copied();
        for (position, mark) in pending.parameters.iter().copied().enumerate().chain(variable) {
            if let Some(argument) = call.arguments.get(position)
                && let Some(register) = register(registers, argument)
            {
                self.want_register(frame, register, mark);
            }
        }
        for (position, bytes) in pending.copies {
            let Some(&source) = words.get(position) else { continue };
            for (offset, mark) in bytes {
                self.want_unlooked(source.wrapping_add(offset), 1, mark);
            }
        }
        // A jump out of a function is told by the call that jumped, which lies deeper.
        if !pending.control.is_nobody() {
            let users = self.meet(frame, at, Mark::NOBODY, pending.control);
            if let Callee::Pointer(pointer) = &call.callee
                && let Some(register) = register(registers, pointer)
            {
                self.want_register(frame, register, users);
            }
        }
    }

    /// A call of outside code; `touched` if the function is known.
    fn outside(
        &mut self,
        frame: usize,
        at: InstructionId,
        call: &Call,
        touched: Option<(&Known, Touched)>,
        pending: &Pending,
    ) {
        let jump = std::mem::take(&mut self.jump);
        let mut data = self.merge(pending.result, pending.given);
        data = self.merge(data, jump);
        let mut copied = Vec::new();
        if touched.as_ref().is_none_or(|(known, _)| pending.called_back && !known.leaves_memory_alone()) {
            let mark = self.take_outside();
            data = self.merge(data, mark);
        }
        if let Some((_, touched)) = &touched {
            for &range in &touched.written {
                let mark = self.take_written(range);
                data = self.merge(data, mark);
            }
            for copy in &touched.copied {
                self.close_uses(copy.to, copy.length);
                for (offset, mark) in self.take_any(copy.to, copy.length) {
                    data = self.merge(data, mark);
                    copied.push(copy.from.wrapping_add(offset));
                }
            }
        }
        if data.is_nobody() {
            return;
        }
        let here = self.step(frame, at);
        if touched.is_none() {
            let module = self.functions.module(self.frames[frame].key).ok();
            let name = module.and_then(|module| called_name(module, call));
            self.demand.unknown(here, &name.map_or("a function called by its address".into(), in_words));
        }
        let users = self.meet(frame, at, data, Mark::NOBODY);
        for address in copied {
            self.want_unlooked(address, 1, users);
        }
        let uses = self.frames[frame].uses.clone();
        self.want_operands(frame, &uses.instructions[at.index()], users);
        for (address, length) in touched.into_iter().flat_map(|(_, touched)| touched.read) {
            self.want_unlooked(address, length, users);
        }
    }

    /// A function that outside code had called comes to its end. What is wanted from outside at this time, the outside
    /// function wrote after that.
    pub(super) fn called_back(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let At::Call(at) = frame.at else { return };
        let known = frame.uses.library_calls.get(&at);
        let leaves_memory_alone = known.is_some_and(|known| known.known.leaves_memory_alone());
        let mark = if leaves_memory_alone { Mark::NOBODY } else { self.take_outside() };
        if let Some(frame) = self.frames.last_mut() {
            frame.pending.called_back = true;
            frame.pending.given = merge(&mut self.demand, frame.pending.given, mark);
        }
    }

    /// A function that outside code had called returned to it, and what came then was a jump: the outside function made it.
    pub(super) fn jumped_outside(&mut self) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| matches!(frame.at, At::Call(_))) {
            let jump = std::mem::take(&mut self.jump);
            frame.pending.given = merge(&mut self.demand, frame.pending.given, jump);
        }
    }

    /// Who wants what outside code wrote to a range.
    fn take_written(&mut self, Range { address, length, extent }: Range) -> Mark {
        let sure = match extent {
            Extent::Whole => length,
            // A text has at least its zero.
            Extent::Text => length.min(1),
            Extent::Part => 0,
        };
        let mut all = self.take_any(address, sure);
        all.extend(self.memory.outside().take(address, length));
        if extent != Extent::Part {
            all.extend(self.memory.unlooked().take(address, length));
        }
        for &(offset, _) in &all {
            self.close_uses(address.wrapping_add(offset), 1);
        }
        all.into_iter().fold(Mark::NOBODY, |all, (_, mark)| self.merge(all, mark))
    }

    /// Who wants anything from outside.
    fn take_outside(&mut self) -> Mark {
        let all = self.memory.outside().take_all();
        for &(address, _) in &all {
            self.close_uses(address, 1);
        }
        all.into_iter().fold(Mark::NOBODY, |all, (_, mark)| self.merge(all, mark))
    }
}
