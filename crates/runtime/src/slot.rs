//! Slots: a thread gets one with its first instrumented function and gives it back when it ends.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use abi::{Context, NO_STREAM, SLOT_COUNT, Slot};

use crate::chunk::{self, Origin};
use crate::mapped::{Mapped, get, set};
use crate::once::of_process;
use crate::signals::Blocked;
use crate::start::{self, Shared};
use crate::trampoline::{current_slot, set_current_slot};
use crate::{plan, scratch, shadow, syscall, tick};

/// The token of a thread that has not called anything: its first function is entered from outside.
pub const BEFORE_FIRST_CALL: u64 = 1;

const FREE: u32 = 0;
const IN_USE: u32 = 1;

const _: abi::ThreadFn = thread;

/// The body of `__faultline_thread`.
pub extern "C" fn thread() -> *mut Slot {
    let _blocked = Blocked::new();
    start::start(|| {});
    if let Some(present) = current_slot() {
        return present.place();
    }
    let slot = fresh();
    set_current_slot(Some(slot));
    plan::notice(slot);
    tick::arm(slot);
    arm_exit(slot.place(), 0);
    slot.place()
}

/// A slot nobody has, recorded if that is possible. Signals must be blocked.
pub fn fresh() -> Mapped<Slot> {
    let slot = start::shared().and_then(|shared| recorded(&shared)).unwrap_or_else(scratch::new_slot);
    set!(slot.fills, plan::fills());
    slot
}

pub fn is_idle(slot: Mapped<Slot>) -> bool {
    get!(slot.scratch) != 0
}

pub fn clock(slot: Mapped<Slot>) -> u64 {
    get!(slot.deadline).wrapping_sub(get!(slot.remaining) as u64)
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

/// Clock and hash at zero, nothing scheduled.
pub fn reset_clock(slot: Mapped<Slot>) {
    set!(slot.deadline, 0);
    set!(slot.remaining, 0);
    tick::arm(slot);
    set!(slot.hash, 0);
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

const NO_KEY: u32 = u32::MAX;
of_process! {
    static KEY: AtomicU32 = AtomicU32::new(NO_KEY);
}

/// Rounds of destructors a thread runs at its end. Instrumented code may run in each, so we give the slot back in
/// the last.
const ROUNDS: usize = 4;

/// Makes the key whose destructor sees threads end.
pub fn prepare_exit() {
    let mut key: libc::pthread_key_t = 0;
    // SAFETY: the key is written; the destructor is there until `forget_exit`.
    if unsafe { libc::pthread_key_create(&mut key, Some(exit_round)) } == 0 {
        KEY.store(key, Ordering::Release);
    }
}

/// The destructor's code is about to be gone. Threads that have a slot end without it.
pub fn forget_exit() {
    let key = KEY.swap(NO_KEY, Ordering::AcqRel);
    if key != NO_KEY {
        // SAFETY: a key that was made, and is nobody's any more.
        unsafe { libc::pthread_key_delete(key) };
    }
}

/// The key's value is the slot's address; its alignment leaves room for the round.
fn arm_exit(slot: *mut Slot, round: usize) {
    let key = KEY.load(Ordering::Acquire);
    if key != NO_KEY {
        // SAFETY: a key that was made; the value is a number to everybody but `exit_round`.
        unsafe { libc::pthread_setspecific(key, (slot as usize | round) as *const c_void) };
    }
}

/// # Safety
///
/// The value is one that `arm_exit` set in this thread.
unsafe extern "C" fn exit_round(value: *mut c_void) {
    let round = (value as usize % align_of::<Slot>()) + 1;
    let slot = (value as usize / align_of::<Slot>() * align_of::<Slot>()) as *mut Slot;
    if round < ROUNDS {
        arm_exit(slot, round);
        return;
    }
    let _blocked = Blocked::new();
    set_current_slot(None);
    // SAFETY: the slot was this thread's, which has none any more and runs no more instrumented code.
    unsafe { give_back(Mapped::at(slot)) };
}

/// A slot that is not needed any more. Signals must be blocked.
///
/// # Safety
///
/// Nobody uses the slot any more.
pub unsafe fn give_back(slot: Mapped<Slot>) {
    scratch::leave_unrecorded(slot);
    let shared = start::shared().filter(|shared| shared.contains(slot.address()));
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
