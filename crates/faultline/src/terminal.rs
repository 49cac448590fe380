//! What is under way, shown on a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use techniques::Progress;

/// A line that is written over; elsewhere nothing.
#[derive(Default)]
pub struct Terminal {
    /// Milliseconds since the program's start at which it was last written, for the eye.
    last: AtomicU64,
}

impl Terminal {
    pub fn finish(&self) {
        if io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Progress for Terminal {
    fn tried(&self, what: &str, done: usize, of: usize) {
        static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let now = BEGUN.get_or_init(Instant::now).elapsed().as_millis() as u64;
        if io::stderr().is_terminal() && now.saturating_sub(self.last.load(Ordering::Relaxed)) > 100 {
            self.last.store(now, Ordering::Relaxed);
            eprint!("\r\x1b[K{what}: {done} of {of}");
            let _ = io::stderr().flush();
        }
    }
}
