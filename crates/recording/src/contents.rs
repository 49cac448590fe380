//! What the sections hold. Encoder and decoder side by side; decoders give `None` for bytes no encoder wrote.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use abi::StreamId;
use serde::{Deserialize, Serialize};

use crate::format::{u32_at, u64_at};
use crate::plan::Plan;
use crate::standard::{Captures, StandardRecord};

/// What was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseRecord {
    pub program: PathBuf,
    /// Without the program's name.
    pub arguments: Vec<OsString>,
    pub directory: PathBuf,
    /// What was changed in the run on purpose.
    pub plan: Option<Plan>,
}

#[derive(Serialize, Deserialize)]
struct StoredCase {
    program: Vec<u8>,
    arguments: Vec<Vec<u8>>,
    directory: Vec<u8>,
    plan: Option<Vec<u8>>,
}

impl CaseRecord {
    pub fn encode(&self) -> Vec<u8> {
        encode(&StoredCase {
            program: self.program.as_os_str().as_bytes().to_vec(),
            arguments: self.arguments.iter().map(|argument| argument.as_bytes().to_vec()).collect(),
            directory: self.directory.as_os_str().as_bytes().to_vec(),
            plan: self.plan.as_ref().map(Plan::encode),
        })
    }

    pub fn decode(bytes: &[u8]) -> Option<CaseRecord> {
        let stored: StoredCase = decode(bytes)?;
        Some(CaseRecord {
            program: OsString::from_vec(stored.program).into(),
            arguments: stored.arguments.into_iter().map(OsString::from_vec).collect(),
            directory: OsString::from_vec(stored.directory).into(),
            plan: stored.plan.map(|bytes| Plan::decode(&bytes).ok_or(())).transpose().ok()?,
        })
    }
}

/// How the run ended, and what of it is not in the recording.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    pub ending: Ending,
    /// The last signal of a kind that faults raise, whether or not the program died of it. Unknown where the program
    /// could not be traced.
    pub fault: Option<Fault>,
    /// Threads that found no slot.
    pub unrecorded_threads: u32,
    /// Signal handlers nested too deep.
    pub unrecorded_handlers: u32,
    /// Forked children.
    pub forked: u32,
    /// How often the program replaced itself by another (`exec`); that one is not recorded.
    pub executed: u32,
    /// What is in the recording of the standard streams.
    pub standard: Captures,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ending {
    Exited {
        status: i32,
    },
    Killed {
        signal: i32,
    },
    /// We killed it: it ran longer than allowed.
    TimeLimit,
    /// We killed it: the recording grew larger than allowed.
    SizeLimit,
    /// We killed it: it had more memory than allowed.
    MemoryLimit,
    /// We killed it: the recording could not be written.
    WriteFailed {
        error: String,
    },
    /// We killed it: faultline was asked to end.
    Interrupted,
}

/// A signal as it was delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    pub signal: i32,
    /// `si_code`.
    pub code: i32,
    /// `si_addr`.
    pub address: u64,
    /// The kernel's id of the thread, as the thread itself knows it.
    pub thread: u32,
}

impl End {
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    pub fn decode(bytes: &[u8]) -> Option<End> {
        decode(bytes)
    }
}

/// One chunk of a stream, without its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChunkRecord {
    pub stream: StreamId,
    pub sequence: u32,
    pub thread: u32,
    /// Bytes of the chunk once decompressed.
    pub raw_length: u32,
    /// Clock and hash at its beginning and at its end.
    pub clock: u64,
    pub hash: u64,
    pub end_clock: u64,
    pub end_hash: u64,
    /// `abi::NO_STREAM` for a thread.
    pub parent_stream: u32,
    pub parent_sequence: u32,
    pub parent_offset: u32,
    /// False for a chunk the program was still filling when it died: then its end's clock and hash are those that
    /// stood in memory, which may lag behind within a block.
    pub finished: bool,
    pub parent_clock: u64,
    pub parent_hash: u64,
}

/// No chunk is longer; what claims to be is corrupt.
pub const LONGEST_CHUNK: u32 = 1 << 26;

impl ChunkRecord {
    pub const SIZE: usize = 80;

    pub fn encode(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        let words = [self.stream.0, self.sequence, self.thread, self.raw_length];
        let parent = [self.parent_stream, self.parent_sequence, self.parent_offset, self.finished as u32];
        let states = [self.clock, self.hash, self.end_clock, self.end_hash, self.parent_clock, self.parent_hash];
        for (place, word) in out.chunks_exact_mut(4).zip(words.into_iter().chain(parent)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        for (place, state) in out[32..].chunks_exact_mut(8).zip(states) {
            place.copy_from_slice(&state.to_le_bytes());
        }
        out
    }

    pub fn decode(bytes: &[u8]) -> Option<ChunkRecord> {
        let bytes: &[u8; Self::SIZE] = bytes.first_chunk()?;
        let raw_length = u32_at(bytes, 12);
        let finished = u32_at(bytes, 28);
        (raw_length <= LONGEST_CHUNK && finished <= 1).then(|| ChunkRecord {
            stream: StreamId(u32_at(bytes, 0)),
            sequence: u32_at(bytes, 4),
            thread: u32_at(bytes, 8),
            raw_length,
            parent_stream: u32_at(bytes, 16),
            parent_sequence: u32_at(bytes, 20),
            parent_offset: u32_at(bytes, 24),
            finished: finished == 1,
            clock: u64_at(bytes, 32),
            hash: u64_at(bytes, 40),
            end_clock: u64_at(bytes, 48),
            end_hash: u64_at(bytes, 56),
            parent_clock: u64_at(bytes, 64),
            parent_hash: u64_at(bytes, 72),
        })
    }
}

/// Where the sections of a complete file begin.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Index {
    pub case: u64,
    pub end: u64,
    pub saved_ir: Vec<u64>,
    pub chunks: Vec<(u64, ChunkRecord)>,
    pub standard: Vec<(u64, StandardRecord)>,
}

impl Index {
    /// Bytes before the lists: two offsets, the number of modules and that of pieces of standard streams.
    const FIXED: usize = 32;

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&self.case.to_le_bytes());
        out.extend_from_slice(&self.end.to_le_bytes());
        out.extend_from_slice(&(self.saved_ir.len() as u64).to_le_bytes());
        out.extend_from_slice(&(self.standard.len() as u64).to_le_bytes());
        for offset in &self.saved_ir {
            out.extend_from_slice(&offset.to_le_bytes());
        }
        for (offset, piece) in &self.standard {
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&piece.encode());
        }
        for (offset, chunk) in &self.chunks {
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&chunk.encode());
        }
        out
    }

    pub fn decode(bytes: &[u8]) -> Option<Index> {
        let (fixed, lists) = bytes.split_at_checked(Self::FIXED)?;
        let saved_ir_length = usize::try_from(u64_at(fixed, 16)).ok()?.checked_mul(8)?;
        let standard_length = usize::try_from(u64_at(fixed, 24)).ok()?.checked_mul(8 + StandardRecord::SIZE)?;
        let (saved_ir, lists) = lists.split_at_checked(saved_ir_length)?;
        let (standard, chunks) = lists.split_at_checked(standard_length)?;
        let standard = standard.chunks_exact(8 + StandardRecord::SIZE);
        let chunks = chunks.chunks(8 + ChunkRecord::SIZE);
        Some(Index {
            case: u64_at(fixed, 0),
            end: u64_at(fixed, 8),
            saved_ir: saved_ir.chunks_exact(8).map(|offset| u64_at(offset, 0)).collect(),
            chunks: chunks
                .map(|chunk| {
                    let (offset, record) = chunk.split_at_checked(8)?;
                    Some((u64_at(offset, 0), ChunkRecord::decode(record)?))
                })
                .collect::<Option<Vec<_>>>()?,
            standard: standard
                .map(|piece| Some((u64_at(piece, 0), StandardRecord::decode(&piece[8..])?)))
                .collect::<Option<Vec<_>>>()?,
        })
    }
}

fn encode(contents: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(contents).expect("plain structures of numbers and bytes can be encoded")
}

/// Bytes left over are an error too.
fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((contents, [])) => Some(contents),
        _ => None,
    }
}
