//! Scratch: private memory for entries nobody reads. A program that is not recorded runs the same code; its entries
//! go here, round and round.
//!
//! An idle slot has `scratch` set. Asynchronous handlers need no care then: there is nothing they could spoil.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use abi::{Context, NO_CHUNK, NO_STREAM, RED_ZONE, RUNTIME_STACK, Slot};

use crate::once::of_process;
use crate::slot::{self, get, set};
use crate::syscall;

/// Bytes of one scratch, red zone included. Small enough to stay in the nearest cache.
pub const SIZE: usize = 4 * 4096 + RED_ZONE;

/// Where the areas go if they can, out of the program's way like the shared memory.
const AREAS_ADDRESS: usize = 0x11a5_9368_0000;

/// Where the runtime's stacks go: in a window of the program's, which has a shadow. Signal handlers may run there.
const STACKS_ADDRESS: usize = 0xf3_5c28_0000;

of_process! {
    static AREAS: AtomicUsize = AtomicUsize::new(0);
    static STACKS: AtomicUsize = AtomicUsize::new(0);
    /// Memory for the next idle slot.
    static PREPARED: AtomicPtr<IdleArea> = AtomicPtr::new(ptr::null_mut());
}

const PAGE: usize = 4096;

/// A slot of its own for a thread that is not recorded.
#[repr(C, align(4096))]
struct IdleArea {
    slot: Slot,
    scratch: [u8; SIZE],
}

/// What stands in for a stream while a handler runs that cannot be recorded.
#[repr(C, align(4096))]
struct UnrecordedArea {
    interrupted: Context,
    /// The slot's scratch before: zero, unless the process was forked meanwhile.
    outer_scratch: u64,
    scratch: [u8; SIZE],
}

/// Private memory out of the program's way. Stops the program if there is none.
pub fn map_area(length: usize) -> usize {
    let hint = AREAS_ADDRESS + AREAS.fetch_add(length.next_multiple_of(PAGE), Ordering::Relaxed);
    match syscall::map_private(hint, length) {
        Some(address) => address as usize,
        None => syscall::trap(),
    }
}

/// A stack for the runtime, with a page below it that nobody may touch. Gives its end.
pub fn map_stack() -> u64 {
    let length = PAGE + RUNTIME_STACK;
    let hint = STACKS_ADDRESS + STACKS.fetch_add(length, Ordering::Relaxed);
    let Some(area) = syscall::map_private(hint, length) else { syscall::trap() };
    unsafe { syscall::forbid(area as usize, PAGE) };
    (area as usize + length) as u64
}

/// The range of addresses that stacks were put into.
pub fn stacks() -> (usize, usize) {
    (STACKS_ADDRESS, STACKS_ADDRESS + STACKS.load(Ordering::Relaxed))
}

/// The range of addresses that areas were put into.
pub fn areas() -> (usize, usize) {
    (AREAS_ADDRESS, AREAS_ADDRESS + AREAS.load(Ordering::Relaxed))
}

/// Maps the memory of an idle slot, for children that will each need one.
pub fn prepare_slot() {
    let area = map_idle();
    PREPARED.store(area, Ordering::Relaxed);
}

fn map_idle() -> *mut IdleArea {
    let area = map_area(size_of::<IdleArea>()) as *mut IdleArea;
    unsafe { (&raw mut (*area).slot.stack).write_volatile(map_stack()) };
    area
}

/// An idle slot.
pub fn new_slot() -> *mut Slot {
    let prepared = PREPARED.swap(ptr::null_mut(), Ordering::Relaxed);
    let area = if prepared.is_null() { map_idle() } else { prepared };
    unsafe {
        let slot = &raw mut (*area).slot;
        set!(slot.scratch, (&raw mut (*area).scratch) as u64);
        set!(slot.stream, NO_STREAM);
        set!(slot.chunk, NO_CHUNK);
        set!(slot.thread, syscall::thread_id());
        set!(slot.token, slot::BEFORE_FIRST_CALL);
        slot::reset_clock(slot);
        rewind(slot);
        slot
    }
}

pub unsafe fn free_slot(slot: *mut Slot) {
    // A slot of shared memory that was detached has no area of its own.
    let own_scratch = slot as usize + core::mem::offset_of!(IdleArea, scratch);
    if unsafe { get!(slot.scratch) } as usize == own_scratch {
        unsafe {
            syscall::unmap(get!(slot.stack) as usize - RUNTIME_STACK - PAGE, PAGE + RUNTIME_STACK);
            syscall::unmap(slot as usize, size_of::<IdleArea>());
        }
    }
}

/// Room in an idle slot: begins again at the start.
pub unsafe fn rewind(slot: *mut Slot) {
    unsafe {
        let start = get!(slot.scratch);
        set!(slot.cursor, start);
        set!(slot.limit, start + (SIZE - RED_ZONE) as u64);
    }
}

/// Makes the slot idle for the length of one handler. Signals must be blocked.
pub unsafe fn enter_unrecorded(slot: *mut Slot) {
    let area = map_area(size_of::<UnrecordedArea>()) as *mut UnrecordedArea;
    unsafe {
        set!(area.interrupted, slot::save(slot));
        set!(area.outer_scratch, get!(slot.scratch));
        set!(slot.unrecorded, area as u64);
        set!(slot.scratch, (&raw mut (*area).scratch) as u64);
        set!(slot.chunk, NO_CHUNK);
        set!(slot.shadow, 0);
        rewind(slot);
    }
}

/// Ends the unrecorded handler, if there is one, and says whether there was. Signals must be blocked.
pub unsafe fn leave_unrecorded(slot: *mut Slot) -> bool {
    unsafe {
        let area = get!(slot.unrecorded) as *mut UnrecordedArea;
        if area.is_null() {
            return false;
        }
        let interrupted = get!(area.interrupted);
        slot::restore(slot, &interrupted);
        set!(slot.scratch, get!(area.outer_scratch));
        set!(slot.unrecorded, 0);
        syscall::unmap(area as usize, size_of::<UnrecordedArea>());
        true
    }
}

/// In a forked child: the slot will be idle also after the unrecorded handler, if there is one.
pub unsafe fn after_fork(slot: *mut Slot, scratch: u64) -> bool {
    unsafe {
        let area = get!(slot.unrecorded) as *mut UnrecordedArea;
        if area.is_null() {
            return false;
        }
        set!(area.outer_scratch, scratch);
        true
    }
}
