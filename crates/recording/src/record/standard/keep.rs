//! Keeps the beginning of what goes through a stream, piece by piece, in bounded memory.

use std::io;

use super::super::drain::{Compressor, Drain};
use super::Drained;
use crate::standard::{LONGEST_PIECE, StandardRecord};

pub struct Keep {
    streams: u32,
    /// How many more bytes are kept.
    left: u64,
    is_cut: bool,
    sequence: u32,
    piece: Vec<u8>,
    compressor: Compressor,
}

/// Where pieces go.
pub trait Sink {
    fn piece(&mut self, record: StandardRecord, compressed: &[u8]);
}

impl Sink for &Drain<'_> {
    fn piece(&mut self, record: StandardRecord, compressed: &[u8]) {
        self.standard(record, compressed);
    }
}

impl Sink for Drained {
    fn piece(&mut self, record: StandardRecord, compressed: &[u8]) {
        self.standard(record, compressed);
    }
}

impl Keep {
    pub fn new(streams: u32, limit: u64) -> Keep {
        Keep { streams, left: limit, is_cut: false, sequence: 0, piece: Vec::new(), compressor: Compressor::new() }
    }

    pub fn add(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        let kept = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.is_cut |= kept < bytes.len();
        self.left -= kept as u64;
        let mut rest = &bytes[..kept];
        while !rest.is_empty() {
            let room = LONGEST_PIECE as usize - self.piece.len();
            let (now, later) = rest.split_at(rest.len().min(room));
            self.piece.extend_from_slice(now);
            rest = later;
            if self.piece.len() == LONGEST_PIECE as usize {
                self.flush(sink);
            }
        }
    }

    /// Writes what has gathered.
    pub fn flush(&mut self, sink: &mut impl Sink) {
        if self.piece.is_empty() {
            return;
        }
        let record =
            StandardRecord { streams: self.streams, sequence: self.sequence, raw_length: self.piece.len() as u32 };
        if let Some(compressed) = self.compressor.compress(&self.piece, false) {
            sink.piece(record, compressed);
        }
        self.sequence += 1;
        self.piece.clear();
    }

    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Everything a reader has, as long as there is room.
    pub fn add_all(&mut self, mut from: impl io::Read, sink: &mut impl Sink) -> io::Result<()> {
        let mut bytes = vec![0; 1 << 16];
        loop {
            let count = match from.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.add(&bytes[..count], sink);
            if self.is_cut() {
                break;
            }
        }
        self.flush(sink);
        Ok(())
    }
}
