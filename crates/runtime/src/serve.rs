//! The fork server: the program, stopped, which forks a child for each experiment it is asked for.
//!
//! At the program's start it is stopped before any of its own code; all that loading costs is paid once. A child that
//! comes to a chosen clock can become a server of its own (a checkpoint): it answers in place of the one it came from,
//! which waits for its end.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

use abi::{Answer, Answered, Asked, Request};

use crate::once::of_process;
use crate::shared::Shared;
use crate::{rewind, scratch, syscall, vectors};

of_process! {
    static IS_FORKING: AtomicBool = AtomicBool::new(false);
    /// The server is the first process of a namespace of its own.
    static IS_ALONE: AtomicBool = AtomicBool::new(false);
    /// Where requests come from and answers go to.
    static REQUESTS: AtomicI32 = AtomicI32::new(-1);
    static ANSWERS: AtomicI32 = AtomicI32::new(-1);
    /// The clock at which this process is to become a checkpoint.
    static CHECKPOINT: AtomicU64 = AtomicU64::new(u64::MAX);
}

/// Whether the fork that is under way is the server's own.
pub fn is_forking() -> bool {
    IS_FORKING.load(Ordering::Relaxed)
}

/// Serves. Returns in each child.
pub fn serve(shared: &Shared) {
    IS_ALONE.store(syscall::process_id() == 1, Ordering::Relaxed);
    let header = shared.header();
    REQUESTS.store(header.requests, Ordering::Relaxed);
    ANSWERS.store(header.answers, Ordering::Relaxed);
    // Runs must not look into the server, nor at its descriptors.
    syscall::set_dumpable(false);
    rewind::look();
    // What every child would do before its first instruction.
    vectors::find();
    scratch::prepare_slot();
    answer(Answer::Ready, Answered::default());
    rounds();
}

/// The clock at which this process is to become a checkpoint; none is that large if it is not to.
pub fn checkpoint() -> u64 {
    CHECKPOINT.load(Ordering::Relaxed)
}

/// This process will not become one.
pub fn forget_checkpoint() {
    CHECKPOINT.store(u64::MAX, Ordering::Relaxed);
}

/// Serves from here on. Returns in each child.
pub fn as_checkpoint() {
    forget_checkpoint();
    rewind::look();
    // What it writes to, its children would share. The server it came from answers when it is gone.
    if rewind::has_files_to_write() {
        syscall::exit_group(0);
    }
    syscall::set_dumpable(false);
    answer(Answer::Ready, Answered::default());
    rounds();
}

fn answer(what: Answer, details: Answered) {
    let message = Answered { answer: what as u32, process: syscall::process_id(), ..details };
    // Nobody reads any more: the faultline process is gone.
    if !syscall::write_whole(ANSWERS.load(Ordering::Relaxed), &message) {
        syscall::exit_group(0);
    }
}

/// Answers requests.
fn rounds() {
    loop {
        let mut asked = Asked::default();
        if !syscall::read_whole(REQUESTS.load(Ordering::Relaxed), &mut asked) {
            syscall::exit_group(0);
        }
        if asked.request == Request::Run as u32 {
            match fork() {
                Forked::Child => {
                    syscall::close(REQUESTS.load(Ordering::Relaxed));
                    syscall::close(ANSWERS.load(Ordering::Relaxed));
                    return begin(&asked);
                }
                Forked::Parent(child) => await_end(&asked, child),
                Forked::Failed => answer(Answer::NoProcess, Answered::default()),
            }
        } else if asked.request == Request::Checkpoint as u32 {
            match fork() {
                // It runs unchanged up to there, and keeps the pipes.
                Forked::Child => {
                    CHECKPOINT.store(asked.checkpoint, Ordering::Relaxed);
                    return begin(&asked);
                }
                Forked::Parent(child) => {
                    // Until it is gone it answers in our place; whoever asked it last hears of its end from us.
                    reap(Some(child));
                    sweep();
                    answer(Answer::NoCheckpoint, Answered::default());
                }
                Forked::Failed => answer(Answer::NoProcess, Answered::default()),
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
    rewind::files();
    IS_FORKING.store(true, Ordering::Relaxed);
    // The C library's: it keeps what it knows about the thread in order.
    // SAFETY: this is called from the program's start or from its own code, where a program may fork.
    let child = unsafe { libc::fork() };
    IS_FORKING.store(false, Ordering::Relaxed);
    match child {
        0 => Forked::Child,
        child if child > 0 => Forked::Parent(child),
        _ => Forked::Failed,
    }
}

/// In a child, before it goes on.
fn begin(asked: &Asked) {
    syscall::set_dumpable(true);
    rewind::limit([asked.file_limit, asked.memory_limit]);
}

/// Waits for the end of a run, as long as it may take, and answers.
fn await_end(asked: &Asked, child: i32) {
    let is_over = syscall::wait_readable(child, asked.patience);
    if !is_over {
        syscall::kill(child);
    }
    let (status, processor_time) = reap(Some(child));
    sweep();
    let what = if is_over { Answer::Over } else { Answer::TooLong };
    answer(what, Answered { status, processor_time, ..Answered::default() });
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
        // SAFETY: numbers, all of which may be zero.
        let mut usage: libc::rusage = unsafe { core::mem::zeroed() };
        let gone = syscall::wait(&mut status, &mut usage);
        let time = |t: libc::timeval| t.tv_sec as u64 * 1_000_000 + t.tv_usec as u64;
        if gone < 0 || Some(gone) == child {
            return (status, time(usage.ru_utime) + time(usage.ru_stime));
        }
    }
}
