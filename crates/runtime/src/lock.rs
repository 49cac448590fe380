//! Locks, for work that happens a few times in a process.

use core::sync::atomic::{AtomicBool, Ordering};

pub struct Locked {
    word: &'static AtomicBool,
}

/// Waits for its turn, spinning. Signals must be blocked.
pub fn lock(word: &'static AtomicBool) -> Locked {
    while word.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        core::hint::spin_loop();
    }
    Locked { word }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.word.store(false, Ordering::Release);
    }
}
