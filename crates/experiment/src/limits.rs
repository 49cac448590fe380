//! What runs may use.

use std::time::Duration;

use crate::timeouts;

/// Where the failing run does not tell what runs may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time for the failing run itself.
    pub time: Duration,
    /// Bytes of each file a run writes.
    pub file: u64,
    /// Bytes of memory.
    pub memory: u64,
    pub forks: u32,
    /// Servers at work; zero: one for each core.
    pub workers: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: timeouts::RUN, file: 64 << 20, memory: 4 << 30, forks: 32, workers: 0 }
    }
}
