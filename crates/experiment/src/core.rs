//! Cores: a worker, its server and the run it waits for take turns, so they stay on one core and never wake another.

use std::mem::{size_of, zeroed};

/// The cores we may use.
pub fn cores() -> Vec<usize> {
    // SAFETY: the set is plain memory that the call fills.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return Vec::new();
        }
        (0..libc::CPU_SETSIZE as usize).filter(|&core| libc::CPU_ISSET(core, &set)).collect()
    }
}

/// Keeps this thread, and what it starts, on one core. Where that is not allowed nothing is lost but time.
pub fn stay_on(core: usize) {
    // SAFETY: the set is plain memory that the call reads.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
}
