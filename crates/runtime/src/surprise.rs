//! Surprises: watched loads that met what the thread's shadow did not have (see `abi`'s `watch` module), and moves of
//! memory that the shadow must follow.
//!
//! A stream's surprises are a log of their own, begun with the first. A signal handler has its own, as it has its own
//! stream, so whatever it interrupts here is put back by restoring the slot.

use core::arch::asm;
use core::sync::atomic::{Ordering, compiler_fence};

use abi::{LONGEST_SURPRISE, Slot, SurpriseHeader};

use crate::chunk;
use crate::mapped::{Mapped, get, set};
use crate::shared;
use crate::signals::Blocked;
use crate::slot::{clock, is_idle};

const _: (abi::SurpriseFn, abi::MovedFn) = (surprise, moved);

/// The body of `__faultline_surprise`.
///
/// # Safety
///
/// The slot is this thread's, and the program can read as many bytes at the address as `what` says.
pub unsafe extern "C" fn surprise(slot: *mut Slot, address: u64, value: u64, what: u64) {
    // SAFETY: the caller vouches for the slot.
    let slot = unsafe { Mapped::at(slot) };
    let size = (what >> 32) as usize;
    let mask = get!(slot.shadow);
    if mask == 0 {
        return;
    }
    if !is_idle(slot) {
        log(slot, what as u32, value, size);
    }
    let shadow = (address ^ mask) as *mut u8;
    for (position, byte) in value.to_le_bytes().into_iter().take(size).enumerate() {
        // SAFETY: memory that the program has is shadowed there, by memory of ours.
        unsafe { shadow.add(position).write_volatile(byte) };
    }
}

fn log(slot: Mapped<Slot>, key: u32, value: u64, size: usize) {
    if get!(slot.surprises.cursor) + LONGEST_SURPRISE as u64 > get!(slot.surprises.limit) && !next_chunk(slot) {
        return;
    }
    let now = clock(slot);
    let (header, length) = SurpriseHeader { key, clock: now }.encode(get!(slot.surprises.clock));
    let place = get!(slot.surprises.cursor) as *mut u8;
    for (position, byte) in
        header.into_iter().take(length).chain(value.to_le_bytes().into_iter().take(size)).enumerate()
    {
        // SAFETY: the cursor points into the chunk of surprises, and there is room for the longest before the limit, its end.
        unsafe { place.add(position).write_volatile(byte) };
    }
    compiler_fence(Ordering::SeqCst);
    // The clock last: a surprise counts once the cursor is past it, and its clock follows from the one before.
    set!(slot.surprises.cursor, place as u64 + (length + size) as u64);
    set!(slot.surprises.clock, now);
}

/// Publishes the chunk of surprises and takes the next. False when the faultline process is gone.
#[cold]
fn next_chunk(slot: Mapped<Slot>) -> bool {
    let _blocked = Blocked::new();
    let Some(shared) = shared::shared() else { return false };
    chunk::publish_surprises(&shared, slot);
    chunk::begin_surprises(&shared, slot)
}

/// The body of `__faultline_moved`.
///
/// # Safety
///
/// The slot is this thread's, and the program has just moved so many bytes.
pub unsafe extern "C" fn moved(slot: *mut Slot, to: u64, from: u64, length: u64) {
    // SAFETY: the caller vouches for the slot.
    let slot = unsafe { Mapped::at(slot) };
    let mask = get!(slot.shadow);
    if mask != 0 {
        // SAFETY: memory that the program has is shadowed there, by memory of ours.
        unsafe { move_bytes((to ^ mask) as *mut u8, (from ^ mask) as *const u8, length as usize) };
    }
}

/// `memmove`, in machine code: the symbol of that name may be the program's own and instrumented.
///
/// # Safety
///
/// So many bytes can be read at `from` and written at `to`.
unsafe fn move_bytes(to: *mut u8, from: *const u8, length: usize) {
    if length == 0 {
        return;
    }
    // SAFETY: the caller vouches for the memory. Bytes are copied from the side where none is overwritten before it was read; the
    // direction is the usual one again afterwards.
    unsafe {
        if (to as usize).wrapping_sub(from as usize) >= length {
            asm!("rep movsb", inout("rdi") to => _, inout("rsi") from => _, inout("rcx") length => _, options(nostack));
        } else {
            asm!(
                "std",
                "rep movsb",
                "cld",
                inout("rdi") to.add(length - 1) => _,
                inout("rsi") from.add(length - 1) => _,
                inout("rcx") length => _,
                options(nostack),
            );
        }
    }
}
