//! What happened in a window of a run, compact enough to be kept while it is walked backwards.
//!
//! A trace is a list of words in the order of execution. Of an instruction that touches memory it has the address; of the
//! end of a block, where control went; of calls, who was entered and what came back. Everything else follows from the
//! program. How many words an instruction leaves is fixed by the instruction, so that words can be read from the end.

mod token;
mod observe;

pub use observe::Tracer;
pub use token::{Event, SURPRISE, Token};

/// Modules are counted as in the image.
pub use program::FunctionKey;

/// The words of a window.
#[derive(Default)]
pub struct Trace {
    pub words: Vec<u64>,
    /// Where variable arguments were found in memory, with the frame they were given to.
    pub areas: Vec<ArgumentArea>,
    /// Of the last step in the window.
    pub clock: u64,
    /// How many functions were on the stack at its end.
    pub depth: usize,
    /// Signal handlers that ran in it; what they did is not in the trace.
    pub handlers: u64,
}

/// The variable arguments of a call as they lie in the callee's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentArea {
    /// When the callee began, and how deep in the stack.
    pub clock: u64,
    pub depth: usize,
    pub kind: AreaKind,
    pub address: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AreaKind {
    /// Six integer registers of 8 bytes, then eight vector registers of 16.
    Registers,
    /// Those that found no register, 8 bytes each.
    Stack,
}
