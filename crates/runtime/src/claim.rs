//! Who has which slot: taking one, and giving it back.

use core::sync::atomic::{AtomicU32, Ordering};

use abi::{NO_CHUNK, NO_STREAM, SLOT_COUNT, Slot};

use crate::chunk::{self, Origin};
use crate::mapped::{Mapped, get, set};
use crate::shared::{self, Shared};
use crate::slot::{BEFORE_FIRST_CALL, is_idle, restore};
use crate::{experiment, scratch, shadow, syscall, tick};

const FREE: u32 = 0;
const IN_USE: u32 = 1;

/// A slot nobody has, recorded if that is possible. Signals must be blocked.
pub fn fresh() -> Mapped<Slot> {
    let slot = shared::shared().and_then(|shared| recorded(&shared)).unwrap_or_else(idle);
    set!(slot.fills, experiment::fills());
    slot
}

/// A slot that is not recorded.
fn idle() -> Mapped<Slot> {
    let slot = scratch::take_slot();
    set!(slot.stream, NO_STREAM);
    set!(slot.chunk, NO_CHUNK);
    set!(slot.thread, syscall::thread_id());
    set!(slot.token, BEFORE_FIRST_CALL);
    tick::reset(slot);
    scratch::rewind(slot);
    slot
}

/// Takes a free slot and begins a stream. `None` when there is no slot, or the faultline process is gone.
fn recorded(shared: &Shared) -> Option<Mapped<Slot>> {
    let Some(slot) = (0..SLOT_COUNT).map(|index| shared.slot(index)).find(|&slot| claim(slot)) else {
        shared.header().unrecorded_threads.fetch_add(1, Ordering::Relaxed);
        return None;
    };
    set!(slot.thread, syscall::thread_id());
    if get!(slot.stack) == 0 {
        set!(slot.stack, scratch::map_stack());
    }
    set!(slot.level, 0);
    set!(slot.scratch, 0);
    set!(slot.unrecorded, 0);
    set!(slot.token, BEFORE_FIRST_CALL);
    set!(slot.outside_token, BEFORE_FIRST_CALL);
    set!(slot.handler_shadows, [0; abi::CONTEXT_DEPTH]);
    let Some(mask) = shadow::acquire() else {
        shared.header().unrecorded_threads.fetch_add(1, Ordering::Relaxed);
        state(&slot).store(FREE, Ordering::Release);
        return None;
    };
    set!(slot.shadow, mask);
    if !chunk::begin_stream(shared, slot, Origin::Thread) {
        shadow::release(mask);
        state(&slot).store(FREE, Ordering::Release);
        return None;
    }
    Some(slot)
}

/// Whether somebody has a slot of the shared memory, which stays for as long as the process lives.
fn state(slot: &Mapped<Slot>) -> &AtomicU32 {
    // SAFETY: an atomic number, in memory that is there for as long as the slot is used.
    unsafe { &(*slot.place()).state }
}

fn claim(slot: Mapped<Slot>) -> bool {
    let state = state(&slot);
    state.load(Ordering::Relaxed) == FREE
        && state.compare_exchange(FREE, IN_USE, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// A slot that is not needed any more. Signals must be blocked.
///
/// # Safety
///
/// Nobody uses the slot any more.
pub unsafe fn give_back(slot: Mapped<Slot>) {
    scratch::leave_unrecorded(slot);
    let shared = shared::shared().filter(|shared| shared.contains(slot.address()));
    let Some(shared) = shared else {
        // SAFETY: the caller vouches for it.
        unsafe { scratch::free_slot(slot) };
        return;
    };
    if !is_idle(slot) {
        chunk::publish_surprises(&shared, slot);
        chunk::publish_current(&shared, slot);
        while get!(slot.level) > 0 {
            let level = get!(slot.level) - 1;
            let context = get!(slot.contexts[level as usize % abi::CONTEXT_DEPTH]);
            restore(slot, &context);
            set!(slot.level, level);
            chunk::publish_surprises(&shared, slot);
            chunk::publish_current(&shared, slot);
        }
    }
    set!(slot.stream, NO_STREAM);
    let masks = get!(slot.handler_shadows).into_iter().chain([get!(slot.shadow)]);
    masks.filter(|&mask| mask != 0).for_each(shadow::release);
    set!(slot.shadow, 0);
    state(&slot).store(FREE, Ordering::Release);
}
