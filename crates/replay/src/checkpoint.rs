//! Checkpoints: a position in the log with clock, hash and frames. From one, a window of the run is replayed alone.

use abi::StreamId;

use crate::departure::ReplayError;
use crate::image::Image;
use crate::log::Position;
use crate::machine::{Frame, Machine, Summary};
use crate::memory::{Memory, Snapshot};
use crate::observer::Observer;
use crate::surprises::SurprisePosition;

/// The state at the end of a block, before its tick.
#[derive(Clone)]
pub struct Checkpoint {
    pub clock: u64,
    pub position: Position,
    surprises: SurprisePosition,
    memory: Snapshot,
    hash: u64,
    frames: Vec<Frame>,
    stack: Vec<u64>,
}

// SAFETY: frames point to code kept by the image, which is shared between threads and outlives every machine.
unsafe impl Send for Checkpoint {}
unsafe impl Sync for Checkpoint {}

impl Checkpoint {
    pub(crate) fn take<O: Observer>(machine: &mut Machine<'_, '_, O>) -> Checkpoint {
        let words = machine.frames.last().map_or(0, |f| f.base + f.code().frame_words as usize);
        Checkpoint {
            clock: machine.clock,
            position: machine.log.position(),
            surprises: machine.surprises.position(),
            memory: machine.memory.snapshot(),
            hash: machine.hash,
            frames: machine.frames.clone(),
            stack: machine.stack[..words].to_vec(),
        }
    }
}

/// Replays a stream once, leaving a checkpoint soon after the start of each chunk.
pub fn windows<O: Observer>(
    image: &Image<'_>,
    stream: StreamId,
    observer: O,
) -> Result<(Summary, Vec<Checkpoint>, O), ReplayError> {
    let mut machine = Machine::new(image, stream, observer)?;
    machine.checkpoints = Some(Vec::new());
    let summary = machine.run()?;
    let checkpoints = machine.checkpoints.take().unwrap_or_default();
    Ok((summary, checkpoints, machine.into_observer()))
}

impl Checkpoint {
    /// Replays from `from` (the stream's start if none) up to `to` (its end if none).
    pub fn replay_window<O: Observer>(
        image: &Image<'_>,
        stream: StreamId,
        from: Option<&Checkpoint>,
        to: Option<&Checkpoint>,
        observer: O,
    ) -> Result<(Summary, O), ReplayError> {
        let (log, surprises) = from.map(|c| (c.position, c.surprises)).unwrap_or_default();
        let mut machine = Machine::at(image, stream, observer, log, surprises)?;
        if let Some(from) = from {
            machine.clock = from.clock;
            machine.hash = from.hash;
            machine.frames = from.frames.clone();
            machine.stack.resize(from.stack.len().max(1 << 12), 0);
            machine.stack[..from.stack.len()].copy_from_slice(&from.stack);
            machine.memory = Memory::from_snapshot(&from.memory);
            machine.running = true;
        }
        machine.until = to.map(|c| (c.clock, c.position));
        machine.set_attention();
        let summary = machine.run()?;
        Ok((summary, machine.into_observer()))
    }
}
