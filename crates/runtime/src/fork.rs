//! Forked children go on unrecorded.
//!
//! The function that called `fork` still has the address of its slot, and perhaps the cursor, in registers. So the
//! child keeps all addresses: the shared memory is replaced, in place, by private memory. The first page, which has the
//! header and the mailbox, stays: children are counted there.

use core::mem::MaybeUninit;
use core::sync::atomic::Ordering;

use abi::{Ended, NO_CHUNK, NO_STREAM, SLOTS_OFFSET, Slot};

use crate::current::current_slot;
use crate::mapped::{Mapped, get, set};
use crate::shared::{self, Shared};
use crate::signals::Blocked;
use crate::{experiment, plan, scratch, serve, syscall};

/// Arranges for children to detach. A child made by `_Fork` or by a bare system call is not noticed.
pub fn prepare() {
    // SAFETY: the function may be called in any child; where its object is closed, the C library forgets it.
    unsafe { libc::pthread_atfork(None, None, Some(detach_child)) };
}

extern "C" fn detach_child() {
    let _blocked = Blocked::new();
    if serve::is_forking() {
        return;
    }
    if let Some(mailbox) = experiment::inherited_mailbox() {
        let count = mailbox.forked.fetch_add(1, Ordering::Relaxed);
        if count >= mailbox.fork_limit.load(Ordering::Relaxed) {
            // Whoever forks beyond the limit goes, parent first: that is how it ends.
            mailbox.ended.store(Ended::Forks as u32, Ordering::SeqCst);
            let parent = syscall::parent_process_id();
            if parent > 1 {
                syscall::kill(parent as i32);
            }
            syscall::exit_group(0);
        }
    }
    plan::end();
    let Some(shared) = shared::shared() else { return };
    shared.header().forked.fetch_add(1, Ordering::Relaxed);
    shared::stop_recording();
    detach(&shared);
}

fn detach(shared: &Shared) {
    let (base, length) = (shared.base(), shared.length());
    let slot = current_slot().filter(|slot| (base..base + length).contains(&slot.address()));
    let mut scratch = shared.chunk_start(0);
    let mut copy = [const { MaybeUninit::<u64>::uninit() }; WORDS];
    if let Some(slot) = slot {
        // SAFETY: as many words as a slot has, and nobody else writes to this thread's.
        unsafe { copy_words(slot.place().cast(), copy.as_mut_ptr().cast()) };
        let chunk = get!(slot.chunk);
        if chunk < shared.header().chunk_count {
            scratch = shared.chunk_start(chunk);
        }
    }
    // SAFETY: whoever looks at this memory from here on is content with zeros; the slot, which is not, is put back below.
    if !unsafe { syscall::replace_by_private(base + SLOTS_OFFSET, length - SLOTS_OFFSET) } {
        syscall::trap();
    }
    if let Some(slot) = slot {
        // SAFETY: as many words as a slot has, of which all were set above.
        unsafe { copy_words(copy.as_ptr().cast(), slot.place().cast()) };
        set!(slot.thread, syscall::thread_id());
        make_idle(slot, scratch);
    }
}

const WORDS: usize = size_of::<Slot>() / size_of::<u64>();

/// Copies a slot. Volatile, or this would become a call of memcpy, which may be the program's own and instrumented.
///
/// # Safety
///
/// So many words can be read at `from` and written at `to`.
unsafe fn copy_words(from: *const u64, to: *mut u64) {
    for position in 0..WORDS {
        // SAFETY: the caller vouches for so many.
        unsafe { to.add(position).write_volatile(from.add(position).read_volatile()) };
    }
}

/// Entries go on where they went, which is private memory now; the next `room` begins again at `scratch`.
fn make_idle(slot: Mapped<Slot>, scratch: u64) {
    for context in 0..abi::CONTEXT_DEPTH {
        set!(slot.contexts[context].stream, NO_STREAM);
        set!(slot.contexts[context].chunk, NO_CHUNK);
    }
    set!(slot.stream, NO_STREAM);
    set!(slot.chunk, NO_CHUNK);
    if !scratch::after_fork(slot, scratch) {
        set!(slot.scratch, scratch);
    }
}
