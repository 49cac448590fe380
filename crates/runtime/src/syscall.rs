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

/// Whether eight bytes can be read there. The kernel copies what it is told to block before it refuses to know how.
pub fn is_readable(address: usize) -> bool {
    let result = unsafe { call(libc::SYS_rt_sigprocmask, usize::MAX, address, 0, 8, 0, 0) };
    result != -(libc::EFAULT as isize)
}

/// Whether nothing is mapped in that range.
pub fn is_free(address: usize, length: usize) -> bool {
    let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE) as usize;
    let none = libc::PROT_NONE as usize;
    let is_free = unsafe { call(libc::SYS_mmap, address, length, none, flags, usize::MAX, 0) } == address as isize;
    if is_free {
        unsafe { unmap(address, length) };
    }
    is_free
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

/// Nobody may read or write there.
pub unsafe fn forbid(address: usize, length: usize) {
    unsafe { call(libc::SYS_mprotect, address, length, libc::PROT_NONE as usize, 0, 0, 0) };
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

pub fn exit_group(status: usize) -> ! {
    unsafe { call(libc::SYS_exit_group, status, 0, 0, 0, 0, 0) };
    trap()
}

/// Copies memory of this process; false where a place cannot be read or written. The kernel copies, through a pipe: it
/// refuses where we would fault.
pub fn copy_within(from: usize, to: usize, length: usize) -> bool {
    /// A pipe holds at least a page.
    const MOST: usize = 4096;
    let mut ends = [0i32; 2];
    if failed(unsafe { call(libc::SYS_pipe2, ends.as_mut_ptr() as usize, libc::O_CLOEXEC as usize, 0, 0, 0, 0) }) {
        return false;
    }
    let [read_end, write_end] = ends;
    let mut done = 0;
    while done < length {
        let part = (length - done).min(MOST);
        let given = unsafe { call(libc::SYS_write, write_end as usize, from + done, part, 0, 0, 0) };
        let taken = unsafe { call(libc::SYS_read, read_end as usize, to + done, part, 0, 0, 0) };
        if given != part as isize || taken != part as isize {
            break;
        }
        done += part;
    }
    close(read_end);
    close(write_end);
    done == length
}

/// Reads numbers from a pipe; false when nobody writes any more.
pub fn read_whole<T>(file: i32, to: &mut T) -> bool {
    let (place, length) = (&raw mut *to as usize, size_of::<T>());
    transfer(libc::SYS_read, file, place, length)
}

pub fn write_whole<T>(file: i32, from: &T) -> bool {
    let (place, length) = (&raw const *from as usize, size_of::<T>());
    transfer(libc::SYS_write, file, place, length)
}

fn transfer(number: i64, file: i32, place: usize, length: usize) -> bool {
    let mut done = 0;
    while done < length {
        let count = unsafe { call(number, file as usize, place + done, length - done, 0, 0, 0) };
        if count == -(libc::EINTR as isize) {
            continue;
        }
        if count <= 0 {
            return false;
        }
        done += count as usize;
    }
    true
}

/// Whether others of the same user may look into this process.
pub fn set_dumpable(may: bool) {
    unsafe { call(libc::SYS_prctl, libc::PR_SET_DUMPABLE as usize, may as usize, 0, 0, 0, 0) };
}

pub fn position(file: i32) -> isize {
    unsafe { call(libc::SYS_lseek, file as usize, 0, libc::SEEK_CUR as usize, 0, 0, 0) }
}

pub fn set_position(file: i32, position: isize) {
    unsafe { call(libc::SYS_lseek, file as usize, position as usize, libc::SEEK_SET as usize, 0, 0, 0) };
}

/// The flags a file was opened with; `None` if there is no such descriptor.
pub fn flags(file: i32) -> Option<i32> {
    let flags = unsafe { call(libc::SYS_fcntl, file as usize, libc::F_GETFL as usize, 0, 0, 0, 0) };
    (!failed(flags)).then_some(flags as i32)
}

pub fn set_flags(file: i32, flags: i32) {
    unsafe { call(libc::SYS_fcntl, file as usize, libc::F_SETFL as usize, flags as usize, 0, 0, 0) };
}

/// What kind of file it is.
pub fn mode(file: i32) -> Option<u32> {
    let mut status: libc::stat = unsafe { core::mem::zeroed() };
    let result = unsafe { call(libc::SYS_fstat, file as usize, &raw mut status as usize, 0, 0, 0, 0) };
    (!failed(result)).then_some(status.st_mode)
}

/// A limit, soft and hard.
pub fn limits(which: usize) -> [u64; 2] {
    let mut limits = [0u64; 2];
    unsafe { call(libc::SYS_prlimit64, 0, which, 0, limits.as_mut_ptr() as usize, 0, 0) };
    limits
}

pub fn limit(which: usize, limits: [u64; 2]) {
    unsafe { call(libc::SYS_prlimit64, 0, which, limits.as_ptr() as usize, 0, 0, 0) };
}

/// Waits for any child; gives its id, or a negative error.
pub fn wait(status: &mut i32, usage: &mut libc::rusage) -> i32 {
    let (status, usage) = (&raw mut *status as usize, &raw mut *usage as usize);
    let options = libc::__WALL as usize;
    loop {
        let gone = unsafe { call(libc::SYS_wait4, usize::MAX, status, options, usage, 0, 0) };
        if gone != -(libc::EINTR as isize) {
            return gone as i32;
        }
    }
}

/// Whether the child ends before so many milliseconds have passed.
pub fn wait_readable(child: i32, milliseconds: u32) -> bool {
    let file = unsafe { call(libc::SYS_pidfd_open, child as usize, 0, 0, 0, 0, 0) };
    if failed(file) {
        return true;
    }
    let mut polled = libc::pollfd { fd: file as i32, events: libc::POLLIN, revents: 0 };
    let timeout =
        libc::timespec { tv_sec: i64::from(milliseconds / 1000), tv_nsec: i64::from(milliseconds % 1000) * 1_000_000 };
    let (polled, timeout) = (&raw mut polled as usize, &raw const timeout as usize);
    let ready = unsafe { call(libc::SYS_ppoll, polled, 1, timeout, 0, 8, 0) };
    close(file as i32);
    ready != 0
}

pub fn kill(process: i32) {
    unsafe { call(libc::SYS_kill, process as usize, libc::SIGKILL as usize, 0, 0, 0, 0) };
}

/// Sends this thread a signal.
pub fn signal_self(signal: i32) {
    unsafe {
        let thread = call(libc::SYS_gettid, 0, 0, 0, 0, 0, 0);
        let process = call(libc::SYS_getpid, 0, 0, 0, 0, 0, 0);
        call(libc::SYS_tgkill, process as usize, thread as usize, signal as usize, 0, 0, 0);
    }
}

/// Kills every process of the namespace but the first and this one. Says whether there was any.
pub fn kill_everybody() -> bool {
    let result = unsafe { call(libc::SYS_kill, usize::MAX, libc::SIGKILL as usize, 0, 0, 0, 0) };
    !failed(result)
}
