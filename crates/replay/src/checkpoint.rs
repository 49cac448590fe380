//! Checkpoints: a position in the log with clock, hash and frames. From one, a window of the run is replayed alone.

use abi::StreamId;
use program::Site;

use crate::departure::ReplayError;
use crate::image::Image;
use crate::log::Position;
use crate::machine::{Machine, PlanPosition, Summary};
use crate::memory::{Memory, Snapshot};
use crate::observer::Observer;
use crate::running::Frame;
use crate::somebody::Somebody;
use crate::surprises::SurprisePosition;

/// The state at the end of a block, before its tick.
#[derive(Clone)]
pub struct Checkpoint {
    pub clock: u64,
    pub position: Position,
    surprises: SurprisePosition,
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
    pub(crate) fn take<O: Observer>(machine: &mut Machine<'_, '_, O>) -> Checkpoint {
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
            plan: machine.plan_position(),
        }
    }

    /// Where each function on the stack is, outermost first, and whether it was entered from outside. The innermost is
    /// at the end of a block, before its last instruction.
    pub fn stack(&self) -> impl ExactSizeIterator<Item = (Site, bool)> {
        self.frames.iter().map(|frame| (frame.site(), frame.from_outside))
    }

    fn restore<O: Observer>(&self, machine: &mut Machine<'_, '_, O>) {
        machine.clock = self.clock;
        machine.hash = self.hash;
        machine.interruptions.truncate(self.interruptions);
        machine.frames = self.frames.clone();
        machine.stack.resize(self.stack.len().max(1 << 12), 0);
        machine.stack[..self.stack.len()].copy_from_slice(&self.stack);
        machine.memory = Memory::from_snapshot(&self.memory);
        machine.handler_memories = self.handler_memories.iter().map(Memory::from_snapshot).collect();
        machine.set_plan_position(self.plan);
        machine.running = true;
    }
}

/// Replays a stream once, leaving a checkpoint at the end of a block about every `interval` ticks. None is taken
/// inside a signal handler.
pub fn replay_with_checkpoints<O: Observer>(
    image: &Image<'_>,
    stream: StreamId,
    interval: u64,
    observer: O,
) -> Result<(Summary, Vec<Checkpoint>, O), ReplayError> {
    let mut machine = Machine::new(image, stream, observer)?;
    (machine.checkpoint_interval, machine.checkpoint_due) = (interval, interval);
    machine.set_attention();
    let summary = machine.run()?;
    let checkpoints = std::mem::take(&mut machine.checkpoints);
    Ok((summary, checkpoints, machine.into_observer()))
}

/// Replays from `from` (the stream's start if none) up to `to` (its end if none).
pub fn replay_window<O: Observer>(
    image: &Image<'_>,
    stream: StreamId,
    from: Option<&Checkpoint>,
    to: Option<&Checkpoint>,
    mut observer: O,
) -> Result<(Summary, O), ReplayError> {
    let summary = replay_window_for(image, stream, from, to, Somebody(&mut observer))?;
    Ok((summary, observer))
}

fn replay_window_for(
    image: &Image<'_>,
    stream: StreamId,
    from: Option<&Checkpoint>,
    to: Option<&Checkpoint>,
    observer: Somebody<'_>,
) -> Result<Summary, ReplayError> {
    Ok(replay_window_inlined(image, stream, from, to, observer)?.0)
}

/// The same with an interpreter of its own for this observer: for those that every step of long runs goes through.
pub fn replay_window_inlined<O: Observer>(
    image: &Image<'_>,
    stream: StreamId,
    from: Option<&Checkpoint>,
    to: Option<&Checkpoint>,
    observer: O,
) -> Result<(Summary, O), ReplayError> {
    let (log, surprises) = from.map(|c| (c.position, c.surprises)).unwrap_or_default();
    let mut machine = Machine::at(image, stream, observer, log, surprises)?;
    if let Some(from) = from {
        from.restore(&mut machine);
    }
    machine.until = to.map(|c| (c.clock, c.position));
    machine.set_attention();
    let summary = machine.run()?;
    Ok((summary, machine.into_observer()))
}
