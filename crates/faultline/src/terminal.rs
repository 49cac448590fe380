//! Progress, shown on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use techniques::Progress;

/// A bar that is drawn over itself on a terminal; plain lines now and then elsewhere.
pub struct Terminal {
    begun: Instant,
    /// Milliseconds after the beginning at which it was last written, for the eye.
    last: AtomicU64,
}

/// Milliseconds between two lines.
const ON_TERMINAL: u64 = 100;
const ELSEWHERE: u64 = 10_000;
/// Characters of the bar.
const BAR: usize = 24;

impl Terminal {
    pub fn new() -> Terminal {
        Terminal { begun: Instant::now(), last: AtomicU64::new(0) }
    }

    pub fn finish(&self) {
        if io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Progress for Terminal {
    fn tried(&self, what: &str, done: usize, of: usize) {
        let is_terminal = io::stderr().is_terminal();
        let pause = if is_terminal { ON_TERMINAL } else { ELSEWHERE };
        let now = self.begun.elapsed().as_millis() as u64;
        if now.saturating_sub(self.last.load(Ordering::Relaxed)) < pause {
            return;
        }
        self.last.store(now, Ordering::Relaxed);
        if is_terminal {
            let full = BAR * done.min(of) / of.max(1);
            eprint!("\r\x1b[K{}{} {what}: {done} of {of}", "█".repeat(full), "░".repeat(BAR - full));
            let _ = io::stderr().flush();
        } else {
            eprintln!("faultline: {what}: {done} of {of}");
        }
    }
}
