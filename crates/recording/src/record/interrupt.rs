//! Signals to the recorder. Ctrl-C and Ctrl-\ reach the program too, being of the same terminal: it decides, and we continue
//! and finish the recording. When we are asked to end (SIGTERM, SIGHUP; SIGINT or SIGQUIT from a process, perhaps
//! sent to us alone), the program is killed and the recording finished.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// While it lives, the signals are handled so.
pub struct Watch {
    before: Vec<(i32, libc::sigaction)>,
    seen: u32,
    seen_perhaps: u32,
    /// Since when we know of a signal that the program may have got as well.
    perhaps_since: Option<Instant>,
}

static ASKED_TO_END: AtomicU32 = AtomicU32::new(0);
/// Those that may have been sent to the program, too, as to all of a group.
static PERHAPS_ASKED: AtomicU32 = AtomicU32::new(0);

/// A program that got the signal as well has this long to end by itself.
const GRACE: Duration = Duration::from_millis(500);

extern "C" fn from_terminal_or_process(_: i32, about: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel hands over what it knows of the signal.
    if unsafe { (*about).si_code } <= 0 {
        PERHAPS_ASKED.fetch_add(1, Ordering::Relaxed);
    }
}

extern "C" fn end(_: i32, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    ASKED_TO_END.fetch_add(1, Ordering::Relaxed);
}

type Handler = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void);

/// Signals that are ignored stay so, for us and for the program.
pub fn watch() -> Watch {
    let (seen, seen_perhaps) = (ASKED_TO_END.load(Ordering::Relaxed), PERHAPS_ASKED.load(Ordering::Relaxed));
    let mut before = Vec::new();
    let handlers: [(i32, Handler); 4] = [
        (libc::SIGINT, from_terminal_or_process),
        (libc::SIGQUIT, from_terminal_or_process),
        (libc::SIGTERM, end),
        (libc::SIGHUP, end),
    ];
    for (signal, handler) in handlers {
        // SAFETY: the C library fills the old action in, whose zeros are one already; the handlers only use what is safe in one.
        unsafe {
            let mut old = MaybeUninit::<libc::sigaction>::zeroed();
            libc::sigaction(signal, std::ptr::null(), old.as_mut_ptr());
            let old = old.assume_init();
            if old.sa_sigaction == libc::SIG_IGN {
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = handler as *const () as usize;
            new.sa_flags = libc::SA_RESTART | libc::SA_SIGINFO;
            libc::sigaction(signal, &new, std::ptr::null_mut());
            before.push((signal, old));
        }
    }
    Watch { before, seen, seen_perhaps, perhaps_since: None }
}

impl Watch {
    /// Whether the program is to be ended now.
    pub fn has_come(&mut self) -> bool {
        if PERHAPS_ASKED.load(Ordering::Relaxed) != self.seen_perhaps {
            self.perhaps_since.get_or_insert_with(Instant::now);
        }
        ASKED_TO_END.load(Ordering::Relaxed) != self.seen
            || self.perhaps_since.is_some_and(|since| since.elapsed() >= GRACE)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for (signal, action) in &self.before {
            // SAFETY: the action that was there before.
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
    }
}
