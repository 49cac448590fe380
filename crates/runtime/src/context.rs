//! Stacks that a program makes itself and switches between (`makecontext`, `swapcontext`): each has a slot of its own, as if
//! it were a thread. So each stream has one stack, and no call returns in a stream that has not made it.
//!
//! Which slot goes with a context is told by the stack it points to. A stack that nobody has made here is the thread's
//! own.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use abi::Slot;

use crate::current::{current_slot, set_current_slot};
use crate::lock::{Locked, lock};
use crate::mapped::Mapped;
use crate::once::of_process;
use crate::signals::Blocked;
use crate::{claim, experiment, scratch, shared, syscall};

/// A stack and its slot: none until control comes there. Of a thread's own stack it is not known where it lies; it has
/// the thread's id in place of that.
#[derive(Clone, Copy)]
struct Stack {
    start: usize,
    end: usize,
    thread: u32,
    slot: Option<Mapped<Slot>>,
}

const NO_STACK: Stack = Stack { start: 0, end: 0, thread: 0, slot: None };

impl Stack {
    fn contains(&self, address: usize) -> bool {
        (self.start..self.end).contains(&address)
    }
}

/// Stacks beyond this many count as their thread's own.
const STACKS: usize = 4096;

of_process! {
    static LOCK: AtomicBool = AtomicBool::new(false);
    static ALL: AtomicPtr<Cell<Stack>> = AtomicPtr::new(ptr::null_mut());
}

/// Whether slots matter in this process.
fn is_watched() -> bool {
    shared::shared().is_some() || experiment::is_on()
}

/// The stacks there are, for whoever has the lock.
struct Table<'a> {
    stacks: &'a [Cell<Stack>],
}

impl<'a> Table<'a> {
    /// `locked` is the lock of this file.
    fn of(_locked: &'a Locked) -> Table<'a> {
        let mut all = ALL.load(Ordering::Relaxed);
        if all.is_null() {
            all = scratch::map_area(STACKS * size_of::<Stack>()) as *mut Cell<Stack>;
            ALL.store(all, Ordering::Relaxed);
        }
        // SAFETY: mapped for so many, and it stays; zeros are no stack. Nobody else is here as long as the lock is held.
        Table { stacks: unsafe { core::slice::from_raw_parts(all, STACKS) } }
    }

    fn find(&self, is_wanted: impl Fn(&Stack) -> bool) -> Option<&'a Cell<Stack>> {
        self.stacks.iter().find(|stack| is_wanted(&stack.get()))
    }

    fn find_or_take(&self, is_wanted: impl Fn(&Stack) -> bool, fresh: Stack) -> Option<&'a Cell<Stack>> {
        self.find(is_wanted).or_else(|| {
            let free = self.find(|stack| stack.end == 0 && stack.thread == 0)?;
            free.set(fresh);
            Some(free)
        })
    }

    /// The stack at this address: one that was made, or this thread's own.
    fn at(&self, address: usize) -> Option<&'a Cell<Stack>> {
        self.find(|stack| stack.contains(address)).or_else(|| {
            let thread = syscall::thread_id();
            self.find_or_take(|stack| stack.thread == thread, Stack { thread, ..NO_STACK })
        })
    }
}

/// Puts another stack, or none, in place of one where nothing will go on.
fn replace(stack: &Cell<Stack>, by: Stack) {
    if let Some(left) = stack.replace(by).slot
        && Some(left) != current_slot()
    {
        // SAFETY: it was that stack's alone.
        unsafe { claim::give_back(left) };
    }
}

/// The program has made a context with this stack.
#[unsafe(no_mangle)]
extern "C" fn __faultline_context_made(start: usize, length: usize) {
    if !is_watched() {
        return;
    }
    let _blocked = Blocked::new();
    let locked = lock(&LOCK);
    let fresh = Stack { start, end: start.saturating_add(length), ..NO_STACK };
    if let Some(stack) = Table::of(&locked).find_or_take(|stack| stack.contains(start), fresh) {
        replace(stack, fresh);
    }
}

/// Control is about to go to another stack. `to` is an address in it.
#[unsafe(no_mangle)]
extern "C" fn __faultline_context_switch(to: usize) {
    let Some(present) = current_slot().filter(|_| is_watched()) else { return };
    let _blocked = Blocked::new();
    let locked = lock(&LOCK);
    let (stacks, here) = (Table::of(&locked), &raw const locked as usize);
    if let (Some(from), Some(to)) = (stacks.at(here), stacks.at(to))
        && !ptr::eq(from, to)
    {
        from.set(Stack { slot: Some(present), ..from.get() });
        let slot = to.get().slot.unwrap_or_else(claim::fresh);
        to.set(Stack { slot: Some(slot), ..to.get() });
        set_current_slot(Some(slot));
    }
}

/// The function of this context has returned, and control is about to go to another stack.
#[unsafe(no_mangle)]
extern "C" fn __faultline_context_over(to: usize) {
    if !is_watched() || current_slot().is_none() {
        return;
    }
    __faultline_context_switch(to);
    let _blocked = Blocked::new();
    let locked = lock(&LOCK);
    let here = &raw const locked as usize;
    if let Some(stack) = Table::of(&locked).find(|stack| stack.contains(here)) {
        replace(stack, NO_STACK);
    }
}
