//! Stacks that a program makes itself and switches between (`makecontext`, `swapcontext`): each has a slot of its own, as if
//! it were a thread. So each stream has one stack, and no call returns in a stream that has not made it.
//!
//! Which slot goes with a context is told by the stack it points to. A stack that nobody has made here is the thread's
//! own.

use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use abi::Slot;

use crate::once::of_process;
use crate::signals::Blocked;
use crate::start::lock;
use crate::trampoline::{current_slot, set_current_slot};
use crate::{plan, scratch, slot, start, syscall};

/// A stack and its slot: null until control comes there. Of a thread's own stack it is not known where it lies; it has
/// the thread's id in place of that.
#[derive(Clone, Copy)]
struct Stack {
    start: usize,
    end: usize,
    thread: u32,
    slot: *mut Slot,
}

/// Stacks beyond this many count as their thread's own.
const STACKS: usize = 4096;

of_process! {
    static LOCK: AtomicBool = AtomicBool::new(false);
    static ALL: AtomicPtr<Stack> = AtomicPtr::new(ptr::null_mut());
}

/// Whether slots matter in this process.
fn is_watched() -> bool {
    start::shared().is_some() || plan::is_on()
}

/// A place of the table; `None` when there is none of that kind.
fn find(is_wanted: impl Fn(&Stack) -> bool) -> Option<*mut Stack> {
    let mut all = ALL.load(Ordering::Relaxed);
    if all.is_null() {
        all = scratch::map_area(STACKS * size_of::<Stack>()) as *mut Stack;
        ALL.store(all, Ordering::Relaxed);
    }
    (0..STACKS).map(|place| unsafe { all.add(place) }).find(|&stack| is_wanted(unsafe { &*stack }))
}

fn find_or_take(is_wanted: impl Fn(&Stack) -> bool, fresh: Stack) -> Option<*mut Stack> {
    find(is_wanted).or_else(|| {
        let free = find(|stack| stack.end == 0 && stack.thread == 0)?;
        unsafe { free.write(fresh) };
        Some(free)
    })
}

/// The stack at this address: one that was made, or this thread's own.
fn stack_at(address: usize) -> Option<*mut Stack> {
    find(|stack| (stack.start..stack.end).contains(&address)).or_else(|| {
        let thread = syscall::thread_id();
        find_or_take(|stack| stack.thread == thread, Stack { start: 0, end: 0, thread, slot: ptr::null_mut() })
    })
}

/// The program has made a context with this stack.
#[unsafe(no_mangle)]
unsafe extern "C" fn __faultline_context_made(start: usize, length: usize) {
    if !is_watched() {
        return;
    }
    let _blocked = Blocked::new();
    let _locked = lock(&LOCK);
    let fresh = Stack { start, end: start.saturating_add(length), thread: 0, slot: ptr::null_mut() };
    if let Some(stack) = find_or_take(|stack| (stack.start..stack.end).contains(&start), fresh) {
        let left = unsafe { (*stack).slot };
        unsafe { stack.write(fresh) };
        // What ran there before will not go on.
        if !left.is_null() && left != current_slot() {
            unsafe { slot::give_back(left) };
        }
    }
}

/// Control is about to go to another stack. `to` is an address in it.
#[unsafe(no_mangle)]
unsafe extern "C" fn __faultline_context_switch(to: usize) {
    if !is_watched() || current_slot().is_null() {
        return;
    }
    let _blocked = Blocked::new();
    let _locked = lock(&LOCK);
    let here = &raw const _locked as usize;
    if let (Some(from), Some(to)) = (stack_at(here), stack_at(to))
        && from != to
    {
        unsafe {
            (*from).slot = current_slot();
            if (*to).slot.is_null() {
                (*to).slot = slot::fresh();
            }
            set_current_slot((*to).slot);
        }
    }
}

/// The function of this context has returned, and control is about to go to another stack.
#[unsafe(no_mangle)]
unsafe extern "C" fn __faultline_context_over(to: usize) {
    if !is_watched() || current_slot().is_null() {
        return;
    }
    unsafe { __faultline_context_switch(to) };
    let _blocked = Blocked::new();
    let _locked = lock(&LOCK);
    let here = &raw const _locked as usize;
    if let Some(stack) = find(|stack| (stack.start..stack.end).contains(&here)) {
        let left = unsafe { (*stack).slot };
        unsafe { stack.write(Stack { start: 0, end: 0, thread: 0, slot: ptr::null_mut() }) };
        if !left.is_null() && left != current_slot() {
            unsafe { slot::give_back(left) };
        }
    }
}
