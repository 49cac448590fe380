//! Instructions of one block, walked over backwards.

use abi::InstructionId;

use super::frame::At;
use super::walk::{Walk, WalkError};
use super::{Demand, Mark, Source};
use crate::trace::SURPRISE;
use crate::uses::{Action, LIST, Use};

impl<D: Demand> Walk<'_, D> {
    /// Instructions of one block, backwards, up to its beginning or to a call.
    pub(super) fn straight(&mut self, before: InstructionId, words: &mut &[u64]) -> Result<(), WalkError> {
        if !self.jump.is_nobody() {
            // No call jumped here: a signal handler did.
            let mark = std::mem::take(&mut self.jump);
            self.demand.end(Source::Unseen, mark);
        }
        let top = self.frames.len() - 1;
        let uses = self.frames[top].uses.clone();
        let first = uses.first_of[uses.block_of[before.index()].index()];
        let mut position = before.index();
        while position > first.index() {
            position -= 1;
            let at = InstructionId(position as u32);
            let of = &uses.instructions[position];
            if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
                self.results_at(top, at);
            }
            match of.action {
                Action::Nothing => {}
                Action::Phi => break,
                Action::Pure => {
                    let mark = std::mem::take(&mut self.frames[top].registers[position]);
                    if !mark.is_nobody() {
                        let users = self.pass(top, at, mark);
                        self.want_operands(top, of, users);
                    }
                }
                Action::LoadLocal { local } => {
                    let mark = std::mem::take(&mut self.frames[top].registers[position]);
                    if !mark.is_nobody() {
                        let users = self.pass(top, at, mark);
                        self.want_register(top, local, users);
                        self.open_local(top, at, local, users);
                    }
                }
                Action::StoreLocal { local } => {
                    let mark = std::mem::take(self.frames[top].register(local));
                    self.frames[top].open_locals.retain(|(other, _, _)| *other != local);
                    self.close_local_summaries(top, local);
                    self.made(top, at, of, mark);
                }
                Action::Load { size } => {
                    let word = self.pop(words)?;
                    self.load(top, at, word, u64::from(size));
                }
                Action::LoadArea { area } => {
                    let (word, value) = (self.pop(words)?, self.pop(words)?);
                    self.lists.note(word & !SURPRISE, area, value);
                    self.load(top, at, word, 8);
                }
                Action::Store { size, .. } => {
                    let address = self.pop(words)?;
                    let mark = self.take_stored(address, u64::from(size));
                    self.made(top, at, of, mark);
                }
                Action::Atomic { size } => {
                    let address = self.pop(words)?;
                    self.atomic(top, at, of, (address, u64::from(size)));
                }
                Action::Copy => {
                    let (length, from) = (self.pop(words)?, self.pop(words)?);
                    let to = self.pop(words)?;
                    self.lists.copied(to, from, length);
                    self.copy(top, at, to, from, length);
                }
                Action::Fill => {
                    let (length, _) = (self.pop(words)?, self.pop(words)?);
                    let to = self.pop(words)?;
                    let mark = self.take_stored(to, length);
                    self.made(top, at, of, mark);
                }
                Action::StartList => {
                    let list = self.pop(words)?;
                    let areas = self.lists.started(list);
                    self.frames[top].areas.extend(areas);
                    self.copy_list(top, at, list, None);
                }
                Action::CopyList => {
                    let (from, to) = (self.pop(words)?, self.pop(words)?);
                    self.lists.copied(to, from, LIST);
                    self.copy_list(top, at, to, Some(from));
                }
                Action::Call | Action::Invoke => {
                    // The words of its return come next.
                    self.frames[top].at = At::AfterCall(at);
                    return self.event(words);
                }
                Action::Jump | Action::Branch | Action::Return | Action::Leave => {
                    return Err(self.wrong("no end of a block in the middle of one"));
                }
            }
            if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
                self.roots_at(top, at);
            }
            if of.ticks {
                self.clock -= 1;
            }
        }
        self.frames[top].at = At::Before(first);
        if words.is_empty() { Ok(()) } else { self.event(words) }
    }

    /// A step that made what `mark` wants, with its operands.
    fn made(&mut self, frame: usize, at: InstructionId, of: &Use, mark: Mark) -> Mark {
        if mark.is_nobody() {
            return mark;
        }
        let users = self.meet(frame, at, mark, Mark::NOBODY);
        self.want_operands(frame, of, users);
        users
    }

    fn atomic(&mut self, frame: usize, at: InstructionId, of: &Use, (address, size): (u64, u64)) {
        let result = std::mem::take(&mut self.frames[frame].registers[at.index()]);
        let written = self.take_stored(address, size);
        let mark = self.merge(result, written);
        let users = self.made(frame, at, of, mark);
        if !mark.is_nobody() {
            self.want_memory(address, size, users);
        }
    }

    fn load(&mut self, frame: usize, at: InstructionId, word: u64, size: u64) {
        let address = word & !SURPRISE;
        let mark = std::mem::take(&mut self.frames[frame].registers[at.index()]);
        let users = if mark.is_nobody() { mark } else { self.pass(frame, at, mark) };
        if word & SURPRISE == 0 {
            self.settle_known(address, size);
            if !users.is_nobody() {
                self.want_memory(address, size, users);
            }
        } else {
            self.settle_unseen(address, size);
            // Wishes of later steps for the same bytes want what it met, too.
            let later = self.take_any(address, size);
            let own = (0..size).map(|byte| (byte, users)).filter(|_| !users.is_nobody());
            for (byte, mark) in later.into_iter().chain(own) {
                self.want_from_outside(address.wrapping_add(byte), mark);
            }
        }
        self.open_use(frame, at, address, size, users);
        if !users.is_nobody() {
            let uses = self.frames[frame].uses.clone();
            self.want_operands(frame, &uses.instructions[at.index()], users);
        }
    }

    /// A copy that moves the shadow along: what is known, or not, of its source is so of its target.
    fn copy(&mut self, frame: usize, at: InstructionId, to: u64, from: u64, length: u64) {
        self.close_uses(to, length);
        let outside = self.memory.outside().take(to, length);
        let unlooked = self.memory.unlooked().take(to, length);
        let mut known = Vec::new();
        self.memory.take(to, length, |offset, mark| known.push((offset, mark)));
        let all =
            outside.iter().chain(&unlooked).chain(&known).fold(Mark::NOBODY, |all, &(_, mark)| self.merge(all, mark));
        if all.is_nobody() {
            return;
        }
        let users = self.meet(frame, at, all, Mark::NOBODY);
        let uses = self.frames[frame].uses.clone();
        self.want_operands(frame, &uses.instructions[at.index()], users);
        for &(offset, _) in known.iter().chain(&unlooked).chain(&outside) {
            self.open_use(frame, at, from.wrapping_add(offset), 1, users);
        }
        for (offset, _) in known {
            self.want_memory(from.wrapping_add(offset), 1, users);
        }
        for (offset, _) in unlooked {
            self.want_unlooked(from.wrapping_add(offset), 1, users);
        }
        for (offset, _) in outside {
            self.want_from_outside(from.wrapping_add(offset), users);
        }
    }

    /// A list of variable arguments is made, or copied from another one.
    fn copy_list(&mut self, frame: usize, at: InstructionId, to: u64, from: Option<u64>) {
        self.close_uses(to, LIST);
        let wanted = self.take_any(to, LIST);
        let all = wanted.iter().fold(Mark::NOBODY, |all, &(_, mark)| self.merge(all, mark));
        if all.is_nobody() {
            return;
        }
        let users = self.meet(frame, at, all, Mark::NOBODY);
        let uses = self.frames[frame].uses.clone();
        self.want_operands(frame, &uses.instructions[at.index()], users);
        for (offset, _) in wanted {
            if let Some(from) = from {
                self.want_unlooked(from.wrapping_add(offset), 1, users);
            }
        }
    }
}
