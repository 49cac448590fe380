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
mod trampoline;
mod once;
mod keeper;
mod start;
mod fork;
mod slot;
mod scratch;
mod chunk;
mod append;
mod enter;
mod jump;
mod context;
mod tick;
mod plan;
mod last_words;
mod serve;
mod rewind;
mod steady;
mod surprise;
mod shadow;
mod mapping;
mod directory;
mod functions;
mod maps;

/// Nothing here panics on purpose; a broken invariant stops the program where it is.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    syscall::trap()
}

/// Parts of Rust's core library name this symbol though nothing here unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
