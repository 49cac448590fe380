//! The experiment this process is part of: its plan and its mailbox, in the shared memory.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use abi::{Mailbox, PlanHeader};

use crate::mapped::{Mapped, get};
use crate::once::of_process;
use crate::shared::{self, Shared};

of_process! {
    static PLAN: AtomicPtr<PlanHeader> = AtomicPtr::new(ptr::null_mut());
    /// How many bytes of memory there are for it.
    static ROOM: AtomicUsize = AtomicUsize::new(0);
    static MAILBOX: AtomicPtr<Mailbox> = AtomicPtr::new(ptr::null_mut());
}

/// From now on this process is part of the experiment, if there is one. Gives whether there is.
pub fn begin(shared: &Shared) -> bool {
    let Some((plan, room)) = shared.plan() else { return false };
    MAILBOX.store((&raw const *shared.mailbox()).cast_mut(), Ordering::Relaxed);
    ROOM.store(room, Ordering::Relaxed);
    PLAN.store(plan.place(), Ordering::Release);
    true
}

/// From now on this process is none of the experiment's.
pub fn end() {
    PLAN.store(ptr::null_mut(), Ordering::Release);
}

/// The shared memory of a process that is recorded or part of an experiment.
pub fn shared() -> Option<Shared> {
    shared::shared().or_else(|| inherited_mailbox().map(Shared::with))
}

pub fn is_on() -> bool {
    plan().is_some()
}

/// The plan this process obeys.
pub fn plan() -> Option<Mapped<PlanHeader>> {
    let plan = PLAN.load(Ordering::Acquire);
    // SAFETY: `begin` got it from the shared memory, which stays.
    (!plan.is_null()).then(|| unsafe { Mapped::at(plan) })
}

/// The mailbox of the experiment whose plan this process obeys.
pub fn mailbox() -> Option<&'static Mailbox> {
    if is_on() { inherited_mailbox() } else { None }
}

/// The mailbox of the experiment this process, or one it descends from, is part of.
pub fn inherited_mailbox() -> Option<&'static Mailbox> {
    // SAFETY: null, or in the shared memory, which stays; it is made of atomic numbers.
    unsafe { MAILBOX.load(Ordering::Relaxed).as_ref() }
}

/// When the experiment begins, in nanoseconds since 1970.
pub fn epoch() -> Option<u64> {
    plan().map(|plan| get!(plan.epoch))
}

/// What every byte of a local is before it is assigned; zero: whatever is there.
pub fn fills() -> u64 {
    plan().map_or(0, |plan| get!(plan.fills))
}

/// Bytes of the plan, if it has them: they can be read, whatever the program has made of the plan.
pub fn bytes(plan: Mapped<PlanHeader>, offset: u32, length: u32) -> Option<*const u8> {
    let end = offset.checked_add(length)?;
    let is_there = end <= get!(plan.length) && end as usize <= ROOM.load(Ordering::Relaxed);
    is_there.then(|| plan.place().cast::<u8>().wrapping_add(offset as usize).cast_const())
}
