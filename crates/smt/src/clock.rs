//! The time that a thread has computed for. How long a question may take is measured by this: on a busy machine more time
//! passes, and the answers should be the same.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What this thread has used so far. Asking takes about as long as a system call.
pub fn used() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
}
