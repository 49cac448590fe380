//! Ends and beginnings of calls and functions, walked over backwards: what a function wants of its parameters goes to
//! whoever called it.

use abi::{BlockId, InstructionId};
use program::{FunctionKey, Op};

use super::frame::{At, Frame, Pending};
use super::variable::places;
use super::walk::{Walk, WalkError};
use super::want::merge;
use super::{Demand, Mark, Source};

impl<D: Demand> Walk<'_, D> {
    pub(super) fn came(&mut self, at: InstructionId, word: u64) -> Result<(), WalkError> {
        let Some(top) = self.frames.last_mut() else { return Err(self.wrong("a function")) };
        if top.at != At::AfterCall(at) {
            return Err(self.wrong("the instruction after the call"));
        }
        top.at = At::Call(at);
        top.pending =
            Pending { result: std::mem::take(&mut top.registers[at.index()]), came: Some(word), ..Pending::default() };
        Ok(())
    }

    /// A function's beginning: what it wants of its parameters, its caller must have.
    pub(super) fn entered(&mut self, function: FunctionKey, words: &mut &[u64]) -> Result<(), WalkError> {
        let Some(mut frame) = self.frames.pop() else { return Err(self.wrong("a function")) };
        if frame.key != function || frame.at != At::Before(InstructionId(0)) {
            return Err(self.wrong("the beginning of a function"));
        }
        let uses = frame.uses.clone();
        let mut copies = Vec::new();
        for &(position, size) in uses.by_value.iter().rev() {
            let address = self.pop(words)?;
            self.close_uses(address, size);
            // The copy was made by code that no IR shows, so the first look at it was a surprise, or told nothing.
            copies.push((position as usize, self.take_any(address, size)));
        }
        let variable = self.variable_arguments(&frame, &mut copies);
        if uses.ticks_on_entry {
            self.clock -= 1;
        }
        let mut control = Mark::NOBODY;
        if frame.wanted_blocks > 0 {
            for block in 0..frame.blocks.len() {
                control = self.merge(control, frame.take_block(BlockId(block as u32)));
            }
        }
        let parameters = frame.registers.split_off(frame.function.instructions.len());
        // What is left was wanted of instructions that had not been executed: nothing is.
        frame.registers.fill(Mark::NOBODY);
        frame.registers.clear();
        frame.blocks.clear();
        self.spare.push((frame.registers, frame.blocks));
        let caller = self.frames.len().checked_sub(1);
        match caller {
            Some(caller) if !frame.from_outside => {
                let pending = &mut self.frames[caller].pending;
                pending.is_inside = true;
                pending.parameters = parameters;
                pending.copies = copies;
                pending.variable = variable;
                pending.control = merge(&mut self.demand, pending.control, control);
            }
            _ => {
                let mut given = Mark::NOBODY;
                for mark in parameters {
                    given = self.merge(given, mark);
                }
                for (_, mark) in copies.into_iter().flat_map(|(_, bytes)| bytes) {
                    given = self.merge(given, mark);
                }
                match caller {
                    Some(caller) => {
                        let pending = &mut self.frames[caller].pending;
                        pending.given = merge(&mut self.demand, pending.given, given);
                        pending.given = merge(&mut self.demand, pending.given, control);
                    }
                    None if given.is_nobody() => {}
                    None => self.demand.end(Source::Start, given),
                }
            }
        }
        Ok(())
    }

    /// Wishes for the variable arguments of a function that begins now; of those that are copies in memory, to `copies`.
    fn variable_arguments(
        &mut self,
        frame: &Frame<'_>,
        copies: &mut Vec<(usize, Vec<(u64, Mark)>)>,
    ) -> Vec<(usize, Mark)> {
        let Some(caller) = self.frames.last().filter(|_| !frame.areas.is_empty() && !frame.from_outside) else {
            return Vec::new();
        };
        let At::Call(at) = caller.at else { return Vec::new() };
        let (Op::Call(call) | Op::Invoke { call, .. }) = &caller.function.instruction(at).op else { return Vec::new() };
        let mut found = Vec::new();
        for place in places(call, frame.function.parameters.len()) {
            for &(_, start) in frame.areas.iter().filter(|(area, _)| *area == place.area) {
                self.close_uses(start.wrapping_add(place.offset), place.length);
                let bytes = self.take_any(start.wrapping_add(place.offset), place.length);
                if place.is_copy {
                    copies.push((place.argument, bytes));
                } else {
                    found.extend(bytes.into_iter().map(|(_, mark)| (place.argument, mark)));
                }
            }
        }
        found
    }
}
