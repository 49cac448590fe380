//! A search that must answer in time, whatever happens to it.
//!
//! The search has its own thread; this one waits. Long loops ask the budget and stop by themselves. Code that cannot ask
//! (LLVM reading a large program, a system call that hangs) is abandoned when its time is up, and the answer is made from the
//! notes so far. So a command that searches ends with [`leave`]: it cannot wait for threads that are still running.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use budget::Budget;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::children;

/// How late it is noticed that nobody waits any more.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long children and folders may take to be gone.
const LEAVING: Duration = Duration::from_millis(500);

/// Does the work in a thread of its own; none if it did not come back in time.
pub fn search<T: Send + 'static>(budget: &Budget, work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
    watch_signals(budget.clone())?;
    let (sender, receiver) = channel();
    let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK).spawn(move || {
        // Nobody listens if it comes too late.
        let _ = sender.send(work());
    });
    let thread = thread.context("cannot start a thread for the search")?;
    let found = loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(found) => break Some(found),
            Err(RecvTimeoutError::Timeout) if budget.is_abandoned() => break None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Ok(()) => break None,
                // As if it had happened here.
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    };
    // The runs of the search were just killed, so its result means nothing.
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
    Ok(found)
}

/// A signal is ending the command.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Bytes of stack: what a main thread usually has.
const STACK: usize = 8 << 20;

/// From now on the first Ctrl-C asks for the best that is known by now. A second one, and whatever else asks the command to
/// end, ends it at once, with nothing left behind. Signals that are ignored stay so.
fn watch_signals(budget: Budget) -> Result<()> {
    let heard: Vec<i32> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal)).collect();
    let mut signals = Signals::new(heard).context("cannot watch for Ctrl-C")?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                if signal == SIGINT && !budget.was_interrupted() {
                    budget.interrupt();
                    continue;
                }
                IS_ENDING.store(true, Ordering::SeqCst);
                clean_up();
                // Whoever waits for us sees which signal it was; and if that did not end us, a status does.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                exit(128 + signal);
            }
        })
        .context("cannot watch for signals")?;
    Ok(())
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: asks only.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Ends the command: what it wrote is out, its children are gone, its folders removed.
pub fn leave(ended: Result<u8>) -> ! {
    let status = ended.unwrap_or_else(|error| {
        eprintln!("faultline: {error:#}");
        crate::TROUBLE
    });
    // What was written is out by now, or its reader gone.
    let _ = io::stdout().flush();
    clean_up();
    exit(status.into())
}

/// Without what libraries do at an exit: other threads may still be using them.
fn exit(status: i32) -> ! {
    // SAFETY: it does not come back.
    unsafe { libc::_exit(status) }
}

fn clean_up() {
    let end = Instant::now() + LEAVING;
    children::end_all(end);
    recording::folder::remove_all(end.saturating_duration_since(Instant::now()).max(LEAVING / 5));
    // Who was about to start one when the others were ended.
    children::end_all(end);
}
