//! Time, chance and process ids of an experiment: the same in every run.
//!
//! Time begins when the lab says and goes on by a microsecond whenever it is asked for.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::experiment;
use crate::once::of_process;

of_process! {
    static ASKED: AtomicU64 = AtomicU64::new(0);
    static RANDOM: AtomicU64 = AtomicU64::new(0x9e37_79b9_7f4a_7c15);
}

/// What programs are told their id is; no process of a running system is likely to have it.
const PROCESS: i32 = 4_000_000;

/// # Safety
///
/// `time` is null, or points to such a struct.
#[unsafe(no_mangle)]
unsafe extern "C" fn __faultline_steady_time(clock: i32, time: *mut libc::timespec) -> i32 {
    let Some(epoch) = experiment::epoch() else { return 0 };
    let is_date = matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI);
    let start = if is_date { epoch } else { 0 };
    let now = start + ASKED.fetch_add(1, Ordering::Relaxed).wrapping_add(1) * 1000;
    if !time.is_null() {
        // SAFETY: the caller vouches for it.
        unsafe {
            (&raw mut (*time).tv_sec).write_volatile((now / 1_000_000_000) as libc::time_t);
            (&raw mut (*time).tv_nsec).write_volatile((now % 1_000_000_000) as libc::c_long);
        }
    }
    1
}

/// # Safety
///
/// So many bytes can be written there.
#[unsafe(no_mangle)]
unsafe extern "C" fn __faultline_steady_random(bytes: *mut u8, length: usize) -> i32 {
    if !experiment::is_on() {
        return 0;
    }
    for position in 0..length {
        // An xorshift: nothing here is a secret.
        let mut state = RANDOM.load(Ordering::Relaxed);
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        RANDOM.store(state, Ordering::Relaxed);
        // SAFETY: the caller vouches for it.
        unsafe { bytes.add(position).write_volatile((state >> 32) as u8) };
    }
    1
}

#[unsafe(no_mangle)]
extern "C" fn __faultline_steady_process() -> i32 {
    if experiment::is_on() { PROCESS } else { 0 }
}
