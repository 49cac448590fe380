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
        set_mask(libc::SIG_BLOCK, &all, Some(&mut before));
        Blocked { before }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        set_mask(libc::SIG_SETMASK, &self.before, None);
    }
}

/// The kernel's signal set has eight bytes, unlike the C library's.
fn set_mask(how: i32, set: &u64, before: Option<&mut u64>) {
    let set = &raw const *set as usize;
    let before = before.map_or(0, |before| &raw mut *before as usize);
    // SAFETY: sets have eight bytes: one is read, the other, unless it is null, is written.
    unsafe { syscall::call(libc::SYS_rt_sigprocmask, how as usize, set, before, 8, 0, 0) };
}
