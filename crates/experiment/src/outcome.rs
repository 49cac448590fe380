//! The outcome of an experiment.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    Exited(i32),
    Killed(i32),
    /// It was still running when its time was up.
    TooLong,
    /// It took more steps than it was allowed.
    Budget,
    /// The plan ended it.
    Stopped,
    /// It forked more children than it was allowed.
    Forks,
    /// It had more memory than it was allowed.
    Memory,
    /// It filled the disk.
    Disk,
}

/// A run, as seen from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    pub end: End,
    pub output: Vec<u8>,
    pub error: Vec<u8>,
    /// What it had given to standard output, but lost, since it was ended before that was written.
    pub unwritten: Vec<u8>,
    /// How many interventions of the plan were carried out.
    pub obeyed: u32,
    /// How many were not, though their time came: the step was of another kind, or memory could not be written.
    pub was_refused: bool,
    pub processor_time: Duration,
    /// System calls that the sandbox refused, by their names.
    pub calls_refused: Vec<String>,
    /// Files that the sandbox kept from the run, where that is noted: of runs on other inputs.
    pub files_refused: Vec<PathBuf>,
}

impl Ran {
    /// All that the run had to say on standard output.
    pub fn shown(&self) -> Cow<'_, [u8]> {
        match self.unwritten.is_empty() {
            true => Cow::Borrowed(&self.output),
            false => Cow::Owned([&self.output[..], &self.unwritten].concat()),
        }
    }
}

/// What a reference did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Right {
    pub end: End,
    pub output: Vec<u8>,
    /// System calls that the sandbox refused.
    pub calls_refused: Vec<String>,
}

/// What an experiment showed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The run satisfies the oracle.
    Passes,
    /// It does what the failing run did.
    FailsSame,
    /// It is wrong, but what is first wrong in the output of the failing run is right.
    FailsLater,
    /// It is wrong in another way.
    FailsOtherwise,
    /// A signal ended it that did not end the failing run.
    Crashes,
    /// It came to no end.
    Hangs,
    /// It ended before the first intervention's time, or not all could be carried out.
    NeverReached,
    /// The oracle cannot tell.
    CannotTell,
    /// It needed a system call that the sandbox refuses, or could not be made.
    Refused,
}
