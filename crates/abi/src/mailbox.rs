//! The mailbox by which the faultline process asks a fork server for runs: the debugged program, stopped before its
//! first own instruction (or at a chosen clock), which forks a child for each.
//!
//! The asking side writes the request and raises `asked`; the server answers and raises `answered`; each wakes the other
//! as a futex. There is one request at a time.

use core::sync::atomic::{AtomicU32, AtomicU64};

#[repr(C)]
pub struct Mailbox {
    pub asked: AtomicU32,
    pub answered: AtomicU32,
    /// A [`Request`].
    pub request: AtomicU32,
    /// An [`Answer`].
    pub answer: AtomicU32,
    /// Milliseconds a run may take.
    pub patience: AtomicU32,
    /// Of the run, as `waitpid` gives it.
    pub status: AtomicU32,
    /// An [`Ended`], if the runtime ended the run.
    pub ended: AtomicU32,
    /// How many interventions have been obeyed.
    pub obeyed: AtomicU32,
    /// The first that could not be, plus one.
    pub refused: AtomicU32,
    /// How many forked children the run had.
    pub forked: AtomicU32,
    /// The clock when the runtime last looked.
    pub clock: AtomicU64,
    /// For [`Request::Checkpoint`], the clock at which it is wanted.
    pub checkpoint: AtomicU64,
    /// Bytes a run may write to a file, and bytes of memory it may have.
    pub file_limit: AtomicU64,
    pub memory_limit: AtomicU64,
    /// Forked children a run may have.
    pub fork_limit: AtomicU32,
    /// Bytes of [last words](LAST_WORDS_OFFSET).
    pub unwritten: AtomicU32,
    /// Microseconds of processor time the run took.
    pub processor_time: AtomicU64,
}

/// Where the mailbox stands in shared memory.
pub const MAILBOX_OFFSET: usize = 1024;

/// Where the runtime keeps what a run had given to standard output, and what was not written when the run was ended.
pub const LAST_WORDS_OFFSET: usize = 4096;
/// More is cut. The C library's buffer for a file has 4096 bytes.
pub const LAST_WORDS_SIZE: usize = 3 * 4096;

/// How a program with shared memory is to run: [`SharedHeader::mode`](crate::SharedHeader).
pub const MODE_RECORD: u32 = 0;
pub const MODE_SERVE: u32 = 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Request {
    /// Run to the end by the plan.
    Run = 1,
    /// Run to a clock, and serve from there.
    Checkpoint = 2,
    /// The server ends; a checkpoint gives way to the server it came from.
    Leave = 3,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Answer {
    /// The run is over.
    Over = 1,
    /// It took too long and was killed.
    TooLong = 2,
    /// The system had no process for it.
    NoProcess = 3,
    /// The checkpoint serves.
    Ready = 4,
    /// There is no checkpoint (any more).
    NoCheckpoint = 5,
}

/// Why the runtime ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Ended {
    /// The clock came to the plan's budget.
    Budget = 1,
    /// The plan said stop.
    Stopped = 2,
    /// More children were forked than a run may have.
    Forks = 3,
}
