//! The copy of the runtime that keeps watch.
//!
//! Ends of threads, forks and fatal signals are heard of by functions that were given to the C library or the kernel.
//! They are those of one copy, the keeper. When its object is closed, the next copy that has something to do takes over;
//! threads that had a slot by then keep it to the end of the process.

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::once::of_process;
use crate::signals::Blocked;
use crate::{exit, experiment, fork, last_words, shared};

of_process! {
    /// The address of something that only this copy has; zero: there is no keeper.
    static KEEPER: AtomicUsize = AtomicUsize::new(0);
}

fn own() -> usize {
    __faultline_unregister as *const () as usize
}

pub fn is_there() -> bool {
    KEEPER.load(Ordering::Acquire) != 0
}

/// This copy keeps watch, if no other does.
pub fn become_keeper() {
    if KEEPER.compare_exchange(0, own(), Ordering::AcqRel, Ordering::Relaxed).is_err() {
        return;
    }
    exit::prepare();
    if shared::shared().is_some() || experiment::is_on() {
        fork::prepare();
    }
    if experiment::is_on() {
        last_words::listen();
    }
}

/// This copy's object is about to be closed, or the process to end.
#[unsafe(no_mangle)]
extern "C" fn __faultline_unregister() {
    let _blocked = Blocked::new();
    if KEEPER.load(Ordering::Acquire) == own() {
        exit::forget();
        last_words::stop_listening();
        KEEPER.store(0, Ordering::Release);
    }
}
