//! What is wanted: how a walk takes wishes up, and how they are met.

use abi::{BlockId, InstructionId};

use super::walk::Walk;
use super::{Demand, Mark, Source};
use crate::uses::{Register, Use};

impl<D: Demand> Walk<'_, D> {
    pub(super) fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        merge(&mut self.demand, a, b)
    }

    pub(super) fn want_register(&mut self, frame: usize, register: Register, mark: Mark) {
        let place = &mut self.frames[frame].registers[register.0 as usize];
        *place = merge(&mut self.demand, *place, mark);
    }

    pub(super) fn want_operands(&mut self, frame: usize, of: &Use, mark: Mark) {
        let uses = self.frames[frame].uses.clone();
        for &register in uses.operands(of) {
            self.want_register(frame, register, mark);
        }
    }

    /// Wants to know why this block was executed.
    pub(super) fn want_block(&mut self, frame: usize, block: BlockId, mark: Mark) {
        if !self.follows_control || mark.is_nobody() {
            return;
        }
        let frame = &mut self.frames[frame];
        let place = &mut frame.blocks[block.index()];
        frame.wanted_blocks += u32::from(place.is_nobody());
        *place = merge(&mut self.demand, *place, mark);
    }

    pub(super) fn want_memory(&mut self, address: u64, length: u64, mark: Mark) {
        let (memory, demand) = (&mut self.memory, &mut self.demand);
        for byte in 0..length {
            memory.update(address.wrapping_add(byte), |before| merge(demand, before, mark));
        }
    }

    /// Bytes as outside code read them.
    pub(super) fn want_unlooked(&mut self, address: u64, length: u64, mark: Mark) {
        if mark.is_nobody() {
            return;
        }
        let (memory, demand) = (&mut self.memory, &mut self.demand);
        for byte in 0..length {
            memory.unlooked().update(address.wrapping_add(byte), |before| merge(demand, before, mark));
        }
    }

    /// What is not as instrumented code had it: somebody outside changed it, since it last looked.
    pub(super) fn want_from_outside(&mut self, address: u64, mark: Mark) {
        if self.functions.is_constant(address) {
            self.demand.initial(address, mark);
            return;
        }
        let demand = &mut self.demand;
        self.memory.outside().update(address, |before| merge(demand, before, mark));
    }

    /// Instrumented code saw or wrote this range, so what is wanted there from outside came later, without a call.
    pub(super) fn settle_unseen(&mut self, address: u64, length: u64) {
        for (offset, mark) in self.memory.outside().take(address, length) {
            self.close_uses(address.wrapping_add(offset), 1);
            self.demand.end(Source::Unseen, mark);
        }
    }

    /// A load saw that this range is as instrumented code had it.
    pub(super) fn settle_known(&mut self, address: u64, length: u64) {
        self.settle_unseen(address, length);
        for (offset, mark) in self.memory.unlooked().take(address, length) {
            self.want_memory(address.wrapping_add(offset), 1, mark);
        }
    }

    /// Takes what is wanted of a range that the program's own code wrote: all who want any byte of it.
    pub(super) fn take_stored(&mut self, address: u64, length: u64) -> Mark {
        self.close_uses(address, length);
        self.settle_unseen(address, length);
        let mut all = Mark::NOBODY;
        let demand = &mut self.demand;
        self.memory.take(address, length, |_, mark| all = merge(demand, all, mark));
        for (_, mark) in self.memory.unlooked().take(address, length) {
            all = self.merge(all, mark);
        }
        all
    }

    /// Takes all that is wanted of a range, byte by byte, where the shadow was not told of a write.
    pub(super) fn take_any(&mut self, address: u64, length: u64) -> Vec<(u64, Mark)> {
        let mut bytes = self.memory.outside().take(address, length);
        bytes.extend(self.memory.unlooked().take(address, length));
        self.memory.take(address, length, |offset, mark| bytes.push((offset, mark)));
        bytes
    }

    /// A step that passes values on was wanted by `mark`.
    pub(super) fn pass(&mut self, frame: usize, at: InstructionId, mark: Mark) -> Mark {
        let slot = self.frames[frame].slot;
        let users = self.demand.pass(self.step(frame, at), slot, mark);
        let block = self.frames[frame].uses.block_of[at.index()];
        self.want_block(frame, block, users);
        users
    }

    pub(super) fn meet(&mut self, frame: usize, at: InstructionId, data: Mark, control: Mark) -> Mark {
        let slot = self.frames[frame].slot;
        let users = self.demand.meet(self.step(frame, at), slot, data, control);
        let block = self.frames[frame].uses.block_of[at.index()];
        self.want_block(frame, block, users);
        users
    }
}

pub(super) fn merge(demand: &mut impl Demand, a: Mark, b: Mark) -> Mark {
    if a.is_nobody() || a == b {
        b
    } else if b.is_nobody() {
        a
    } else {
        demand.merge(a, b)
    }
}
