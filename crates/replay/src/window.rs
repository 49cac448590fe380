//! Windows of a run: one replay leaves checkpoints, and what lies between two of them can then be replayed alone.

use abi::StreamId;

use crate::departure::ReplayError;
use crate::image::Image;
use crate::machine::{Checkpoint, Machine, Summary};
use crate::observer::Observer;
use crate::somebody::Somebody;

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
