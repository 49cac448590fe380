//! How much memory is in use, and how much there is.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::{Budget, Shared};

/// How often a thread looks. A machine fills about a gigabyte in a second; so it may be this late.
const INTERVAL: Duration = Duration::from_millis(50);

impl Budget {
    /// From now on, memory of more than so many bytes is a reason to come to an end, as long as it is in use.
    pub fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        self.whole.most_memory.store(bytes, Ordering::Relaxed);
        let watched = Arc::downgrade(&self.whole);
        std::thread::Builder::new().name("memory".into()).spawn(move || watch(&watched)).map(drop)
    }

    /// Bytes that may be in use; none: as many as there are.
    pub fn most_memory(&self) -> Option<u64> {
        Some(self.whole.most_memory.load(Ordering::Relaxed)).filter(|bytes| *bytes != u64::MAX)
    }

    /// Whether at any time there was more in use than there may be.
    pub fn was_short_of_memory(&self) -> bool {
        self.whole.was_short.load(Ordering::Relaxed)
    }

    /// What took the memory is gone: gives it back, and looks at once whether there is room again.
    pub fn look_at_memory(&self) {
        if self.whole.is_short.load(Ordering::Relaxed) {
            // SAFETY: it may be called at any time.
            unsafe { libc::malloc_trim(0) };
            self.whole.look();
        }
    }
}

impl Shared {
    fn look(&self) {
        let is_short = in_use().is_some_and(|bytes| bytes > self.most_memory.load(Ordering::Relaxed));
        self.is_short.store(is_short, Ordering::Relaxed);
        self.was_short.fetch_or(is_short, Ordering::Relaxed);
    }
}

fn watch(watched: &Weak<Shared>) {
    while let Some(shared) = watched.upgrade() {
        shared.look();
        drop(shared);
        std::thread::sleep(INTERVAL);
    }
}

/// Bytes of memory that are this program's own: pages of files can be had again.
fn in_use() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text.split_ascii_whitespace().skip(1).map(|word| word.parse::<u64>());
    let (resident, shared) = (pages.next()?.ok()?, pages.next()?.ok()?);
    Some(resident.saturating_sub(shared) * PAGE)
}

/// As x86-64 has it.
const PAGE: u64 = 4096;

/// Bytes of memory of this machine, or of as much of it as we are given.
pub fn of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10;
    let given = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let given = given.iter().filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok()).min();
    Some(given.map_or(all, |given: u64| given.min(all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spent;

    #[test]
    fn memory_in_use_is_noticed_and_forgiven_when_it_is_given_back() {
        let budget = Budget::unlimited();
        let most = in_use().unwrap() + (64 << 20);
        budget.limit_memory(most).unwrap();
        let much = vec![1_u8; 256 << 20];
        std::thread::sleep(INTERVAL * 10);
        assert_eq!((budget.spent(), budget.is_over()), (Some(Spent::Memory), true));
        assert_eq!(much.iter().step_by(4096).map(|byte| u64::from(*byte)).sum::<u64>(), 256 << 8);
        drop(much);
        budget.look_at_memory();
        assert_eq!((budget.spent(), budget.was_short_of_memory()), (None, true));
    }

    #[test]
    fn a_machine_has_memory() {
        assert!(of_machine().unwrap() > 64 << 20);
    }
}
