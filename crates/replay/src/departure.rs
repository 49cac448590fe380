//! A departure of a replay from its recording: where, and both values.

use std::fmt;

use abi::{Address, ModuleId};
use budget::Spent;
use recording::ReadError;

/// A place in the program, spoken for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Where {
    pub function: String,
    pub instruction: u32,
    /// `file:line:column`, if known.
    pub source: Option<String>,
    pub clock: u64,
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} i{}", self.function, self.instruction)?;
        if let Some(source) = &self.source {
            write!(f, " ({source})")?;
        }
        write!(f, " at clock {}", self.clock)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Departure {
    /// Clock at a chunk's start.
    Clock { recorded: u64, replayed: u64 },
    /// Hash at a chunk's start or at the end.
    Hash { recorded: u64, replayed: u64 },
    /// Check byte of a record.
    Check { recorded: u8, replayed: u8 },
    /// A record was expected.
    Tag { found: u8 },
    /// A record that cannot follow here.
    Unexpected { record: &'static str, because: &'static str },
    /// Outside code entered a function we have no code for.
    UnknownEntry { entry: Address },
    /// The log of the stream, or of a chunk, ended within an entry.
    ShortEntry { wanted: usize, left: usize },
    /// The log ended before the clock reached the recorded end.
    EndedEarly { recorded: u64, replayed: u64 },
    /// The replay ended and entries are left.
    LogLeft { bytes: u64 },
    /// A surprise was recorded for a load that the replay did not come by.
    MissedSurprise { clock: u64, key: u32 },
    /// Code was reached that the recorded program cannot have passed.
    Impossible(&'static str),
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Departure::Clock { recorded, replayed } => {
                write!(f, "the recorded clock is {recorded}, but the replay has {replayed}")
            }
            Departure::Hash { recorded, replayed } => {
                write!(f, "the recorded hash of outcomes is {recorded:#018x}, but the replay has {replayed:#018x}")
            }
            Departure::Check { recorded, replayed } => {
                write!(f, "the recorded check of outcomes is {recorded:#04x}, but the replay has {replayed:#04x}")
            }
            Departure::Tag { found } => write!(f, "a record was expected, but the log has {found:#04x}"),
            Departure::Unexpected { record, because } => write!(f, "the log has a record `{record}`, but {because}"),
            Departure::UnknownEntry { entry } => {
                write!(f, "outside code entered {entry}, where there is no instrumented function")
            }
            Departure::ShortEntry { wanted, left } => {
                write!(f, "an entry of {wanted} bytes was expected, but only {left} bytes of the log are left")
            }
            Departure::EndedEarly { recorded, replayed } => {
                write!(f, "the log ends at clock {replayed}, but the program continued to clock {recorded}")
            }
            Departure::LogLeft { bytes } => write!(f, "the replay has ended, but {bytes} bytes of the log are left"),
            Departure::MissedSurprise { clock, key } => {
                write!(
                    f,
                    "a load (key {key:#010x}) found changed memory at clock {clock}, but the replay did not reach it"
                )
            }
            Departure::Impossible(what) => f.write_str(what),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("the replay departed from the recording in {place}: {departure}")]
    Departed { place: Where, departure: Departure },
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(
        "the recording does not contain the code of module {module}, which the program entered; record the run again"
    )]
    MissingModule { module: ModuleId },
    #[error("the saved code of module {module} cannot be read: {reason}")]
    Unreadable { module: ModuleId, reason: String },
    #[error("the recording has no stream {0}")]
    NoStream(abi::StreamId),
    #[error(transparent)]
    Spent(#[from] Spent),
}
