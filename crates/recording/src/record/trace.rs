//! Following the program to its end. Every signal is passed on unchanged. Signals that faults raise are noted, with the
//! address they name.

use std::io;
use std::ptr;

use crate::contents::{Ending, Fault};

/// How the program went.
pub struct Trace {
    pub ending: Ending,
    pub exit_status: i32,
    pub fault: Option<Fault>,
    /// How often the program replaced itself, after its start.
    pub executed: u32,
    pub traced: bool,
}

/// Waits for the end of the program, which the calling thread has started.
pub fn follow(program: libc::pid_t, traced: bool) -> io::Result<Trace> {
    let mut fault = None;
    let mut executions = 0u32;
    loop {
        let mut status = 0;
        // Only children of this thread: the process may have others, which are none of our business.
        let options = libc::__WALL | libc::__WNOTHREAD;
        // SAFETY: the kernel writes the status.
        let stopped = unsafe { libc::waitpid(if traced { -1 } else { program }, &mut status, options) };
        if stopped < 0 {
            let error = io::Error::last_os_error();
            if error.kind() == io::ErrorKind::Interrupted {
                continue;
            }
            return Err(error);
        }
        if libc::WIFSTOPPED(status) {
            executions += (status >> 16 == libc::PTRACE_EVENT_EXEC) as u32;
            fault = resume(stopped, status).or(fault);
        } else if stopped == program {
            let (ending, exit_status) = ending(status);
            return Ok(Trace { ending, exit_status, fault, executed: executions.saturating_sub(1), traced });
        }
    }
}

fn ending(status: i32) -> (Ending, i32) {
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        (Ending::Killed { signal }, 128 + signal)
    } else {
        let status = libc::WEXITSTATUS(status);
        (Ending::Exited { status }, status)
    }
}

/// Lets a stopped thread go on. Gives the fault, if that is why it stopped.
fn resume(thread: libc::pid_t, status: i32) -> Option<Fault> {
    let signal = libc::WSTOPSIG(status);
    let stops = matches!(signal, libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU);
    // A thread that was killed meanwhile refuses; its end will be reported.
    match status >> 16 {
        0 => {
            let fault = is_fault(signal).then(|| fault(thread, signal)).flatten();
            // SAFETY: numbers only; the thread is one that this one traces, or is refused.
            unsafe { libc::ptrace(libc::PTRACE_CONT, thread, ptr::null_mut::<u8>(), signal as usize) };
            fault
        }
        // The program was stopped as a whole (Ctrl-Z, kill -STOP); it stays so until it is told to continue.
        libc::PTRACE_EVENT_STOP if stops => {
            // SAFETY: as above.
            unsafe { libc::ptrace(libc::PTRACE_LISTEN, thread, ptr::null_mut::<u8>(), 0usize) };
            None
        }
        _ => {
            // SAFETY: as above.
            unsafe { libc::ptrace(libc::PTRACE_CONT, thread, ptr::null_mut::<u8>(), 0usize) };
            None
        }
    }
}

fn is_fault(signal: i32) -> bool {
    matches!(
        signal,
        libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGABRT | libc::SIGTRAP | libc::SIGSYS
    )
}

fn fault(thread: libc::pid_t, signal: i32) -> Option<Fault> {
    // SAFETY: numbers, all of which may be zero.
    let mut details: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes into the struct, which is the one it knows.
    let asked = unsafe {
        libc::ptrace(libc::PTRACE_GETSIGINFO, thread, ptr::null_mut::<u8>(), (&raw mut details).cast::<u8>())
    };
    if asked != 0 {
        return None;
    }
    // SAFETY: what a process sent has no address, and the bytes there say who sent it; what the kernel sent is asked only, and a
    // number at any rate.
    let address = if details.si_code > 0 { (unsafe { details.si_addr() }) as u64 } else { 0 };
    Some(Fault { signal, code: details.si_code, address, thread: own_number(thread) })
}

/// The id that a thread knows itself by, which is another than ours if it is in a process namespace of its own.
fn own_number(thread: libc::pid_t) -> u32 {
    let about = std::fs::read_to_string(format!("/proc/{thread}/status")).unwrap_or_default();
    let numbers = about.lines().find_map(|line| line.strip_prefix("NSpid:"));
    let own = numbers.and_then(|numbers| numbers.split_whitespace().last()?.parse().ok());
    own.unwrap_or(thread as u32)
}
