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
    /// Of the last step in the window.
    pub clock: u64,
    /// How many functions were on the stack at its end.
    pub depth: usize,
    /// Signal handlers that ran in it; what they did is not in the trace.
    pub handlers: u64,
}
