//! Summary control dependences, found on the walk (definition 3.1 and algorithms 2 and 3 of Li, Li, Huo and Feng, *Locating
//! Software Faults Based on Minimum Debugging Frontier Set*).
//!
//! A use depends on a branch that it is not control dependent on, if the branch decides whether an assignment is executed
//! that could have reached the use. Which branches these are, the program's text tells (`Potential::deciding_edges`). In the
//! run, each execution of such a branch in the same call counts that came before the use, with two exceptions:
//!
//! * It came before the definition that the use found. What it could have assigned would have been overwritten.
//! * Something nested in the branch has the dependence itself: then control dependences lead from the branch to there,
//!   and the dependence would be the shortcut of a chain.
//!
//! The paper drops all executions of a branch once one of them has let the assignment be executed; later executions, that
//! skipped it, could have changed what the use found all the same, so they stay here. Only uses in the call that the branch is
//! in are followed, as in the paper; potential dependences (`potential`) cross calls.

use std::collections::HashMap;
use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::potential::Potential;
use program::{Edge, FunctionKey};

use super::crowd::Crowd;
use super::open_uses::{UseSite, Used, places};
use super::walk::Walk;
use super::want::merge;
use super::{Demand, Mark};
use crate::uses::Register;

pub struct Summaries<'f> {
    potential: &'f Potential<'f>,
    /// For each use that was met, the edges that decide what it finds; sorted.
    deciding: HashMap<(FunctionKey, InstructionId), Arc<[Edge]>>,
    /// Uses of memory that wait for their definitions, by eight bytes of memory.
    words: HashMap<u64, Vec<Waiter>>,
    /// Calls that the walk has entered.
    calls: u32,
}

/// A use that waits for some of eight bytes.
struct Waiter {
    call: u32,
    /// Where in the stack the call is, if it still is.
    frame: u32,
    at: InstructionId,
    users: Mark,
    bytes: u8,
}

/// Uses of one place in the program, in one call, that wait for their definitions.
pub struct WaitingAt {
    at: InstructionId,
    local: Option<Register>,
    deciding: Arc<[Edge]>,
    users: Crowd,
    /// Blocks that have the dependence, or something nested in them does.
    covered: Vec<BlockId>,
}

/// Waiters of a word that may belong to calls that are over, before they are looked through.
const MANY: usize = 16;

impl<'f> Summaries<'f> {
    pub fn new(potential: &'f Potential<'f>) -> Summaries<'f> {
        Summaries { potential, deciding: HashMap::new(), words: HashMap::new(), calls: 0 }
    }

    /// A number for a call.
    pub fn enter(&mut self) -> u32 {
        self.calls += 1;
        self.calls
    }

    fn deciding(&mut self, function: FunctionKey, at: InstructionId) -> Arc<[Edge]> {
        let potential = self.potential;
        let known = self.deciding.entry((function, at));
        let edges = known.or_insert_with(|| {
            let places = places(potential, UseSite { function, instruction: at, of: Used::Memory });
            potential.deciding_edges(function, at, &places).into()
        });
        Arc::clone(edges)
    }
}

/// Which of the eight bytes of a word a range has.
fn bytes_of(word: u64, address: u64, length: u64) -> u8 {
    let first = address.saturating_sub(word * 8).min(8);
    let end = address.saturating_add(length).saturating_sub(word * 8).min(8);
    let below = |count: u64| if count >= 8 { u8::MAX } else { (1_u8 << count) - 1 };
    below(end) & !below(first)
}

fn words_of(address: u64, length: u64) -> std::ops::RangeInclusive<u64> {
    address / 8..=address.saturating_add(length.saturating_sub(1)) / 8
}

impl<D: Demand> Walk<'_, D> {
    /// A use waits, of memory or of a local that lives in registers.
    pub(super) fn await_summary(
        &mut self,
        frame: usize,
        at: InstructionId,
        of: Result<(u64, u64), Register>,
        users: Mark,
    ) {
        let key = self.frames[frame].key;
        let Some(summaries) = &mut self.summaries else { return };
        if users.is_nobody() || self.functions.is_twin(key) {
            return;
        }
        let deciding = summaries.deciding(key, at);
        if deciding.is_empty() {
            return;
        }
        let (call, waiting) = (self.frames[frame].call, &mut self.frames[frame].waiting);
        let position = waiting.iter().position(|one| one.at == at).unwrap_or_else(|| {
            let local = of.err();
            waiting.push(WaitingAt { at, local, deciding, users: Crowd::default(), covered: Vec::new() });
            waiting.len() - 1
        });
        let Ok((address, length)) = of else {
            waiting[position].users.add(users);
            return;
        };
        for word in words_of(address, length) {
            let bytes = bytes_of(word, address, length);
            let waiters = summaries.words.entry(word).or_default();
            let is_same = |one: &&mut Waiter| one.call == call && one.at == at && one.users == users;
            if let Some(known) = waiters.iter_mut().find(is_same) {
                known.bytes |= bytes;
                continue;
            }
            if waiters.len() >= MANY && waiters.len().is_power_of_two() {
                let frames = &self.frames;
                waiters.retain(|one| frames.get(one.frame as usize).is_some_and(|frame| frame.call == one.call));
            }
            waiters.push(Waiter { call, frame: frame as u32, at, users, bytes });
            self.frames[frame].waiting[position].users.add(users);
        }
    }

    /// The range was defined: who waited for it waits no more.
    pub(super) fn close_summaries(&mut self, address: u64, length: u64) {
        let Some(summaries) = &mut self.summaries else { return };
        if summaries.words.is_empty() || length == 0 {
            return;
        }
        let frames = &mut self.frames;
        for word in words_of(address, length) {
            let Some(waiters) = summaries.words.get_mut(&word) else { continue };
            let bytes = bytes_of(word, address, length);
            waiters.retain_mut(|one| {
                one.bytes &= !bytes;
                let frame = frames.get_mut(one.frame as usize).filter(|frame| frame.call == one.call);
                if one.bytes == 0
                    && let Some(frame) = frame
                    && let Some(waiting) = frame.waiting.iter_mut().find(|waiting| waiting.at == one.at)
                {
                    waiting.users.remove(one.users);
                }
                one.bytes != 0
            });
            if waiters.is_empty() {
                summaries.words.remove(&word);
            }
        }
    }

    /// The same of a local that lives in registers.
    pub(super) fn close_local_summaries(&mut self, frame: usize, local: Register) {
        if self.summaries.is_some() {
            self.frames[frame].waiting.retain(|one| one.local != Some(local));
        }
    }

    /// Who waits for what the branch at the end of `from` could have let be assigned, had it not gone to `to`.
    pub(super) fn summary_users(&mut self, frame: usize, from: BlockId, to: BlockId) -> Mark {
        let mut all = Mark::NOBODY;
        if self.summaries.is_none() || self.frames[frame].waiting.is_empty() {
            return all;
        }
        let frame = &mut self.frames[frame];
        let nested = frame.shape.control.controlled_by(Edge { from, to });
        for one in &mut frame.waiting {
            let before = one.covered.len();
            one.covered.retain(|block| !nested.contains(block));
            let is_covered = one.covered.len() < before;
            let decides = !one.users.is_empty() && one.deciding.iter().any(|edge| edge.from == from && edge.to != to);
            if !is_covered && decides {
                let users = one.users.all(&mut self.demand);
                all = merge(&mut self.demand, all, users);
            }
            if (is_covered || decides) && !one.covered.contains(&from) {
                one.covered.push(from);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_word_are_those_in_the_range() {
        assert_eq!(bytes_of(2, 16, 8), 0xff);
        assert_eq!(bytes_of(2, 18, 4), 0b0011_1100);
        assert_eq!(bytes_of(2, 10, 8), 0b0000_0011);
        assert_eq!(bytes_of(2, 20, 8), 0b1111_0000);
        assert_eq!(words_of(10, 8), 1..=2);
        assert_eq!(words_of(16, 8), 2..=2);
    }
}
