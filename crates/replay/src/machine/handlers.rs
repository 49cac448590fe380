//! Signal handlers: a stream of their own each, which interrupts another.

use abi::StreamId;
use recording::{Interruption, Stream, StreamEnd};

use super::{Flow, Machine};
use crate::departure::ReplayError;
use crate::image::Image;
use crate::log::{LogReader, Position};
use crate::memory::Memory;
use crate::observer::Observer;
use crate::surprises::{SurprisePosition, Surprises};

/// A stream interrupted by a signal handler.
pub(super) struct Suspended<'r> {
    log: LogReader<'r>,
    clock: u64,
    hash: u64,
    last: Option<StreamEnd>,
    interruptions: Vec<Interrupting>,
    running: bool,
    /// Frames below belong to the interrupted code.
    pub frames: usize,
    at: Interruption,
    memory: Memory,
    surprises: Surprises<'r>,
}

#[derive(Clone, Copy)]
pub(crate) struct Interrupting {
    pub at: Interruption,
    pub stream: StreamId,
}

impl<O: Observer> Machine<'_, '_, O> {
    /// Whether one of the handlers that come at the place of the next one is left by `longjmp`.
    pub(super) fn handlers_here_jump(&self) -> Result<bool, ReplayError> {
        let Some(next) = self.interruptions.last() else { return Ok(false) };
        let place = (next.at.chunk, next.at.offset);
        let here = self.interruptions.iter().rev().take_while(|i| (i.at.chunk, i.at.offset) == place);
        for interrupting in here {
            if self.is_left_by_jump(interrupting.stream)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a handler's stream ends in that record.
    fn is_left_by_jump(&self, stream: StreamId) -> Result<bool, ReplayError> {
        let recording = self.image.recording;
        let Some(Stream { chunks, last: Some(last), .. }) = recording.stream(stream) else { return Ok(false) };
        let Some(index) = chunks.len().checked_sub(1) else { return Ok(false) };
        Ok(recording.chunk(stream, index)?.ends_with(&[abi::Tag::Left as u8, abi::check_byte(last.hash)]))
    }

    /// Puts the stream aside and goes on with that of the handler that interrupts it.
    pub(super) fn begin_handler(&mut self) -> Result<(), ReplayError> {
        let Some(next) = self.interruptions.pop() else { return Ok(()) };
        let log = LogReader::open(self.image.recording, next.stream, Position::default())?
            .ok_or(ReplayError::NoStream(next.stream))?;
        self.handlers += 1;
        self.observer.interrupted();
        let last = log.stream().last;
        let depth = self.suspended.len();
        if self.handler_memories.len() <= depth {
            self.handler_memories.push(Memory::default());
        }
        let memory = std::mem::take(&mut self.handler_memories[depth]);
        let surprises = Surprises::open(self.image.recording, next.stream, SurprisePosition::default())?;
        self.careful = false;
        self.suspended.push(Suspended {
            log: std::mem::replace(&mut self.log, log),
            clock: std::mem::replace(&mut self.clock, 0),
            hash: std::mem::replace(&mut self.hash, 0),
            last: std::mem::replace(&mut self.last, last),
            interruptions: std::mem::replace(&mut self.interruptions, interruptions(self.image, next.stream)),
            running: self.running,
            frames: self.frames.len(),
            at: next.at,
            memory: std::mem::replace(&mut self.memory, memory),
            surprises: std::mem::replace(&mut self.surprises, surprises),
        });
        self.is_unwatched = !self.observer.is_told_of_handlers();
        self.set_attention();
        Ok(())
    }

    /// Functions on the stack that belong to the interrupted code, while a handler runs.
    pub(crate) fn bottom(&self) -> usize {
        self.suspended.last().map_or(0, |s| s.frames)
    }

    /// The handler's stream is over: goes on with what it interrupted. `jumped`: control left it by `longjmp`.
    pub(crate) fn end_handler(&mut self, jumped: bool) -> Option<Flow> {
        let suspended = self.suspended.pop()?;
        while self.frames.len() > suspended.frames {
            self.unwind_frame();
        }
        self.is_unwatched &= !self.suspended.is_empty();
        self.observer.resumed();
        let depth = self.suspended.len();
        self.handler_memories[depth] = std::mem::replace(&mut self.memory, suspended.memory);
        self.surprises = suspended.surprises;
        self.careful = false;
        self.log = suspended.log;
        self.last = suspended.last;
        self.interruptions = suspended.interruptions;
        if jumped {
            // Registers were lost; clock and hash go on as memory had them. How much of the interrupted block was
            // executed nobody knows, so the recorder has forgotten the shadow.
            self.clock = suspended.at.clock;
            self.hash = suspended.at.hash;
            self.memory = Memory::default();
            if self.suspended.is_empty() {
                self.plan.take_back(self.clock);
            }
        } else {
            self.clock = suspended.clock;
            self.hash = suspended.hash;
        }
        self.set_attention();
        Some(if jumped || !suspended.running { Flow::Outside } else { Flow::Run })
    }
}

/// Handlers that interrupt a stream, the first one last.
pub(super) fn interruptions(image: &Image<'_>, stream: StreamId) -> Vec<Interrupting> {
    let mut all: Vec<_> = image
        .recording
        .streams()
        .iter()
        .filter_map(|s| s.parent.filter(|p| p.stream == stream).map(|at| Interrupting { at, stream: s.id }))
        .collect();
    all.sort_by_key(|i| std::cmp::Reverse((i.at.chunk, i.at.offset, i.at.clock, i.stream)));
    all
}
