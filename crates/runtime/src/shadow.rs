//! Shadows: where they lie in the address space, and who has which.

use core::sync::atomic::{AtomicU32, Ordering};

use abi::{PROGRAM_WINDOWS, SHADOW_COUNT, shadow_masks};

use crate::process::of_process;
use crate::syscall;

const MASKS: ([u64; SHADOW_COUNT], usize) = shadow_masks();
const WINDOW: usize = 1 << 40;

of_process! {
    /// One bit for each mask in use.
    static TAKEN: AtomicU32 = AtomicU32::new(0);
}

/// A mask nobody has, its shadow mapped and zero. `None` when there is none, or no address space for it.
pub fn acquire() -> Option<u64> {
    let index = (0..MASKS.1).find(|&index| TAKEN.fetch_or(1 << index, Ordering::AcqRel) & (1 << index) == 0)?;
    let mask = MASKS.0[index];
    for (done, window) in PROGRAM_WINDOWS.into_iter().enumerate() {
        if !syscall::map_fixed(shadow_window(window, mask), WINDOW) {
            for window in PROGRAM_WINDOWS.into_iter().take(done) {
                unsafe { syscall::unmap(shadow_window(window, mask), WINDOW) };
            }
            TAKEN.fetch_and(!(1 << index), Ordering::AcqRel);
            return None;
        }
    }
    Some(mask)
}

/// Gives a mask back; its memory is gone.
pub fn release(mask: u64) {
    let Some(index) = MASKS.0.iter().take(MASKS.1).position(|&m| m == mask) else { return };
    for window in PROGRAM_WINDOWS {
        unsafe { syscall::unmap(shadow_window(window, mask), WINDOW) };
    }
    TAKEN.fetch_and(!(1 << index), Ordering::AcqRel);
}

/// Makes a shadow zero again, as if nothing had been stored or loaded.
pub fn forget(mask: u64) {
    for window in PROGRAM_WINDOWS {
        unsafe { syscall::discard(shadow_window(window, mask), WINDOW) };
    }
}

fn shadow_window(window: u64, mask: u64) -> usize {
    ((window << 40) ^ mask) as usize
}
