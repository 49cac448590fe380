//! The log of surprises of one stream: watched loads that met what the shadow did not have.

use abi::{LONGEST_SURPRISE, StreamId, SurpriseHeader, surprises_of};
use recording::{ReadError, Recording};

use crate::log::{Edge, LogReader, Position};

pub struct Surprises<'r> {
    /// `None` if the stream met no surprise.
    log: Option<LogReader<'r>>,
    last_clock: u64,
    /// The load that meets the next surprise; the clock is `u64::MAX` when there is none.
    pub clock: u64,
    pub key: u32,
}

/// A place in the log of surprises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SurprisePosition {
    position: Position,
    last_clock: u64,
}

impl<'r> Surprises<'r> {
    pub fn open(recording: &'r Recording, stream: StreamId, at: SurprisePosition) -> Result<Surprises<'r>, ReadError> {
        let log = LogReader::open(recording, surprises_of(stream), at.position)?;
        let mut surprises = Surprises { log, last_clock: at.last_clock, clock: u64::MAX, key: 0 };
        surprises.peek()?;
        Ok(surprises)
    }

    /// Where the next surprise stands.
    pub fn position(&self) -> SurprisePosition {
        SurprisePosition {
            position: self.log.as_ref().map_or_else(Position::default, LogReader::position),
            last_clock: self.last_clock,
        }
    }

    /// Reads the next header without moving past it.
    fn peek(&mut self) -> Result<(), ReadError> {
        self.clock = u64::MAX;
        let Some(log) = &mut self.log else { return Ok(()) };
        loop {
            if let Some((header, _)) = SurpriseHeader::decode(log.rest(LONGEST_SURPRISE), self.last_clock) {
                (self.clock, self.key) = (header.clock, header.key);
                return Ok(());
            }
            match log.edge()? {
                Edge::Chunk { .. } => {}
                // A surprise that was being written when the program was killed.
                Edge::Limit | Edge::End | Edge::Short { .. } => return Ok(()),
            }
        }
    }

    /// The value of the next surprise, of `size` bytes; goes on to the one after it.
    pub fn take(&mut self, size: usize) -> Result<Option<u64>, ReadError> {
        let Some(log) = &mut self.log else { return Ok(None) };
        let Some((header, length)) = SurpriseHeader::decode(log.rest(LONGEST_SURPRISE), self.last_clock) else {
            return Ok(None);
        };
        let Some(bytes) = log.take_slice(length + size) else { return Ok(None) };
        let mut value = [0; 8];
        value[..size].copy_from_slice(&bytes[length..]);
        self.last_clock = header.clock;
        self.peek()?;
        Ok(Some(u64::from_le_bytes(value)))
    }
}
