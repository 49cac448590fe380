//! Records the runtime itself writes into a stream, all shorter than [`LONGEST`].

use abi::{RED_ZONE, Slot, Tag, check_byte};

use crate::chunk;
use crate::slot::{get, set};

const LONGEST: u64 = 16;
const _: () = assert!(LONGEST < RED_ZONE as u64);

/// Outside code entered the instrumented function at `entry`.
pub unsafe fn entered(slot: *mut Slot, entry: u64) {
    unsafe {
        let place = begin(slot, Tag::Entered);
        place.add(2).cast::<u64>().write_unaligned(entry);
        advance(slot, 10);
    }
}

/// `Setjmp` or `Landed`, up to the result.
pub unsafe fn arrived(slot: *mut Slot, tag: Tag, frame: u64, instruction: u32) {
    unsafe {
        let place = begin(slot, tag);
        place.add(2).cast::<u64>().write_unaligned(frame);
        place.add(10).cast::<u32>().write_unaligned(instruction);
        advance(slot, 14);
    }
}

/// Control left this handler's stream for good.
pub unsafe fn left(slot: *mut Slot) {
    unsafe {
        begin(slot, Tag::Left);
        advance(slot, 2);
    }
}

/// Makes room for the record, and behind it for the straight line of entries that follows; writes its first bytes.
unsafe fn begin(slot: *mut Slot, tag: Tag) -> *mut u8 {
    unsafe {
        if get!(slot.cursor) + LONGEST > get!(slot.limit) {
            chunk::room(slot);
        }
        let place = get!(slot.cursor) as *mut u8;
        place.write(tag as u8);
        place.add(1).write(check_byte(get!(slot.hash)));
        place
    }
}

unsafe fn advance(slot: *mut Slot, length: u64) {
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
    unsafe { set!(slot.cursor, get!(slot.cursor) + length) };
}
