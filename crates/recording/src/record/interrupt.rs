//! Signals to the recorder. Ctrl-C and Ctrl-\ reach the program too, being of the same terminal: it decides, we go on
//! and finish the recording. When we are asked to end (SIGTERM, SIGHUP), the program is killed and the recording
//! finished.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering};

/// While it lives, the signals are handled so.
pub struct Watch {
    before: Vec<(i32, libc::sigaction)>,
    seen: u32,
}

static ASKED_TO_END: AtomicU32 = AtomicU32::new(0);

extern "C" fn go_on(_: i32) {}

extern "C" fn end(_: i32) {
    ASKED_TO_END.fetch_add(1, Ordering::Relaxed);
}

/// Signals that are ignored stay so, for us and for the program.
pub fn watch() -> Watch {
    let seen = ASKED_TO_END.load(Ordering::Relaxed);
    let mut before = Vec::new();
    let handlers: [(i32, extern "C" fn(i32)); 4] =
        [(libc::SIGINT, go_on), (libc::SIGQUIT, go_on), (libc::SIGTERM, end), (libc::SIGHUP, end)];
    for (signal, handler) in handlers {
        unsafe {
            let mut old = MaybeUninit::<libc::sigaction>::zeroed();
            libc::sigaction(signal, std::ptr::null(), old.as_mut_ptr());
            let old = old.assume_init();
            if old.sa_sigaction == libc::SIG_IGN {
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = handler as *const () as usize;
            new.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &new, std::ptr::null_mut());
            before.push((signal, old));
        }
    }
    Watch { before, seen }
}

impl Watch {
    pub fn has_come(&self) -> bool {
        ASKED_TO_END.load(Ordering::Relaxed) != self.seen
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for (signal, action) in &self.before {
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
    }
}
