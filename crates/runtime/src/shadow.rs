//! Shadows: where they lie in the address space, and who has which.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};

use abi::{PROGRAM_WINDOWS, SHADOW_COUNT, WINDOW, shadow_masks};

use crate::once::of_process;
use crate::ranges::{FURTHER, YIELDED};
use crate::syscall;

/// A static: a constant would be copied to be gone through, by a call of memcpy, which may be the program's own.
static MASKS: ([u64; SHADOW_COUNT], usize) = shadow_masks();

of_process! {
    /// One bit for each mask in use.
    static TAKEN: AtomicU32 = AtomicU32::new(0);
}

/// A mask nobody has, its shadow mapped and zero. `None` when there is none, or no address space for it.
pub fn acquire() -> Option<u64> {
    let index = (0..MASKS.1).find(|&index| TAKEN.fetch_or(1 << index, Ordering::AcqRel) & (1 << index) == 0)?;
    let mask = MASKS.0[index];
    let mapped = Cell::new(0);
    let pieces = Cell::new(0);
    each_piece(mask, |start, end| {
        if mapped.get() == pieces.get() && syscall::map_fixed(start, end - start) {
            mapped.set(mapped.get() + 1);
        }
        pieces.set(pieces.get() + 1);
    });
    if mapped.get() == pieces.get() {
        return Some(mask);
    }
    // The place of the next piece is somebody else's.
    each_piece(mask, |start, end| {
        if mapped.get() > 0 {
            // SAFETY: mapped above, and nobody has the mask.
            unsafe { syscall::unmap(start, end - start) };
            mapped.set(mapped.get() - 1);
        }
    });
    TAKEN.fetch_and(!(1 << index), Ordering::AcqRel);
    None
}

/// Gives a mask back; its memory is gone.
pub fn release(mask: u64) {
    let Some(index) = MASKS.0.iter().take(MASKS.1).position(|&m| m == mask) else { return };
    // SAFETY: the shadow of a mask that nobody has any more.
    each_piece(mask, |start, end| unsafe { syscall::unmap(start, end - start) });
    TAKEN.fetch_and(!(1 << index), Ordering::AcqRel);
}

/// Makes a shadow zero again, as if nothing had been stored or loaded.
pub fn forget(mask: u64) {
    // SAFETY: a shadow may be zero at any time: that costs surprises.
    each_piece(mask, |start, end| unsafe { syscall::discard(start, end - start) });
}

/// Gives a range of the program's memory a shadow in every mask that is in use. False if there is no place for one.
pub fn extend(start: usize, end: usize) -> bool {
    let masks = || taken().map(|mask| (start ^ mask as usize, end - start));
    let missing = masks().position(|(start, length)| !syscall::map_fixed(start, length));
    if let Some(done) = missing {
        // SAFETY: mapped above; the program has nothing there yet that would be shadowed.
        masks().take(done).for_each(|(start, length)| unsafe { syscall::unmap(start, length) });
    }
    missing.is_none()
}

/// Where shadows lie, with their masks.
pub fn places() -> impl Iterator<Item = (usize, usize, u64)> {
    taken().flat_map(|mask| ranges(mask).map(move |(start, end)| (start, end, mask)))
}

fn taken() -> impl Iterator<Item = u64> {
    let taken = TAKEN.load(Ordering::Acquire);
    MASKS.0.iter().take(MASKS.1).enumerate().filter(move |(index, _)| taken >> index & 1 != 0).map(|(_, &mask)| mask)
}

/// The shadow of the program's windows, and of what it has mapped elsewhere.
fn ranges(mask: u64) -> impl Iterator<Item = (usize, usize)> {
    let windows = PROGRAM_WINDOWS.into_iter().map(|window| (window as usize * WINDOW, (window as usize + 1) * WINDOW));
    windows.chain(FURTHER.iter()).map(move |(start, end)| {
        let first = start ^ mask as usize;
        (first, first + (end - start))
    })
}

/// Calls `act` on the parts of a shadow that the program was not given.
fn each_piece(mask: u64, act: impl Fn(usize, usize)) {
    for (start, end) in ranges(mask) {
        let mut from = start;
        while from < end {
            let inside = YIELDED.iter().filter(|&(first, last)| first < end && last > from);
            let (first, last) = inside.min().unwrap_or((end, end));
            if from < first {
                act(from, first);
            }
            from = last;
        }
    }
}
