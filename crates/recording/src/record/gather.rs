//! What a program leaves behind when it has ended: the chunks its threads were filling, and those that signal handlers
//! had interrupted. Each is complete up to the cursor of its slot, even if the program was killed.

use std::sync::atomic::Ordering;

use abi::{CHUNK_FILLING, CONTEXT_DEPTH, Context, SLOT_COUNT, SURPRISES, Slot};

use super::Drained;
use super::drain::{Compressor, record_of};
use super::memory::SharedMemory;
use crate::contents::ChunkRecord;

/// Writes the last chunk of every stream that did not end by itself.
pub fn gather(memory: &SharedMemory, drained: &mut Drained) {
    let mut compressor = Compressor::new();
    let mut bytes = Vec::new();
    for index in 0..SLOT_COUNT {
        // Nobody changes it any more, but it may hold anything.
        // SAFETY: a slot of the shared memory, made of numbers: whatever the program has written there is one.
        let slot = unsafe { memory.slot(index).read_volatile() };
        if slot.state.load(Ordering::Relaxed) == 0 {
            continue;
        }
        let level = (slot.level as usize).min(CONTEXT_DEPTH);
        let suspended = slot.contexts.iter().take(level).copied();
        for context in suspended.chain([current(&slot)]).flat_map(|context| [surprises(&context), context]) {
            let Some(record) = unfinished(memory, &context) else { continue };
            // Killed between publishing a chunk and forgetting it, or while a handler was entered or left.
            if drained.writer.has_chunk(&record) {
                continue;
            }
            memory.copy_chunk(context.chunk, record.raw_length, &mut bytes);
            if let Some(compressed) = compressor.compress(&bytes, false) {
                drained.chunk(record, compressed);
            }
        }
    }
}

fn current(slot: &Slot) -> Context {
    Context {
        cursor: slot.cursor,
        limit: slot.limit,
        remaining: slot.remaining,
        hash: slot.hash,
        token: slot.token,
        deadline: slot.deadline,
        stream: slot.stream,
        chunk: slot.chunk,
        sequence: slot.sequence,
        unused: 0,
        shadow: slot.shadow,
        surprises: slot.surprises,
    }
}

/// The stream of surprises beside a context's own.
fn surprises(context: &Context) -> Context {
    Context {
        cursor: context.surprises.cursor,
        limit: context.surprises.limit,
        stream: context.stream | SURPRISES,
        chunk: context.surprises.chunk,
        sequence: context.surprises.sequence,
        ..*context
    }
}

/// The chunk the context is filling, if it makes sense.
fn unfinished(memory: &SharedMemory, context: &Context) -> Option<ChunkRecord> {
    if context.chunk >= memory.chunk_count() {
        return None;
    }
    // SAFETY: a header of the shared memory, made of numbers: whatever the program has written there is one.
    let header = unsafe { memory.chunk_header(context.chunk).read_volatile() };
    let length = memory.offset_in_chunk(context.chunk, context.cursor)?;
    let record = record_of(&header, length);
    let is_filling = header.state.into_inner() == CHUNK_FILLING;
    let belongs = record.stream.0 == context.stream && record.sequence == context.sequence;
    (is_filling && belongs).then_some(ChunkRecord {
        end_clock: context.deadline.wrapping_sub(context.remaining as u64),
        end_hash: context.hash,
        finished: false,
        ..record
    })
}
