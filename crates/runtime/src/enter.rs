//! Instrumented functions entered from outside: callbacks and signal handlers.
//!
//! The token tells what was interrupted. That of an outside function: control was outside, and the entry is a record
//! in the thread's own stream, be it a callback or a signal handler (synchronous). Zero, or that of an instrumented
//! function: a signal came in the middle of instrumented code, or between a caller and its callee, perhaps between
//! writing an entry and moving the cursor (asynchronous). Then the handler gets a stream of its own, and what it
//! interrupted is put back exactly when it returns.

use core::sync::atomic::{Ordering, compiler_fence};

use abi::{ADDRESS_MASK, CONTEXT_DEPTH, NO_CHUNK, Slot};

use crate::chunk::{self, Origin};
use crate::mapped::{Mapped, get, set};
use crate::signals::Blocked;
use crate::slot::{self, is_idle};
use crate::{append, experiment, functions, scratch, shadow, shared, tick};

const SYNCHRONOUS: u64 = 0;
const ASYNCHRONOUS: u64 = 1;

const _: (abi::EnterFn, abi::LeaveFn) = (enter, leave);

/// The body of `__faultline_enter`.
///
/// # Safety
///
/// The slot is this thread's; `saved` points to two words.
pub unsafe extern "C" fn enter(slot: *mut Slot, entry: u64, saved: *mut u64) {
    // SAFETY: the caller vouches for both.
    let (slot, saved) = unsafe { (Mapped::at(slot), &mut *saved.cast::<[u64; 2]>()) };
    let token = get!(slot.token);
    let kind = if (!is_idle(slot) || experiment::is_on()) && interrupts(slot, token, entry) {
        enter_handler(slot);
        ASYNCHRONOUS
    } else {
        // From here on a signal is asynchronous, so the record below is safe from it.
        set!(slot.token, 0);
        compiler_fence(Ordering::SeqCst);
        SYNCHRONOUS
    };
    *saved = [token, kind];
    append::entered(slot, entry);
}

/// The body of `__faultline_leave`.
///
/// # Safety
///
/// The slot is this thread's; `saved` is what `enter` kept.
pub unsafe extern "C" fn leave(slot: *mut Slot, saved: *mut u64) {
    // SAFETY: the caller vouches for both.
    let (slot, [token, kind]) = unsafe { (Mapped::at(slot), saved.cast::<[u64; 2]>().read()) };
    if kind == ASYNCHRONOUS {
        let _blocked = Blocked::new();
        leave_handler(slot);
    } else {
        compiler_fence(Ordering::SeqCst);
        set!(slot.token, token);
    }
}

/// Whether the entry interrupts instrumented code.
fn interrupts(slot: Mapped<Slot>, token: u64, entry: u64) -> bool {
    if token == get!(slot.outside_token) {
        return false;
    }
    let called = token & ADDRESS_MASK;
    if token == 0 {
        return true;
    }
    // A caller that believes in another type of this very function counts as outside.
    if called == entry & ADDRESS_MASK {
        return false;
    }
    if functions::is_instrumented(called) {
        return true;
    }
    set!(slot.outside_token, token);
    false
}

/// Sets aside what was interrupted and begins the handler's stream.
fn enter_handler(slot: Mapped<Slot>) {
    let _blocked = Blocked::new();
    let level = get!(slot.level) as usize;
    let interrupted = slot::save(slot);
    let mut recorded = false;
    if let Some(shared) = shared::shared() {
        if level < CONTEXT_DEPTH && shadow_for(slot, level) {
            set!(slot.contexts[level], interrupted);
            set!(slot.level, level as u32 + 1);
            set!(slot.shadow, get!(slot.handler_shadows[level]));
            recorded = chunk::begin_stream(&shared, slot, Origin::Handler(&interrupted));
        } else {
            shared.header().unrecorded_handlers.fetch_add(1, Ordering::Relaxed);
        }
    }
    if !recorded {
        set!(slot.level, level as u32 + 1);
        scratch::enter_unrecorded(slot);
    }
    // Its ticks are not those the plan counts.
    tick::disarm(slot);
    set!(slot.token, 0);
}

/// A handler has a shadow of its own: what it stores comes as a surprise to the code it interrupts, so that it does
/// not matter between which two instructions it came.
fn shadow_for(slot: Mapped<Slot>, level: usize) -> bool {
    if get!(slot.handler_shadows[level]) == 0 {
        let Some(mask) = shadow::acquire() else { return false };
        set!(slot.handler_shadows[level], mask);
    }
    true
}

/// Ends the innermost handler and puts back what it interrupted. Signals must be blocked.
pub fn leave_handler(slot: Mapped<Slot>) {
    let level = get!(slot.level).wrapping_sub(1) as usize;
    if !scratch::leave_unrecorded(slot) {
        if level >= CONTEXT_DEPTH {
            return;
        }
        if let Some(shared) = shared::shared()
            && !is_idle(slot)
        {
            chunk::publish_surprises(&shared, slot);
            chunk::publish_current(&shared, slot);
        }
        set!(slot.chunk, NO_CHUNK);
        let interrupted = get!(slot.contexts[level]);
        slot::restore(slot, &interrupted);
    }
    set!(slot.level, level as u32);
}
