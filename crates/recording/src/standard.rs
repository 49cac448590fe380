//! What passed through the program's standard streams, as the file keeps it.

use serde::{Deserialize, Serialize};

use crate::format::u32_at;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standard {
    Input,
    Output,
    Error,
}

impl Standard {
    pub const ALL: [Standard; 3] = [Standard::Input, Standard::Output, Standard::Error];

    /// The file descriptor.
    pub fn descriptor(self) -> i32 {
        self as i32
    }

    /// Its bit in [`StandardRecord::streams`].
    pub fn bit(self) -> u32 {
        1 << self.descriptor()
    }

    pub fn name(self) -> &'static str {
        match self {
            Standard::Input => "standard input",
            Standard::Output => "standard output",
            Standard::Error => "standard error",
        }
    }
}

/// What the recording holds of the three.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Captures {
    /// Of a file: from where the program would begin to read to its end. Of a pipe: what the program could have read.
    pub input: Capture,
    pub output: Capture,
    pub error: Capture,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Capture {
    Whole,
    /// There was more than is kept: only the beginning is there.
    Cut,
    Nothing(NoCapture),
}

/// Why nothing was kept of a standard stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoCapture {
    NotAsked,
    Closed,
    Terminal,
    /// `/dev/null`, for one: programs may behave otherwise when they find something else in its place.
    Device,
    Socket,
    Failed {
        error: String,
    },
}

impl Captures {
    pub fn of(&self, stream: Standard) -> &Capture {
        match stream {
            Standard::Input => &self.input,
            Standard::Output => &self.output,
            Standard::Error => &self.error,
        }
    }

    pub fn of_mut(&mut self, stream: Standard) -> &mut Capture {
        match stream {
            Standard::Input => &mut self.input,
            Standard::Output => &mut self.output,
            Standard::Error => &mut self.error,
        }
    }
}

impl Default for Captures {
    fn default() -> Captures {
        let nothing = Capture::Nothing(NoCapture::NotAsked);
        Captures { input: nothing.clone(), output: nothing.clone(), error: nothing }
    }
}

/// A piece of what went through, without its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StandardRecord {
    /// The bits of the streams it went through: both output and error if they were one and the same file.
    pub streams: u32,
    /// Pieces of the same streams are counted from 0.
    pub sequence: u32,
    /// Bytes once decompressed.
    pub raw_length: u32,
}

/// No piece is longer; what claims to be is corrupt.
pub const LONGEST_PIECE: u32 = 1 << 20;

impl StandardRecord {
    pub const SIZE: usize = 12;

    pub fn encode(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        for (place, word) in out.chunks_exact_mut(4).zip([self.streams, self.sequence, self.raw_length]) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        out
    }

    pub fn decode(bytes: &[u8]) -> Option<StandardRecord> {
        let bytes: &[u8; Self::SIZE] = bytes.first_chunk()?;
        let record =
            StandardRecord { streams: u32_at(bytes, 0), sequence: u32_at(bytes, 4), raw_length: u32_at(bytes, 8) };
        let is_sound = (1..8).contains(&record.streams) && record.raw_length <= LONGEST_PIECE;
        is_sound.then_some(record)
    }
}
