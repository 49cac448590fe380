//! The start: joining the faultline process, or finding that nobody records.
//!
//! Runs once, at the first registration or the first instrumented function, whichever comes first; that is in a
//! constructor. When the variable is absent this costs one look through the environment.

use core::ffi::c_char;
use core::sync::atomic::{AtomicBool, Ordering};

use abi::{MODE_SERVE, SHARED_VARIABLE, VERSION};

use crate::lock::lock;
use crate::once::{self, of_process};
use crate::{fork, keeper, plan, serve, shared, syscall};

of_process! {
    static STARTED: AtomicBool = AtomicBool::new(false);
    static LOCK: AtomicBool = AtomicBool::new(false);
}

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// Starts the runtime if that has not happened. Signals must be blocked. `before_serving`: what a server does once, and
/// not each of its children.
pub fn start(before_serving: impl FnOnce()) {
    once::join();

    if STARTED.load(Ordering::Acquire) && keeper::is_there() {
        return;
    }
    let _locked = lock(&LOCK);
    keeper::become_keeper();
    if STARTED.load(Ordering::Acquire) {
        return;
    }
    if let Some(file) = take_variable() {
        let attached = shared::attach(file);
        // The mapping is enough; a program gone wild could do more with the file.
        syscall::close(file);
        if let Some(shared) = attached {
            fork::prepare();
            plan::begin(&shared);
            if shared.header().mode == MODE_SERVE {
                before_serving();
                // Returns in each child; none of them is recorded.
                serve::serve(&shared);
            } else {
                shared.begin_recording();
            }
        }
    }
    STARTED.store(true, Ordering::Release);
}

/// The file descriptor the variable names. Removes the variable: programs this one starts go on unrecorded.
fn take_variable() -> Option<i32> {
    // SAFETY: `environ` is null or a list of texts that end with a zero byte, itself ended by a null; this runs before the program's
    // own code, so nobody changes it meanwhile.
    unsafe {
        if environ.is_null() {
            return None;
        }
        let mut place = environ;
        while !(*place).is_null() {
            if let Some(value) = value_of(*place) {
                let mut next = place;
                while !(*next).is_null() {
                    *next = *next.add(1);
                    next = next.add(1);
                }
                return parse(value);
            }
            place = place.add(1);
        }
        None
    }
}

/// What follows `FAULTLINE_SHARED=`.
///
/// # Safety
///
/// The text ends with a zero byte.
unsafe fn value_of(entry: *const c_char) -> Option<*const c_char> {
    let mut place = entry;
    for &byte in SHARED_VARIABLE.as_bytes().iter().chain(b"=") {
        // SAFETY: all bytes before were those of the name, none of which is zero; so the text has not ended before this one.
        unsafe {
            if *place as u8 != byte {
                return None;
            }
            place = place.add(1);
        }
    }
    Some(place)
}

/// `VERSION:FD`; `None` when the version is not ours.
///
/// # Safety
///
/// The text ends with a zero byte.
unsafe fn parse(mut text: *const c_char) -> Option<i32> {
    let mut next = || {
        // SAFETY: the text stays at its zero byte once it is there.
        unsafe {
            let byte = *text as u8;
            text = text.add(usize::from(byte != 0));
            byte
        }
    };
    let mut number = || {
        let mut value = 0u32;
        let mut digits = 0;
        loop {
            let byte = next();
            if !byte.is_ascii_digit() {
                return if digits == 0 { None } else { Some((value, byte)) };
            }
            value = value.checked_mul(10)?.checked_add((byte - b'0') as u32)?;
            digits += 1;
        }
    };
    let (version, separator) = number()?;
    let (file, end) = number()?;
    if version == VERSION && separator == b':' && end == 0 { i32::try_from(file).ok() } else { None }
}
