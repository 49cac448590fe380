//! Memory shared between the faultline process and the recorded program: a header, the slots of its threads, and a
//! pool of chunks. A thread fills a chunk, marks it full and takes a free one; the faultline process drains full
//! chunks and frees them. What a killed program had written is all there: cursor, clock and hash live here too.
//!
//! Layout: [`SharedHeader`] at 0; the mailbox and a run's last words, see the `mailbox` module; [`Slot`]s at [`SLOTS_OFFSET`]; [`ChunkHeader`]s behind them; chunk memory from
//! [`SharedHeader::data_offset`] on, page aligned.

use core::sync::atomic::{AtomicU32, AtomicU64};

/// Environment variable by which the program finds the memory: `VERSION:FD`, both decimal.
pub const SHARED_VARIABLE: &str = "FAULTLINE_SHARED";
pub const SHARED_MAGIC: u64 = u64::from_le_bytes(*b"FLTLMEM\0");
pub const SLOTS_OFFSET: usize = crate::LAST_WORDS_OFFSET + crate::LAST_WORDS_SIZE;
pub const SLOT_COUNT: usize = 128;
/// Where the [`ChunkHeader`]s begin.
pub const CHUNK_HEADERS_OFFSET: usize = SLOTS_OFFSET + SLOT_COUNT * core::mem::size_of::<Slot>();

#[repr(C)]
pub struct SharedHeader {
    pub magic: u64,
    pub version: u32,
    pub chunk_count: u32,
    /// Bytes of one chunk.
    pub chunk_size: u64,
    pub data_offset: u64,
    /// Where the program mapped this memory: turns a slot's cursor into an offset. Set by the runtime.
    pub mapped_at: AtomicU64,
    /// Process id of the recorded process; zero until the runtime has started.
    pub process: AtomicU32,
    /// Raised (and woken as a futex) by the program when a chunk has become full.
    pub filled: AtomicU32,
    /// Raised (and woken as a futex) by faultline when a chunk has become free.
    pub freed: AtomicU32,
    /// Number of threads of the program waiting for a free chunk.
    pub waiting: AtomicU32,
    /// Next stream id to give; starts at 1.
    pub next_stream: AtomicU32,
    /// Threads that found no free slot and went on unrecorded.
    pub unrecorded_threads: AtomicU32,
    /// Signal handlers that nested deeper than [`CONTEXT_DEPTH`] and were not recorded.
    pub unrecorded_handlers: AtomicU32,
    /// Forked children, which go on unrecorded.
    pub forked: AtomicU32,
    /// Where the program wanted to map memory and was refused, since the runtime needs the place; zero: nowhere.
    pub refused_mapping: AtomicU64,
    /// [`crate::MODE_RECORD`] or [`crate::MODE_SERVE`].
    pub mode: u32,
    /// Of a server: the descriptors it reads requests from and writes answers to.
    pub requests: i32,
    pub answers: i32,
    /// Where the plan of an experiment stands, see [`crate::PlanHeader`]; zero: there is none.
    pub plan_offset: u64,
}

/// How deep asynchronous signal handlers may nest and still be recorded.
pub const CONTEXT_DEPTH: usize = 8;

/// The log of a stream's surprises, see the `watch` module.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SurpriseLog {
    /// Where the next one goes (an address in the program).
    pub cursor: u64,
    /// The end of the chunk.
    pub limit: u64,
    /// The clock at the last one.
    pub clock: u64,
    /// [`NO_CHUNK`] before the first.
    pub chunk: u32,
    /// Position of the chunk in its stream: that of the slot, with [`crate::SURPRISES`] set.
    pub sequence: u32,
}

/// What an asynchronous signal handler interrupted; restored when it returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Context {
    pub cursor: u64,
    pub limit: u64,
    pub remaining: i64,
    pub hash: u64,
    pub token: u64,
    pub deadline: u64,
    pub stream: u32,
    pub chunk: u32,
    pub sequence: u32,
    pub unused: u32,
    pub shadow: u64,
    pub surprises: SurpriseLog,
}

/// One thread of the recorded program. The first seven fields are touched by instrumented code.
#[repr(C, align(64))]
pub struct Slot {
    /// Where the next entry goes (an address in the program).
    pub cursor: u64,
    /// At or beyond it, [`ROOM`](crate::ROOM) must be called before the next entry.
    pub limit: u64,
    /// Ticks until [`TICK`](crate::TICK) must be called: it is when this falls below zero.
    pub remaining: i64,
    pub hash: u64,
    /// Zero while instrumented code runs; see [`call_token`](crate::call_token).
    pub token: u64,
    /// What an address is xored with to give its shadow's, see the crate's `watch` module. Zero: not recording, and
    /// every byte is its own shadow.
    pub shadow: u64,
    /// What every byte of a local is before it is assigned, see [`crate::IS_FILLED`]. Zero: whatever is there.
    pub fills: u64,
    /// The clock is `deadline - remaining`. In memory it is exact at the end of each block and at each call.
    pub deadline: u64,
    pub stream: u32,
    /// Chunk being filled, [`NO_CHUNK`] if none.
    pub chunk: u32,
    /// Position of that chunk in its stream.
    pub sequence: u32,
    /// How many signal handlers are nested.
    pub level: u32,
    /// 0 free, 1 in use.
    pub state: AtomicU32,
    pub thread: u32,
    /// The last token seen that is surely an outside function's; saves looking it up at each callback.
    pub outside_token: u64,
    /// Zero while this slot is recorded. Otherwise the start of private memory that entries go to and nobody reads.
    pub scratch: u64,
    /// What the runtime keeps for a signal handler it could not record; zero if there is none.
    pub unrecorded: u64,
    /// The end of the runtime's own stack for this thread, see [`RUNTIME_STACK`].
    pub stack: u64,
    pub surprises: SurpriseLog,
    /// The shadow masks of signal handlers, by level; zero where none was needed yet.
    pub handler_shadows: [u64; CONTEXT_DEPTH],
    pub contexts: [Context; CONTEXT_DEPTH],
}

/// Bytes of the stack that the runtime runs on. It leaves no traces on the program's: what a program reads there before it
/// has written it would be another thing whenever the runtime had something else to do.
///
/// A signal may come meanwhile, and its handler runs there.
pub const RUNTIME_STACK: usize = 1 << 20;

pub const NO_CHUNK: u32 = u32::MAX;
pub const NO_STREAM: u32 = u32::MAX;

pub const CHUNK_FREE: u32 = 0;
pub const CHUNK_FILLING: u32 = 1;
pub const CHUNK_FULL: u32 = 2;

#[repr(C)]
pub struct ChunkHeader {
    pub state: AtomicU32,
    pub stream: u32,
    pub sequence: u32,
    /// Bytes written; valid once full. While filling, the slot's cursor tells.
    pub length: u32,
    /// Clock and hash when the chunk was begun: exact, so the replay checks itself against them.
    pub clock: u64,
    pub hash: u64,
    /// For the first chunk of a signal handler's stream, the place it interrupted: stream ([`NO_STREAM`] for a
    /// thread), chunk, offset in it, clock and hash as they stood in memory.
    pub parent_stream: u32,
    pub parent_sequence: u32,
    pub parent_offset: u32,
    /// The kernel's id of the thread.
    pub thread: u32,
    pub parent_clock: u64,
    pub parent_hash: u64,
    /// Clock and hash when the chunk was finished; valid once full, and exact like those at its beginning.
    pub end_clock: u64,
    pub end_hash: u64,
}

/// Offsets of the slot's fields that instrumented code uses.
pub const SLOT_CURSOR: u64 = core::mem::offset_of!(Slot, cursor) as u64;
pub const SLOT_LIMIT: u64 = core::mem::offset_of!(Slot, limit) as u64;
pub const SLOT_REMAINING: u64 = core::mem::offset_of!(Slot, remaining) as u64;
pub const SLOT_HASH: u64 = core::mem::offset_of!(Slot, hash) as u64;
pub const SLOT_TOKEN: u64 = core::mem::offset_of!(Slot, token) as u64;
pub const SLOT_SHADOW: u64 = core::mem::offset_of!(Slot, shadow) as u64;
pub const SLOT_FILLS: u64 = core::mem::offset_of!(Slot, fills) as u64;
pub const SLOT_LEVEL: u64 = core::mem::offset_of!(Slot, level) as u64;

/// Where a thread's pointer to its [`Slot`] is, from the thread's control block (`fs`): one of the words that glibc
/// reserves there for transactional memory, behind those that libitm uses. Null until [`THREAD`](crate::THREAD) was called.
///
/// A thread-local variable would not do. Each executable and shared library would have its own, since which of them are
/// instrumented is nobody's to know; and a library whose code uses one in the quick way has all its thread-local
/// variables put into the little room that the loader has left for them, and cannot be loaded if they are large.
pub const SLOT_PLACE: u64 = 0x68;
