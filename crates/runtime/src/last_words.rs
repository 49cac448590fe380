//! What a run had given to standard output and the C library had not written yet, where the run ends without writing it: at
//! a fatal signal, or where the plan ends it. Kept beside the output, never written: a program that is killed loses it, and
//! so do its experiments.
//!
//! Nothing of the C library is called, since the program may have died inside it; its buffer is looked at from outside, by
//! the layout that is the same since glibc 2.1.

use core::ffi::{c_int, c_void};
use core::ptr;
use core::sync::atomic::Ordering;

use abi::{LAST_WORDS_OFFSET, LAST_WORDS_SIZE, MAILBOX_OFFSET, Mailbox};

use crate::{experiment, scratch, syscall};

/// Signals that end a program which does not expect them.
const FATAL: [c_int; 6] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGSYS];

/// The beginning of the C library's `FILE`.
#[repr(C)]
struct Stream {
    flags: c_int,
    reads: [*const u8; 3],
    write_base: *const u8,
    write_pointer: *const u8,
    write_end: *const u8,
    buffer_base: *const u8,
    buffer_end: *const u8,
}

unsafe extern "C" {
    static stdout: *const Stream;
}

/// Bytes of the stack where the signal is taken: the program's own may be what overflowed.
const STACK: usize = 32 * 1024;

/// From now on fatal signals come by here. A program that takes one itself takes it from us.
pub fn listen() {
    let stack = libc::stack_t { ss_sp: scratch::map_area(STACK) as *mut c_void, ss_flags: 0, ss_size: STACK };
    // SAFETY: the stack was mapped for this, and stays.
    unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    let mut ours = ACTION;
    ours.sa_sigaction = heard as *const () as usize;
    // The second time, it is what it would have been without us.
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
    for signal in FATAL {
        set_action(signal, &ours);
    }
}

/// This copy's handler is about to be gone.
pub fn stop_listening() {
    for signal in FATAL {
        let mut present = ACTION;
        // SAFETY: the C library writes what is done at the signal.
        unsafe { libc::sigaction(signal, ptr::null(), &mut present) };
        if present.sa_sigaction == heard as *const () as usize {
            present.sa_sigaction = libc::SIG_DFL;
            present.sa_flags = 0;
            set_action(signal, &present);
        }
    }
}

// SAFETY: numbers and an optional function, all of which may be zero.
const ACTION: libc::sigaction = unsafe { core::mem::zeroed() };

/// What is to be done at a signal: `heard`, or nothing of ours.
fn set_action(signal: c_int, action: &libc::sigaction) {
    // SAFETY: `heard` may run at any moment, and is there until `stop_listening`.
    unsafe { libc::sigaction(signal, action, ptr::null_mut()) };
}

/// # Safety
///
/// The kernel calls it, with the details of the signal.
unsafe extern "C" fn heard(signal: c_int, details: *mut libc::siginfo_t, _: *mut c_void) {
    if let Some(mailbox) = experiment::mailbox() {
        keep(mailbox);
    }
    // A fault comes again when the instruction is executed again; what somebody sent must be sent again.
    // SAFETY: with SA_SIGINFO there are details.
    if unsafe { (*details).si_code } <= 0 {
        syscall::signal_self(signal);
    }
}

/// Copies what was not written to where the faultline process finds it.
pub fn keep(mailbox: &'static Mailbox) {
    let Some((from, length)) = unwritten() else { return };
    let length = length.min(LAST_WORDS_SIZE);
    let base = (&raw const *mailbox).cast::<u8>() as usize - MAILBOX_OFFSET;
    let to = (base + LAST_WORDS_OFFSET) as *mut u8;
    for position in 0..length {
        // SAFETY: the only mailbox there is stands in shared memory, at that offset, and room for last words behind it; the C
        // library's buffer has so many bytes, if it is one. Volatile, or this would become a call of memcpy, which may be the
        // program's own and instrumented.
        unsafe { to.add(position).write_volatile(from.add(position).read()) };
    }
    mailbox.unwritten.store(length as u32, Ordering::Relaxed);
}

/// What stands in the buffer. The program may have written anything there: only what looks like a buffer is believed.
fn unwritten() -> Option<(*const u8, usize)> {
    // SAFETY: null, or a stream of the C library, which begins like that; nobody else runs that would change it.
    let stream = unsafe { stdout.as_ref() }?;
    let order = [stream.buffer_base, stream.write_base, stream.write_pointer, stream.buffer_end];
    let is_buffer = !stream.buffer_base.is_null() && order.is_sorted();
    let length = (stream.write_pointer as usize).wrapping_sub(stream.write_base as usize);
    (is_buffer && length > 0).then_some((stream.write_base, length))
}
