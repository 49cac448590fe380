//! Scratch: private memory for entries nobody reads. A program that is not recorded runs the same code; its entries
//! go here, round and round.
//!
//! An idle slot has `scratch` set. Asynchronous handlers need no care then: there is nothing they could spoil.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use abi::{Context, NO_CHUNK, RED_ZONE, RUNTIME_STACK, Slot};

use crate::mapped::{Mapped, get, set};
use crate::once::of_process;
use crate::slot;
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
    // SAFETY: mapped just now, for nobody yet.
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
    let slot = slot_of(area);
    set!(slot.stack, map_stack());
    area
}

fn slot_of(area: *mut IdleArea) -> Mapped<Slot> {
    // SAFETY: the area was mapped for this, and stays until `free_slot`, whose caller vouches for the slot.
    unsafe { Mapped::at(&raw mut (*area).slot) }
}

/// A slot for a thread that is not recorded: zero, but for its stack and its scratch.
pub fn take_slot() -> Mapped<Slot> {
    let prepared = PREPARED.swap(ptr::null_mut(), Ordering::Relaxed);
    let slot = slot_of(if prepared.is_null() { map_idle() } else { prepared });
    set!(slot.scratch, own_scratch(slot));
    slot
}

/// Where the scratch of a slot with an area of its own is.
fn own_scratch(slot: Mapped<Slot>) -> u64 {
    (slot.address() + core::mem::offset_of!(IdleArea, scratch)) as u64
}

/// # Safety
///
/// Nobody uses the slot any more.
pub unsafe fn free_slot(slot: Mapped<Slot>) {
    // A slot of shared memory that was detached has no area of its own.
    if get!(slot.scratch) == own_scratch(slot) {
        let stack = get!(slot.stack) as usize - RUNTIME_STACK - PAGE;
        // SAFETY: the caller vouches for the slot, which is the first thing in its area. The stack is the slot's, and this does not
        // run there: slots are given back on the program's stacks.
        unsafe {
            syscall::unmap(stack, PAGE + RUNTIME_STACK);
            syscall::unmap(slot.address(), size_of::<IdleArea>());
        }
    }
}

/// Room in an idle slot: begins again at the start.
pub fn rewind(slot: Mapped<Slot>) {
    let start = get!(slot.scratch);
    set!(slot.cursor, start);
    set!(slot.limit, start + (SIZE - RED_ZONE) as u64);
}

/// What the runtime keeps for a handler that is not recorded, if one runs.
fn unrecorded(slot: Mapped<Slot>) -> Option<Mapped<UnrecordedArea>> {
    let area = get!(slot.unrecorded) as *mut UnrecordedArea;
    // SAFETY: `enter_unrecorded` mapped it, and `leave_unrecorded` forgets it before it is gone.
    (!area.is_null()).then(|| unsafe { Mapped::at(area) })
}

/// Makes the slot idle for the length of one handler. Signals must be blocked.
pub fn enter_unrecorded(slot: Mapped<Slot>) {
    let interrupted = slot::save(slot);
    // SAFETY: mapped for this.
    let area = unsafe { Mapped::at(map_area(size_of::<UnrecordedArea>()) as *mut UnrecordedArea) };
    set!(area.interrupted, interrupted);
    set!(area.outer_scratch, get!(slot.scratch));
    set!(slot.unrecorded, area.address() as u64);
    set!(slot.scratch, (area.address() + core::mem::offset_of!(UnrecordedArea, scratch)) as u64);
    set!(slot.chunk, NO_CHUNK);
    set!(slot.shadow, 0);
    rewind(slot);
}

/// Ends the unrecorded handler, if there is one, and says whether there was. Signals must be blocked.
pub fn leave_unrecorded(slot: Mapped<Slot>) -> bool {
    let Some(area) = unrecorded(slot) else { return false };
    let interrupted = get!(area.interrupted);
    slot::restore(slot, &interrupted);
    set!(slot.scratch, get!(area.outer_scratch));
    set!(slot.unrecorded, 0);
    // SAFETY: the slot's cursor is what it was before, and nothing else pointed there.
    unsafe { syscall::unmap(area.address(), size_of::<UnrecordedArea>()) };
    true
}

/// In a forked child: the slot will be idle also after the unrecorded handler, if there is one.
pub fn after_fork(slot: Mapped<Slot>, scratch: u64) -> bool {
    let Some(area) = unrecorded(slot) else { return false };
    set!(area.outer_scratch, scratch);
    true
}
