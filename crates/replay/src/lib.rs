//! Re-executes a recorded run exactly: interprets the numbered IR with the values the log holds.
//!
//! In: a recording (which carries the program's IR). Out: a stream of steps to an observer; a verdict whether the
//! replay kept to the recording.
//! Deliberately absent: an image of the program's memory (loads come from the log), I/O, processes.
//!
//! `loaded` says where the program stood in memory, and `image` has its code; `code` is the compact form of a function and
//! `compile` how it comes about; `log` reads a stream; `machine` interprets; `running` is a function on the stack; `observer`
//! watches a replay, and `somebody` is any observer; `window` replays a part of a run alone.

mod departure;
mod loaded;
mod code;
mod compile;
mod image;
mod log;
mod memory;
mod surprises;
mod step;
mod running;
mod observer;
mod somebody;
mod machine;
mod interpret;
mod outside;
mod window;
mod edited;
mod evaluate;

pub use departure::{Departure, ReplayError, Where};
pub use image::{Image, ImageError};
pub use log::Position;
pub use machine::{Checkpoint, Ending, Machine, Summary};
pub use observer::{Leaving, Observed, Observer};
pub use running::Running;
pub use step::Step;
pub use window::{replay_window, replay_window_inlined, replay_with_checkpoints};

use abi::StreamId;
use somebody::Somebody;

/// Replays one stream (a thread and the signal handlers that interrupted it) from beginning to end.
pub fn replay<O: Observer>(image: &Image<'_>, stream: StreamId, mut observer: O) -> Result<(Summary, O), ReplayError> {
    let summary = replay_for(image, stream, Somebody(&mut observer))?;
    Ok((summary, observer))
}

fn replay_for(image: &Image<'_>, stream: StreamId, observer: Somebody<'_>) -> Result<Summary, ReplayError> {
    Machine::new(image, stream, observer)?.run()
}

/// The same with nobody watching, as fast as it can be.
pub fn replay_unobserved(image: &Image<'_>, stream: StreamId) -> Result<Summary, ReplayError> {
    Machine::new(image, stream, ())?.run()
}
