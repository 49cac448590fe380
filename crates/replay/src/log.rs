//! Reads the log of one stream, chunk by chunk.

use abi::StreamId;
use recording::{ReadError, Recording, Stream};

/// A position in a stream: chunk and offset in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Position {
    pub chunk: u32,
    pub offset: u32,
}

pub struct LogReader<'r> {
    recording: &'r Recording,
    stream: &'r Stream,
    chunk: u32,
    bytes: Vec<u8>,
    at: usize,
    /// Reads stop here: the chunk's end, or the place of an interruption.
    end: usize,
    /// Whether that is the place of an interruption, which may be the chunk's end too.
    is_limited: bool,
}

/// What a read that could not be satisfied at once met.
pub enum Edge {
    /// A new chunk has been begun: check clock and hash against it, then read again.
    Chunk {
        clock: u64,
        hash: u64,
    },
    /// The limit set by `stop_at` has been reached.
    Limit,
    End,
    Short {
        left: usize,
    },
}

impl<'r> LogReader<'r> {
    pub fn open(
        recording: &'r Recording,
        id: StreamId,
        position: Position,
    ) -> Result<Option<LogReader<'r>>, ReadError> {
        let Some(stream) = recording.stream(id) else { return Ok(None) };
        let bytes = if stream.chunks.is_empty() { Vec::new() } else { recording.chunk(id, position.chunk as usize)? };
        let end = bytes.len();
        Ok(Some(LogReader {
            recording,
            stream,
            chunk: position.chunk,
            at: (position.offset as usize).min(end),
            end,
            bytes,
            is_limited: false,
        }))
    }

    pub fn stream(&self) -> &'r Stream {
        self.stream
    }

    pub fn position(&self) -> Position {
        Position { chunk: self.chunk, offset: self.at as u32 }
    }

    /// Lets reads stop at a place of the current chunk, if it lies there; `None` takes the limit away.
    pub fn stop_at(&mut self, position: Option<Position>) {
        let here = position.filter(|p| p.chunk == self.chunk);
        self.is_limited = here.is_some();
        self.end = here.map_or(self.bytes.len(), |p| (p.offset as usize).clamp(self.at, self.bytes.len()));
    }

    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        if self.end - self.at >= N {
            // SAFETY: `at + N <= end <= bytes.len()`.
            let value = unsafe { self.bytes.as_ptr().add(self.at).cast::<[u8; N]>().read() };
            self.at += N;
            Some(value)
        } else {
            None
        }
    }

    #[inline(always)]
    pub fn take_slice(&mut self, size: usize) -> Option<&[u8]> {
        if self.end - self.at >= size {
            let slice = &self.bytes[self.at..self.at + size];
            self.at += size;
            Some(slice)
        } else {
            None
        }
    }

    /// What follows in this chunk, at most `size` bytes, without reading it.
    pub fn rest(&self, size: usize) -> &[u8] {
        &self.bytes[self.at..self.end.min(self.at + size)]
    }

    /// Bytes left in this and all later chunks.
    pub fn left(&self) -> u64 {
        let later: u64 = self.stream.chunks.iter().skip(self.chunk as usize + 1).map(|c| c.raw_length as u64).sum();
        (self.bytes.len() - self.at) as u64 + later
    }

    /// Why a read failed; goes on to the next chunk where that is why.
    #[cold]
    pub fn edge(&mut self) -> Result<Edge, ReadError> {
        if self.at < self.end {
            return Ok(Edge::Short { left: self.end - self.at });
        }
        if self.is_limited {
            return Ok(Edge::Limit);
        }
        let next = self.chunk as usize + 1;
        let Some(entry) = self.stream.chunks.get(next) else { return Ok(Edge::End) };
        self.bytes = self.recording.chunk(self.stream.id, next)?;
        self.chunk += 1;
        self.at = 0;
        self.end = self.bytes.len();
        self.is_limited = false;
        Ok(Edge::Chunk { clock: entry.clock, hash: entry.hash })
    }
}
