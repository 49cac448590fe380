//! Signals held back for the length of a scope.

use crate::syscall;

/// While it lives, no signal is delivered to this thread. Two system calls: for rare moments only.
pub struct Blocked {
    before: u64,
}

impl Blocked {
    pub fn new() -> Blocked {
        let all = u64::MAX;
        let mut before = 0u64;
        set_mask(libc::SIG_BLOCK, &raw const all, &raw mut before);
        Blocked { before }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        set_mask(libc::SIG_SETMASK, &raw const self.before, core::ptr::null_mut());
    }
}

/// The kernel's signal set has eight bytes, unlike the C library's.
fn set_mask(how: i32, set: *const u64, before: *mut u64) {
    unsafe { syscall::call(libc::SYS_rt_sigprocmask, how as usize, set as usize, before as usize, 8, 0, 0) };
}
