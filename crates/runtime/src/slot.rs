//! Slots: what a thread keeps of its own log. Who has one, `claim` knows.

use abi::{Context, Slot};

use crate::mapped::{Mapped, get, set};

/// The token of a thread that has not called anything: its first function is entered from outside.
pub const BEFORE_FIRST_CALL: u64 = 1;

pub fn is_idle(slot: Mapped<Slot>) -> bool {
    get!(slot.scratch) != 0
}

pub fn clock(slot: Mapped<Slot>) -> u64 {
    get!(slot.deadline).wrapping_sub(get!(slot.remaining) as u64)
}

/// All an asynchronous handler must give back.
pub fn save(slot: Mapped<Slot>) -> Context {
    Context {
        cursor: get!(slot.cursor),
        limit: get!(slot.limit),
        remaining: get!(slot.remaining),
        hash: get!(slot.hash),
        token: get!(slot.token),
        deadline: get!(slot.deadline),
        stream: get!(slot.stream),
        chunk: get!(slot.chunk),
        sequence: get!(slot.sequence),
        unused: 0,
        shadow: get!(slot.shadow),
        surprises: get!(slot.surprises),
    }
}

/// The slot's chunk must be `NO_CHUNK` before; it is set last, so that a killed program's slot never joins a chunk
/// with the cursor of another.
pub fn restore(slot: Mapped<Slot>, context: &Context) {
    set!(slot.cursor, context.cursor);
    set!(slot.limit, context.limit);
    set!(slot.remaining, context.remaining);
    set!(slot.hash, context.hash);
    set!(slot.token, context.token);
    set!(slot.deadline, context.deadline);
    set!(slot.stream, context.stream);
    set!(slot.sequence, context.sequence);
    set!(slot.shadow, context.shadow);
    set!(slot.surprises, context.surprises);
    set!(slot.chunk, context.chunk);
}
