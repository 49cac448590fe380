//! Obeying the plan of an experiment. It concerns the program's first thread only.
//!
//! `remaining` counts down to the next intervention, so a run pays nothing for a plan but what the clock costs anyway.
//! The plan and the mailbox are in shared memory, which a program gone wild may write to; whoever reads the outcome
//! does not trust it, and nothing here reaches beyond the plan's own length.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use abi::{AtHand, Edit, Ended, Intervention, InterventionKind, Mailbox, PlanHeader, Slot, TickKind};

use crate::experiment::{self, bytes, mailbox, plan};
use crate::mapped::{Mapped, get};
use crate::once::of_process;
use crate::shared::Shared;
use crate::slot::clock;
use crate::{edited, last_words, serve, syscall};

of_process! {
    /// The slot of the thread it concerns.
    static FIRST: AtomicPtr<Slot> = AtomicPtr::new(ptr::null_mut());
    /// The next intervention.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    /// Words of forced outcomes: where in the plan they go on, and how many are left.
    static FORCED: AtomicU32 = AtomicU32::new(0);
    static FORCED_LEFT: AtomicU32 = AtomicU32::new(0);
    /// The edit that is in force: its code (zero: none) and its number.
    static EDIT: AtomicU32 = AtomicU32::new(0);
    static EDIT_NUMBER: AtomicU64 = AtomicU64::new(0);
}

/// From now on this process obeys the plan, if there is one.
pub fn begin(shared: &Shared) {
    if experiment::begin(shared) {
        last_words::listen();
    }
}

/// From now on this process is none of the experiment's.
pub fn end() {
    experiment::end();
    serve::forget_checkpoint();
}

/// The first slot there is belongs to the first thread.
pub fn notice(slot: Mapped<Slot>) {
    if experiment::is_on() {
        let _ = FIRST.compare_exchange(ptr::null_mut(), slot.place(), Ordering::AcqRel, Ordering::Relaxed);
    }
}

fn is_first(slot: Mapped<Slot>) -> bool {
    FIRST.load(Ordering::Acquire) == slot.place()
}

/// How many ticks may pass before `due` must be called.
pub fn wait(slot: Mapped<Slot>, now: u64) -> u64 {
    let Some(plan) = plan().filter(|_| is_first(slot)) else { return u64::MAX };
    if FORCED_LEFT.load(Ordering::Relaxed) > 0 {
        edited::set_due(0);
        return 0;
    }
    let next = intervention(plan, NEXT.load(Ordering::Relaxed)).map_or(u64::MAX, |next| next.clock);
    let first = next.min(get!(plan.budget)).min(serve::checkpoint());
    if EDIT.load(Ordering::Relaxed) != 0 {
        // Every tick comes by; those of other places are sent back at the door.
        edited::set_due(first);
        return 0;
    }
    if first == u64::MAX {
        return u64::MAX;
    }
    // `due` is called by the tick that makes the clock what it waits for: the one that finds nothing remaining.
    first.saturating_sub(now).saturating_sub(1)
}

fn intervention(plan: Mapped<PlanHeader>, position: u32) -> Option<Intervention> {
    if position >= get!(plan.count) {
        return None;
    }
    let offset = position.checked_mul(size_of::<Intervention>() as u32)?.checked_add(size_of::<PlanHeader>() as u32)?;
    let place = bytes(plan, offset, size_of::<Intervention>() as u32)?;
    // SAFETY: the plan has these bytes, and any are an intervention: it is made of numbers.
    Some(unsafe { place.cast::<Intervention>().read_volatile() })
}

/// Does what the plan says of the present clock. Gives the value to go on with.
pub fn due(slot: Mapped<Slot>, at_hand: AtHand, site: *const u8, kind: TickKind) -> u64 {
    let mut value = at_hand.value;
    if !is_first(slot) {
        return value;
    }
    let now = clock(slot);
    if now >= serve::checkpoint() {
        // Returns in each child that is to go on from here.
        serve::as_checkpoint();
    }
    let (Some(plan), Some(mailbox)) = (plan(), mailbox()) else { return value };
    mailbox.clock.store(now, Ordering::Relaxed);
    loop {
        let position = NEXT.load(Ordering::Relaxed);
        let Some(next) = intervention(plan, position) else { break };
        if next.clock > now {
            break;
        }
        NEXT.store(position + 1, Ordering::Relaxed);
        // A clock that was passed over cannot be: the run has not come to its beginning.
        let obeyed = next.clock == now && obey(plan, &next, &mut value, site, kind);
        if obeyed {
            mailbox.obeyed.fetch_add(1, Ordering::Relaxed);
        } else {
            let _ = mailbox.refused.compare_exchange(0, position + 1, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
    if now >= get!(plan.budget) {
        leave(mailbox, Ended::Budget);
    }
    match edit_at(site) {
        Some(edit) => edit.apply(AtHand { value, ..at_hand }),
        None => force(plan, value, kind),
    }
}

/// The value that an edited step goes on with, if nothing else is due.
pub fn only_edited(slot: Mapped<Slot>, at_hand: AtHand, site: *const u8) -> Option<u64> {
    let is_quiet = is_first(slot) && clock(slot) < edited::due();
    if is_quiet { edit_at(site).map(|edit| edit.apply(at_hand)) } else { None }
}

/// The edit of this place.
fn edit_at(site: *const u8) -> Option<Edit> {
    if !edited::is_at(site) {
        return None;
    }
    Edit::from_code(EDIT.load(Ordering::Relaxed), EDIT_NUMBER.load(Ordering::Relaxed))
}

/// Whether the intervention could be carried out on a step of this kind.
fn obey(plan: Mapped<PlanHeader>, next: &Intervention, value: &mut u64, site: *const u8, kind: TickKind) -> bool {
    match InterventionKind::from_number(next.kind) {
        Some(InterventionKind::Switch) if kind == TickKind::Branch => *value ^= 1,
        Some(InterventionKind::Replace) if kind != TickKind::Other => *value = next.operand,
        Some(InterventionKind::Write) => return write(plan, next),
        Some(InterventionKind::Force) => {
            FORCED.store(next.offset, Ordering::Relaxed);
            FORCED_LEFT.store(next.length / 8, Ordering::Relaxed);
        }
        Some(InterventionKind::Edit) if kind != TickKind::Other && EDIT.load(Ordering::Relaxed) == 0 => {
            EDIT.store(next.length, Ordering::Relaxed);
            EDIT_NUMBER.store(next.operand, Ordering::Relaxed);
            edited::set_site(site);
        }
        Some(InterventionKind::Stop) => match mailbox() {
            Some(mailbox) => leave(mailbox, Ended::Stopped),
            None => return false,
        },
        Some(InterventionKind::Switch | InterventionKind::Replace | InterventionKind::Edit) | None => return false,
    }
    true
}

/// A place that cannot be written to would be a fault of ours, not of the program's: the kernel is asked to copy.
fn write(plan: Mapped<PlanHeader>, next: &Intervention) -> bool {
    let Some(bytes) = bytes(plan, next.offset, next.length) else { return false };
    // SAFETY: the experiment is that the program finds this in its memory. A plan names places that the program itself has
    // written or read; one that hits the runtime's own spoils a run in a sandbox, and is told as its outcome.
    unsafe { syscall::copy_within(bytes as usize, next.operand as usize, next.length as usize) }
}

/// The outcome the plan forces on this step, if any.
fn force(plan: Mapped<PlanHeader>, value: u64, kind: TickKind) -> u64 {
    let left = FORCED_LEFT.load(Ordering::Relaxed);
    if left == 0 || !matches!(kind, TickKind::Branch | TickKind::Switch) {
        return value;
    }
    let at = FORCED.load(Ordering::Relaxed);
    let Some(word) = bytes(plan, at, 8) else {
        FORCED_LEFT.store(0, Ordering::Relaxed);
        return value;
    };
    FORCED.store(at + 8, Ordering::Relaxed);
    FORCED_LEFT.store(left - 1, Ordering::Relaxed);
    // SAFETY: the plan has these bytes.
    unsafe { word.cast::<u64>().read_unaligned() }
}

/// Ends the run where it is.
pub fn leave(mailbox: &'static Mailbox, why: Ended) -> ! {
    last_words::keep(mailbox);
    mailbox.ended.store(why as u32, Ordering::SeqCst);
    syscall::exit_group(0)
}
