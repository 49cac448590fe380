//! The part of faultline that is linked into the debugged program.
//!
//! In: calls from instrumented code, and memory shared with the faultline process. Out: the log, in that memory; or
//! nothing, when the program runs on its own.
//! Deliberately absent: allocation (only mappings), panics, standard input and output, knowledge of what entries mean.
//!
//! Everything here may run inside a signal handler that interrupted anything, this crate included. The rules:
//! system calls are made directly, so `errno` is never touched; what must not be interrupted runs with all signals
//! blocked ([`signals`]); fields of a slot are read and written volatile, in the order stated, because the program may
//! be killed between any two instructions and what it leaves behind must make sense.

#![no_std]
mod syscall;
mod mapped;
mod signals;
mod lock;
mod once;
mod slot;
mod current;
mod scratch;
mod shared;
mod experiment;
mod rewind;
mod vectors;
mod serve;
mod last_words;
mod edited;
mod plan;
mod tick;
mod chunk;
mod surprise;
mod ranges;
mod shadow;
mod claim;
mod exit;
mod fork;
mod keeper;
mod start;
mod thread;
mod append;
mod functions;
mod enter;
mod jump;
mod maps;
mod directory;
mod context;
mod mapping;
mod steady;
mod trampoline;

/// Nothing here panics on purpose; a broken invariant stops the program where it is.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    syscall::trap()
}

/// Parts of Rust's core library name this symbol though nothing here unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
