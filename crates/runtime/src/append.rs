//! Records the runtime itself writes into a stream, all shorter than [`LONGEST`].

use abi::{RED_ZONE, Slot, Tag, check_byte};

use crate::chunk;
use crate::mapped::{Mapped, get, set};

const LONGEST: u64 = 16;
const _: () = assert!(LONGEST < RED_ZONE as u64);

/// Outside code entered the instrumented function at `entry`.
pub fn entered(slot: Mapped<Slot>, entry: u64) {
    let place = begin(slot, Tag::Entered);
    // SAFETY: there is room for a record.
    unsafe { place.add(2).cast::<u64>().write_unaligned(entry) };
    advance(slot, 10);
}

/// `Setjmp` or `Landed`, up to the result.
pub fn arrived(slot: Mapped<Slot>, tag: Tag, frame: u64, instruction: u32) {
    let place = begin(slot, tag);
    // SAFETY: there is room for a record.
    unsafe {
        place.add(2).cast::<u64>().write_unaligned(frame);
        place.add(10).cast::<u32>().write_unaligned(instruction);
    }
    advance(slot, 14);
}

/// Control left this handler's stream for good.
pub fn left(slot: Mapped<Slot>) {
    begin(slot, Tag::Left);
    advance(slot, 2);
}

/// Makes room for the record, and behind it for the straight line of entries that follows; writes its first bytes. Gives
/// where it begins: [`LONGEST`] bytes can be written there.
fn begin(slot: Mapped<Slot>, tag: Tag) -> *mut u8 {
    if get!(slot.cursor) + LONGEST > get!(slot.limit) {
        chunk::make_room(slot);
    }
    let place = get!(slot.cursor) as *mut u8;
    let check = check_byte(get!(slot.hash));
    // SAFETY: the cursor points into the slot's chunk or scratch, whose end is further than the limit.
    unsafe {
        place.write(tag as u8);
        place.add(1).write(check);
    }
    place
}

fn advance(slot: Mapped<Slot>, length: u64) {
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
    set!(slot.cursor, get!(slot.cursor) + length);
}
