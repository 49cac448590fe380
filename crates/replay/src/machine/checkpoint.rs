//! Checkpoints: a position in the log with clock, hash and frames, where a machine can begin again.

use program::Site;

use super::Machine;
use super::plan::PlanPosition;
use crate::log::Position;
use crate::memory::{Memory, Snapshot};
use crate::observer::Observer;
use crate::running::Frame;
use crate::surprises::SurprisePosition;

/// The state at the end of a block, before its tick.
#[derive(Clone)]
pub struct Checkpoint {
    pub clock: u64,
    pub position: Position,
    pub(crate) surprises: SurprisePosition,
    memory: Snapshot,
    handler_memories: Vec<Snapshot>,
    /// How many signal handlers were still to come.
    interruptions: usize,
    hash: u64,
    frames: Vec<Frame>,
    stack: Vec<u64>,
    plan: PlanPosition,
}

// SAFETY: frames point to code kept by the image, which is shared between threads and outlives every machine.
unsafe impl Send for Checkpoint {}
// SAFETY: as above; a checkpoint is not changed once it is taken.
unsafe impl Sync for Checkpoint {}

impl Checkpoint {
    pub(super) fn take<O: Observer>(machine: &mut Machine<'_, '_, O>) -> Checkpoint {
        let words = machine.frames.last().map_or(0, |f| f.base + f.code().frame_words as usize);
        Checkpoint {
            clock: machine.clock,
            position: machine.log.position(),
            surprises: machine.surprises.position(),
            memory: machine.memory.snapshot(),
            interruptions: machine.interruptions.len(),
            hash: machine.hash,
            frames: machine.frames.clone(),
            stack: machine.stack[..words].to_vec(),
            handler_memories: machine.handler_memories.iter_mut().map(Memory::snapshot).collect(),
            plan: machine.plan.position(),
        }
    }

    /// Where each function on the stack is, outermost first, and whether it was entered from outside. The innermost is
    /// at the end of a block, before its last instruction.
    pub fn stack(&self) -> impl ExactSizeIterator<Item = (Site, bool)> {
        self.frames.iter().map(|frame| (frame.site(), frame.from_outside))
    }

    pub(crate) fn restore<O: Observer>(&self, machine: &mut Machine<'_, '_, O>) {
        machine.clock = self.clock;
        machine.hash = self.hash;
        machine.interruptions.truncate(self.interruptions);
        machine.frames = self.frames.clone();
        machine.stack.resize(self.stack.len().max(1 << 12), 0);
        machine.stack[..self.stack.len()].copy_from_slice(&self.stack);
        machine.memory = Memory::from_snapshot(&self.memory);
        machine.handler_memories = self.handler_memories.iter().map(Memory::from_snapshot).collect();
        machine.plan.set_position(self.plan);
        machine.running = true;
    }
}
