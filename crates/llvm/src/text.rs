//! Text that LLVM gives out.

use std::ffi::{CStr, c_char};

use llvm_sys::core::LLVMDisposeMessage;

/// Copies text that LLVM keeps; there is none where it gives null.
///
/// # Safety
///
/// `start` is null, or so many bytes can be read there.
pub(crate) unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: the caller vouches for it.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a message that LLVM has made for its caller.
///
/// # Safety
///
/// `message` ends with a zero byte, was made by LLVM for its caller to dispose of, and is not used again.
pub(crate) unsafe fn owned_message(message: *mut c_char) -> String {
    // SAFETY: the caller vouches for it.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}
