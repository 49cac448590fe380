//! Where the program has memory besides the windows that have a shadow anyhow.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::once::of_process;

/// Ranges of addresses: first byte, and the byte behind the last.
pub struct Ranges {
    count: AtomicUsize,
    all: [[AtomicU64; 2]; MOST],
}

/// More than this many are refused.
const MOST: usize = 256;

impl Ranges {
    const fn new() -> Ranges {
        Ranges { count: AtomicUsize::new(0), all: [const { [const { AtomicU64::new(0) }; 2] }; MOST] }
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.all.iter().take(self.count.load(Ordering::Acquire));
        all.map(|[start, end]| (start.load(Ordering::Relaxed) as usize, end.load(Ordering::Relaxed) as usize))
    }

    /// False when there is no room.
    pub fn add(&self, start: usize, end: usize) -> bool {
        if self.iter().any(|(first, last)| first <= start && end <= last) {
            return true;
        }
        let place = self.count.load(Ordering::Relaxed);
        let Some(range) = self.all.get(place) else { return false };
        range[0].store(start as u64, Ordering::Relaxed);
        range[1].store(end as u64, Ordering::Relaxed);
        self.count.store(place + 1, Ordering::Release);
        true
    }
}

of_process! {
    /// Memory of the program outside of its windows: it needs a shadow of its own.
    pub static FURTHER: Ranges = Ranges::new();
    /// Memory of the program inside windows of shadows.
    pub static YIELDED: Ranges = Ranges::new();
}
