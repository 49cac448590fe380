//! Potential dependences, found on the walk (definition 1 of Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution
//! Omission Errors*).
//!
//! While a place is wanted, the walk is between a use and the definition that reached it. A branch it passes there could
//! have let another definition reach the use, had it gone the other way: then the use potentially depends on it. Which
//! definitions there could have been, `program::potential` tells.
//!
//! A use of memory may be in another call or function than the branch, so any definition counts that is still there when
//! the branch's function calls or returns; a use of a local that lives in registers is in the same call, and a
//! definition must reach it. Bytes that outside code read have no use in the program's text and are left out, and so are
//! branches of library twins.

use abi::{BlockId, InstructionId};
use program::Edge;

use super::open_uses::{UseSite, Used};
use super::walk::Walk;
use super::want::merge;
use super::{Demand, Mark};
use crate::uses::Register;

impl<D: Demand> Walk<'_, D> {
    /// A use of memory waits for its definition.
    pub(super) fn open_use(&mut self, frame: usize, at: InstructionId, address: u64, length: u64, users: Mark) {
        let here = self.step(frame, at);
        if let Some(open) = &mut self.open
            && !users.is_nobody()
            && self.demand.asks(here)
        {
            let site = open.number(UseSite { function: here.site.function, instruction: at, of: Used::Memory });
            // What nobody can write waits for nobody.
            let bytes = (0..length).map(|offset| address.wrapping_add(offset));
            let bytes = bytes.filter(|&byte| !self.functions.is_constant(byte));
            open.open(bytes, site, users, &mut self.demand);
        }
        if self.summaries.is_some() && !self.functions.is_constant(address) {
            self.await_summary(frame, at, Ok((address, length)), users);
        }
    }

    /// The same of a local that lives in registers.
    pub(super) fn open_local(&mut self, frame: usize, at: InstructionId, local: Register, users: Mark) {
        let here = self.step(frame, at);
        if let Some(open) = &mut self.open
            && !users.is_nobody()
            && self.demand.asks(here)
        {
            let site = open.number(UseSite { function: here.site.function, instruction: at, of: Used::Local });
            let waiting = &mut self.frames[frame].open_locals;
            match waiting.iter_mut().find(|(_, other, _)| *other == site) {
                Some((_, _, mark)) => *mark = merge(&mut self.demand, *mark, users),
                None => waiting.push((local, site, users)),
            }
        }
        self.await_summary(frame, at, Err(local), users);
    }

    /// The range was defined.
    pub(super) fn close_uses(&mut self, address: u64, length: u64) {
        if let Some(open) = &mut self.open {
            open.close(address, length);
        }
        self.close_summaries(address, length);
    }

    /// Who wants what the branch at the end of `from` could have defined, had it not gone to `to`.
    pub(super) fn potential_users(&mut self, frame: usize, from: BlockId, to: BlockId) -> Mark {
        let Some(open) = &mut self.open else { return Mark::NOBODY };
        let frame = &self.frames[frame];
        if self.functions.is_twin(frame.key) {
            return Mark::NOBODY;
        }
        let mut all = Mark::NOBODY;
        for &other in frame.shape.cfg.successors(from).iter().filter(|&&other| other != to) {
            let locals = frame.open_locals.iter().map(|&(_, site, mark)| (site, mark));
            let users = open.could_define(frame.key, Edge { from, to: other }, locals, &mut self.demand);
            all = merge(&mut self.demand, all, users);
        }
        all
    }
}
