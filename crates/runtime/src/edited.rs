//! What the door of `__faultline_tick` asks about an edit.

use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use crate::once::of_process;

of_process! {
    /// The place that is edited.
    pub static SITE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
    /// The clock at which something else is due. Zero, as long as there is no edit: nobody is sent back.
    pub static DUE: AtomicU64 = AtomicU64::new(0);
}

pub fn set_site(site: *const u8) {
    SITE.store(site.cast_mut(), Ordering::Relaxed);
}

pub fn is_at(site: *const u8) -> bool {
    !site.is_null() && SITE.load(Ordering::Relaxed).cast_const() == site
}

pub fn due() -> u64 {
    DUE.load(Ordering::Relaxed)
}

pub fn set_due(clock: u64) {
    DUE.store(clock, Ordering::Relaxed);
}
