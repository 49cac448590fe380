//! How the faultline process asks a fork server for runs: the debugged program, stopped before its first own instruction
//! (or at a chosen clock), which forks a child for each.
//!
//! Requests and answers go through two pipes, one [`Asked`] and one [`Answered`] at a time. A run closes both before its
//! first own instruction, so whatever it does it cannot answer in the server's place, nor change how long it may take. What a
//! run says of itself is in the mailbox, in memory that it shares with us; it may write anything there, and spoils nothing
//! but what is known of itself.

use core::sync::atomic::{AtomicU32, AtomicU64};

#[repr(C)]
pub struct Mailbox {
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
    /// Forked children a run may have.
    pub fork_limit: AtomicU32,
    /// Bytes of [last words](LAST_WORDS_OFFSET).
    pub unwritten: AtomicU32,
}

/// What the server is asked. All of it is numbers: it is sent as it stands in memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct Asked {
    /// A [`Request`].
    pub request: u32,
    /// Milliseconds the run may take.
    pub patience: u32,
    /// Bytes it may write to a file.
    pub file_limit: u64,
    /// Bytes of memory it may have.
    pub memory_limit: u64,
    /// For [`Request::Checkpoint`], the clock at which it is wanted.
    pub checkpoint: u64,
}

/// What the server answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct Answered {
    /// An [`Answer`].
    pub answer: u32,
    /// Of the run, as `waitpid` gives it.
    pub status: i32,
    /// Microseconds of processor time the run took.
    pub processor_time: u64,
    /// The answering process, as it sees itself.
    pub process: u32,
    pub unused: u32,
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
