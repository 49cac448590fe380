//! Chunks: a thread fills one, publishes it and takes the next.
//!
//! A killed program must leave its last chunk readable. So a slot forgets its chunk only once it is published (what
//! was published is not taken twice: the faultline process knows which chunks of a stream it has), and names a new
//! one only when cursor, stream and sequence are the new one's.

use core::sync::atomic::Ordering;

use abi::{
    CHUNK_FILLING, CHUNK_FREE, CHUNK_FULL, Context, NO_CHUNK, NO_STREAM, RED_ZONE, SURPRISES, Slot, SurpriseLog,
};

use crate::mapped::{Mapped, get, set};
use crate::shared::{self, Shared};
use crate::signals::Blocked;
use crate::slot::{clock, is_idle};
use crate::{scratch, syscall, tick};

/// How long a thread waits for a free chunk before it looks whether anybody is left to free one.
const PATIENCE: i64 = 500;

/// The log of surprises of a stream that has met none.
const NO_SURPRISES: SurpriseLog = SurpriseLog { cursor: 0, limit: 0, clock: 0, chunk: NO_CHUNK, sequence: 0 };

/// How a stream came to be.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    Thread,
    Handler(&'a Context),
}

const _: abi::RoomFn = room;

/// The body of `__faultline_room`.
///
/// # Safety
///
/// The slot is this thread's.
pub unsafe extern "C" fn room(slot: *mut Slot) {
    // SAFETY: the caller vouches for the slot.
    make_room(unsafe { Mapped::at(slot) });
}

/// Room for a record and the straight line of entries behind it.
pub fn make_room(slot: Mapped<Slot>) {
    if is_idle(slot) {
        scratch::rewind(slot);
    } else {
        next_chunk(slot);
    }
}

/// Publishes the slot's chunk and takes the next of the same stream.
fn next_chunk(slot: Mapped<Slot>) {
    let _blocked = Blocked::new();
    if let Some(shared) = shared::shared() {
        publish_current(&shared, slot);
        let sequence = get!(slot.sequence) + 1;
        if let Some(chunk) = take(&shared) {
            describe(&shared, slot, chunk, sequence, None);
            set!(slot.sequence, sequence);
            install(&shared, slot, chunk);
            return;
        }
    }
    // Nobody reads the last chunk any more: its end serves as scratch.
    set!(slot.scratch, get!(slot.limit) - (scratch::SIZE - RED_ZONE) as u64);
    scratch::rewind(slot);
}

/// Gives the slot a new stream with its own clock and hash. False when the faultline process is gone; the slot is
/// then unchanged. Signals must be blocked.
pub fn begin_stream(shared: &Shared, slot: Mapped<Slot>, origin: Origin) -> bool {
    let Some(chunk) = take(shared) else { return false };
    set!(slot.chunk, NO_CHUNK);
    set!(slot.stream, shared.header().next_stream.fetch_add(1, Ordering::Relaxed));
    set!(slot.sequence, 0);
    set!(slot.surprises, NO_SURPRISES);
    tick::reset(slot);
    let interrupted = match origin {
        Origin::Thread => None,
        Origin::Handler(context) => Some(context),
    };
    describe(shared, slot, chunk, 0, interrupted);
    install(shared, slot, chunk);
    true
}

/// Takes a free chunk, waiting for one if it must. `None` when the faultline process is gone.
///
/// The lowest free chunk, not the next in turn: the memory touched stays as small as the drainer's speed allows,
/// which saves page faults and cache.
pub fn take(shared: &Shared) -> Option<u32> {
    let header = shared.header();
    loop {
        if let Some(chunk) = try_take(shared) {
            return Some(chunk);
        }
        header.waiting.fetch_add(1, Ordering::SeqCst);
        let seen = header.freed.load(Ordering::SeqCst);
        let taken = try_take(shared);
        if taken.is_none() {
            syscall::futex_wait(&header.freed, seen, PATIENCE);
        }
        header.waiting.fetch_sub(1, Ordering::SeqCst);
        if taken.is_some() {
            return taken;
        }
        if shared.recorder_is_gone() {
            shared::stop_recording();
            return None;
        }
    }
}

fn try_take(shared: &Shared) -> Option<u32> {
    (0..shared.header().chunk_count).find(|&chunk| {
        let state = shared.chunk_state(chunk);
        state.load(Ordering::Relaxed) == CHUNK_FREE
            && state.compare_exchange(CHUNK_FREE, CHUNK_FILLING, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    })
}

/// Fills in the header of a chunk just taken.
fn describe(shared: &Shared, slot: Mapped<Slot>, chunk: u32, sequence: u32, interrupted: Option<&Context>) {
    let header = shared.chunk_header(chunk);
    set!(header.stream, get!(slot.stream));
    set!(header.sequence, sequence);
    set!(header.length, 0);
    set!(header.clock, clock(slot));
    set!(header.hash, get!(slot.hash));
    set!(header.thread, get!(slot.thread));
    set!(header.parent_stream, interrupted.map_or(NO_STREAM, |at| at.stream));
    set!(header.parent_sequence, interrupted.map_or(0, |at| at.sequence));
    let offset = |at: &Context| at.cursor.wrapping_sub(shared.chunk_start(at.chunk)) as u32;
    set!(header.parent_offset, interrupted.map_or(0, offset));
    set!(header.parent_clock, interrupted.map_or(0, |at| at.deadline.wrapping_sub(at.remaining as u64)));
    set!(header.parent_hash, interrupted.map_or(0, |at| at.hash));
}

fn install(shared: &Shared, slot: Mapped<Slot>, chunk: u32) {
    let start = shared.chunk_start(chunk);
    set!(slot.cursor, start);
    set!(slot.limit, start + shared.header().chunk_size - RED_ZONE as u64);
    set!(slot.chunk, chunk);
}

/// Publishes the slot's chunk up to the cursor. The slot is left without a chunk.
pub fn publish_current(shared: &Shared, slot: Mapped<Slot>) {
    let chunk = get!(slot.chunk);
    if chunk >= shared.header().chunk_count {
        return;
    }
    let length = get!(slot.cursor).wrapping_sub(shared.chunk_start(chunk)) as u32;
    let header = shared.chunk_header(chunk);
    set!(header.end_clock, clock(slot));
    set!(header.end_hash, get!(slot.hash));
    set!(header.length, length);
    publish(shared, chunk);
    set!(slot.chunk, NO_CHUNK);
}

/// Begins a chunk for the surprises of the slot's stream. False when the faultline process is gone. Signals must be
/// blocked.
pub fn begin_surprises(shared: &Shared, slot: Mapped<Slot>) -> bool {
    let Some(chunk) = take(shared) else { return false };
    let mut log = get!(slot.surprises);
    describe(shared, slot, chunk, log.sequence, None);
    let header = shared.chunk_header(chunk);
    set!(header.stream, get!(slot.stream) | SURPRISES);
    log.cursor = shared.chunk_start(chunk);
    log.limit = log.cursor + shared.header().chunk_size;
    log.chunk = chunk;
    set!(slot.surprises, log);
    true
}

/// Publishes the chunk of surprises, if there is one. The slot is left without.
pub fn publish_surprises(shared: &Shared, slot: Mapped<Slot>) {
    let mut log = get!(slot.surprises);
    if log.chunk >= shared.header().chunk_count {
        return;
    }
    let header = shared.chunk_header(log.chunk);
    set!(header.end_clock, clock(slot));
    set!(header.end_hash, get!(slot.hash));
    set!(header.length, log.cursor.wrapping_sub(shared.chunk_start(log.chunk)) as u32);
    publish(shared, log.chunk);
    log.chunk = NO_CHUNK;
    log.cursor = 0;
    log.limit = 0;
    log.sequence += 1;
    set!(slot.surprises, log);
}

/// Hands a chunk whose header is complete to the faultline process.
pub fn publish(shared: &Shared, chunk: u32) {
    shared.chunk_state(chunk).store(CHUNK_FULL, Ordering::Release);
    let filled = &shared.header().filled;
    filled.fetch_add(1, Ordering::SeqCst);
    // All drainers: the one that wakes first may be one that works only when we are too fast.
    syscall::futex_wake(filled, i32::MAX as usize);
}
