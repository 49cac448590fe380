//! The fork server: the program, stopped, which forks a child for each experiment it is asked for.
//!
//! At the program's start it is stopped before any of its own code; all that loading costs is paid once. A child that
//! comes to a chosen clock can become a server of its own (a checkpoint): it answers in place of the one it came from,
//! which waits for its end.

use core::sync::atomic::{AtomicBool, Ordering};

use abi::{Answer, Mailbox, Request};

use crate::process::of_process;
use crate::start::Shared;
use crate::{plan, reopen, syscall};

of_process! {
    static IS_FORKING: AtomicBool = AtomicBool::new(false);
    /// The server is the first process of a namespace of its own.
    static IS_ALONE: AtomicBool = AtomicBool::new(false);
}

/// Whether the fork that is under way is the server's own.
pub fn is_forking() -> bool {
    IS_FORKING.load(Ordering::Relaxed)
}

/// Serves. Returns in each child.
pub fn serve(shared: &Shared) {
    // The faultline process sees that we are there.
    IS_ALONE.store(syscall::process_id() == 1, Ordering::Relaxed);
    if let Some(mailbox) = unsafe { shared.mailbox().as_ref() } {
        reopen::look();
        answer(mailbox, Answer::Ready);
        rounds(mailbox, 0);
    }
}

/// Serves from here on. Returns in each child.
pub fn as_checkpoint(clock: u64) {
    let Some(mailbox) = plan::mailbox() else { return };
    let seen = mailbox.asked.load(Ordering::SeqCst);
    mailbox.clock.store(clock, Ordering::Relaxed);
    reopen::look();
    // What it writes to, its children would share. The server it came from answers when it is gone.
    if reopen::has_files_to_write() {
        syscall::exit_group(0);
    }
    answer(mailbox, Answer::Ready);
    rounds(mailbox, seen);
}

fn answer(mailbox: &Mailbox, what: Answer) {
    mailbox.answer.store(what as u32, Ordering::Relaxed);
    mailbox.answered.fetch_add(1, Ordering::SeqCst);
    syscall::futex_wake(&mailbox.answered, 1);
}

/// Answers requests. `seen` is how many there have been.
fn rounds(mailbox: &Mailbox, mut seen: u32) {
    loop {
        while mailbox.asked.load(Ordering::SeqCst) == seen {
            syscall::futex_wait(&mailbox.asked, seen, 10_000);
        }
        seen = mailbox.asked.load(Ordering::SeqCst);
        let request = mailbox.request.load(Ordering::Relaxed);
        if request == Request::Run as u32 {
            match fork() {
                Forked::Child => return begin(mailbox),
                Forked::Parent(child) => {
                    let what = await_end(mailbox, child);
                    answer(mailbox, what);
                }
                Forked::Failed => answer(mailbox, Answer::NoProcess),
            }
        } else if request == Request::Checkpoint as u32 {
            match fork() {
                Forked::Child => {
                    plan::set_checkpoint(mailbox.checkpoint.load(Ordering::Relaxed));
                    return begin(mailbox);
                }
                Forked::Parent(child) => {
                    // Until it is gone it answers in our place; whoever asked it last hears of its end from us.
                    reap(Some(child));
                    sweep();
                    seen = mailbox.asked.load(Ordering::SeqCst);
                    answer(mailbox, Answer::NoCheckpoint);
                }
                Forked::Failed => answer(mailbox, Answer::NoProcess),
            }
        } else {
            syscall::exit_group(0);
        }
    }
}

enum Forked {
    Child,
    Parent(i32),
    Failed,
}

fn fork() -> Forked {
    IS_FORKING.store(true, Ordering::Relaxed);
    // The C library's: it keeps what it knows about the thread in order.
    let child = unsafe { libc::fork() };
    IS_FORKING.store(false, Ordering::Relaxed);
    match child {
        0 => Forked::Child,
        child if child > 0 => Forked::Parent(child),
        _ => Forked::Failed,
    }
}

/// In a child, before it goes on.
fn begin(mailbox: &Mailbox) {
    reopen::files();
    reopen::limit(libc::RLIMIT_FSIZE as usize, mailbox.file_limit.load(Ordering::Relaxed));
    reopen::limit(libc::RLIMIT_DATA as usize, mailbox.memory_limit.load(Ordering::Relaxed));
}

/// Waits for the end of a run, as long as it may take.
fn await_end(mailbox: &Mailbox, child: i32) -> Answer {
    let patience = mailbox.patience.load(Ordering::Relaxed);
    let is_over = syscall::wait_readable(child, patience);
    if !is_over {
        syscall::kill(child);
    }
    let (status, microseconds) = reap(Some(child));
    mailbox.status.store(status as u32, Ordering::Relaxed);
    mailbox.processor_time.store(microseconds, Ordering::Relaxed);
    sweep();
    if is_over { Answer::Over } else { Answer::TooLong }
}

/// Kills whatever a run has left running, where that is surely only what it left: in a namespace whose first process is
/// this server, or the one this checkpoint came from.
fn sweep() {
    let is_first = syscall::process_id() == 1;
    let is_alone = IS_ALONE.load(Ordering::Relaxed) && (is_first || syscall::parent_process_id() == 1);
    if is_alone && syscall::kill_everybody() {
        reap(None);
    }
}

/// Waits for this child, or for all there are; others that end meanwhile are taken away too. Gives its status, and the
/// processor time it took.
fn reap(child: Option<i32>) -> (i32, u64) {
    loop {
        let mut status = 0;
        let mut usage: libc::rusage = unsafe { core::mem::zeroed() };
        let gone = syscall::wait(&mut status, &mut usage);
        let time = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
        if gone < 0 || Some(gone) == child {
            return (status, time(usage.ru_utime) + time(usage.ru_stime));
        }
    }
}
