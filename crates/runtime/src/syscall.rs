//! System calls, made directly: they must not touch `errno`, and must not be something the program replaced.

use core::arch::asm;
use core::sync::atomic::AtomicU32;

/// The raw call. An error is a value from -4095 to -1.
pub unsafe fn call(number: i64, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    let result: isize;
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

pub fn failed(result: isize) -> bool {
    (-4095..0).contains(&result)
}

pub fn thread_id() -> u32 {
    unsafe { call(libc::SYS_gettid, 0, 0, 0, 0, 0, 0) as u32 }
}

pub fn process_id() -> u32 {
    unsafe { call(libc::SYS_getpid, 0, 0, 0, 0, 0, 0) as u32 }
}

pub fn parent_process_id() -> u32 {
    unsafe { call(libc::SYS_getppid, 0, 0, 0, 0, 0, 0) as u32 }
}

/// Private zeroed memory, at `hint` if that is free; `None` when there is none to be had.
pub fn map_private(hint: usize, length: usize) -> Option<*mut u8> {
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE) as usize;
    let result = unsafe { call(libc::SYS_mmap, hint, length, protection, flags, usize::MAX, 0) };
    if failed(result) { None } else { Some(result as *mut u8) }
}

/// Maps private zeroed memory just there, where nothing is mapped.
pub fn map_fixed(address: usize, length: usize) -> bool {
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE) as usize;
    let result = unsafe { call(libc::SYS_mmap, address, length, protection, flags, usize::MAX, 0) };
    result == address as isize
}

/// Replaces whatever is mapped there by private zeroed memory.
pub unsafe fn replace_by_private(address: usize, length: usize) -> bool {
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED) as usize;
    let result = unsafe { call(libc::SYS_mmap, address, length, protection, flags, usize::MAX, 0) };
    !failed(result)
}

/// Maps the file shared, at `address` if that is free and anywhere otherwise.
pub fn map_shared(address: usize, length: usize, file: i32) -> Option<*mut u8> {
    let protection = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    for (hint, extra) in [(address, libc::MAP_FIXED_NOREPLACE), (0, 0)] {
        let flags = (libc::MAP_SHARED | extra) as usize;
        let result = unsafe { call(libc::SYS_mmap, hint, length, protection, flags, file as usize, 0) };
        if !failed(result) {
            return Some(result as *mut u8);
        }
    }
    None
}

pub unsafe fn unmap(address: usize, length: usize) {
    unsafe { call(libc::SYS_munmap, address, length, 0, 0, 0, 0) };
}

/// Makes private memory zero again.
pub unsafe fn discard(address: usize, length: usize) {
    unsafe { call(libc::SYS_madvise, address, length, libc::MADV_DONTNEED as usize, 0, 0, 0) };
}

pub fn close(file: i32) {
    unsafe { call(libc::SYS_close, file as usize, 0, 0, 0, 0, 0) };
}

/// Waits until the word is no longer `seen`, someone wakes us, or the time is over.
pub fn futex_wait(word: &AtomicU32, seen: u32, milliseconds: i64) {
    let timeout = libc::timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 };
    let word = word.as_ptr() as usize;
    let timeout = &raw const timeout as usize;
    unsafe { call(libc::SYS_futex, word, libc::FUTEX_WAIT as usize, seen as usize, timeout, 0, 0) };
}

pub fn futex_wake(word: &AtomicU32, count: usize) {
    unsafe { call(libc::SYS_futex, word.as_ptr() as usize, libc::FUTEX_WAKE as usize, count, 0, 0, 0) };
}

pub fn trap() -> ! {
    unsafe { asm!("ud2", options(noreturn)) }
}
