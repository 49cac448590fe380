//! System calls, made directly: they must not touch `errno`, and must not be something the program replaced.

use core::arch::asm;
use core::ffi::CStr;
use core::sync::atomic::AtomicU32;

/// The raw call. An error is a value from -4095 to -1.
///
/// # Safety
///
/// What the kernel is asked to do with memory of this process must be sound: it writes only where the caller may, and takes
/// no memory away that is in use.
pub unsafe fn call(number: i64, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> isize {
    let result: isize;
    // SAFETY: the kernel changes `rax`, `rcx` and `r11`, and memory as the caller vouches.
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

/// A call to which all arguments are numbers.
fn call_of_numbers<const NUMBER: i64>(a: usize, b: usize, c: usize) -> isize {
    const {
        assert!(matches!(
            NUMBER,
            libc::SYS_gettid
                | libc::SYS_getpid
                | libc::SYS_getppid
                | libc::SYS_close
                | libc::SYS_lseek
                | libc::SYS_pidfd_open
                | libc::SYS_kill
                | libc::SYS_tgkill
                | libc::SYS_exit_group
        ))
    };
    // SAFETY: these calls know of no memory.
    unsafe { call(NUMBER, a, b, c, 0, 0, 0) }
}

pub fn failed(result: isize) -> bool {
    (-4095..0).contains(&result)
}

pub fn thread_id() -> u32 {
    call_of_numbers::<{ libc::SYS_gettid }>(0, 0, 0) as u32
}

pub fn process_id() -> u32 {
    call_of_numbers::<{ libc::SYS_getpid }>(0, 0, 0) as u32
}

pub fn parent_process_id() -> u32 {
    call_of_numbers::<{ libc::SYS_getppid }>(0, 0, 0) as u32
}

const READ_WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
const PRIVATE: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
const NO_FILE: i32 = -1;

/// Maps memory where nothing is mapped. Gives the address, or an error.
fn map(address: usize, length: usize, protection: i32, flags: i32, file: i32) -> isize {
    let flags = flags & !libc::MAP_FIXED;
    // SAFETY: without that flag the kernel leaves alone what is mapped.
    unsafe { call(libc::SYS_mmap, address, length, protection as usize, flags as usize, file as isize as usize, 0) }
}

/// Private zeroed memory, at `hint` if that is free; `None` when there is none to be had.
pub fn map_private(hint: usize, length: usize) -> Option<*mut u8> {
    let result = map(hint, length, READ_WRITE, PRIVATE, NO_FILE);
    if failed(result) { None } else { Some(result as *mut u8) }
}

/// Maps private zeroed memory just there, where nothing is mapped.
pub fn map_fixed(address: usize, length: usize) -> bool {
    map(address, length, READ_WRITE, PRIVATE | libc::MAP_FIXED_NOREPLACE, NO_FILE) == address as isize
}

/// Whether eight bytes can be read there. The kernel copies what it is told to block before it refuses to know how.
pub fn is_readable(address: usize) -> bool {
    // SAFETY: the kernel reads there, if it can, and writes nothing.
    let result = unsafe { call(libc::SYS_rt_sigprocmask, usize::MAX, address, 0, 8, 0, 0) };
    result != -(libc::EFAULT as isize)
}

/// Whether nothing is mapped in that range.
pub fn is_free(address: usize, length: usize) -> bool {
    let flags = PRIVATE | libc::MAP_FIXED_NOREPLACE;
    let is_free = map(address, length, libc::PROT_NONE, flags, NO_FILE) == address as isize;
    if is_free {
        // SAFETY: it was mapped just now, for nobody.
        unsafe { unmap(address, length) };
    }
    is_free
}

/// Replaces whatever is mapped there by private zeroed memory.
///
/// # Safety
///
/// What lay there may become zero.
pub unsafe fn replace_by_private(address: usize, length: usize) -> bool {
    let (protection, flags) = (READ_WRITE as usize, (PRIVATE | libc::MAP_FIXED) as usize);
    // SAFETY: the caller vouches for what is replaced.
    let result = unsafe { call(libc::SYS_mmap, address, length, protection, flags, usize::MAX, 0) };
    !failed(result)
}

/// Maps the file shared, at `address` if that is free and anywhere otherwise.
pub fn map_shared(address: usize, length: usize, file: i32) -> Option<*mut u8> {
    for (hint, extra) in [(address, libc::MAP_FIXED_NOREPLACE), (0, 0)] {
        let result = map(hint, length, READ_WRITE, libc::MAP_SHARED | extra, file);
        if !failed(result) {
            return Some(result as *mut u8);
        }
    }
    None
}

/// # Safety
///
/// Nobody uses that memory any more.
pub unsafe fn unmap(address: usize, length: usize) {
    // SAFETY: the caller vouches for it.
    unsafe { call(libc::SYS_munmap, address, length, 0, 0, 0, 0) };
}

/// Nobody may read or write there.
///
/// # Safety
///
/// Nobody uses that memory any more.
pub unsafe fn forbid(address: usize, length: usize) {
    // SAFETY: the caller vouches for it.
    unsafe { call(libc::SYS_mprotect, address, length, libc::PROT_NONE as usize, 0, 0, 0) };
}

/// Makes private memory zero again.
///
/// # Safety
///
/// What lay there may become zero.
pub unsafe fn discard(address: usize, length: usize) {
    // SAFETY: the caller vouches for it.
    unsafe { call(libc::SYS_madvise, address, length, libc::MADV_DONTNEED as usize, 0, 0, 0) };
}

pub fn close(file: i32) {
    call_of_numbers::<{ libc::SYS_close }>(file as usize, 0, 0);
}

/// Opens a file for reading; gives its descriptor.
pub fn open_to_read(path: &CStr) -> Option<i32> {
    let (at, flags) = (libc::AT_FDCWD as usize, (libc::O_RDONLY | libc::O_CLOEXEC) as usize);
    // SAFETY: the kernel reads the path, which ends with a zero byte.
    let file = unsafe { call(libc::SYS_openat, at, path.as_ptr() as usize, flags, 0, 0, 0) };
    (!failed(file)).then_some(file as i32)
}

/// Reads some bytes; gives how many, none at the end or where that fails.
pub fn read_some(file: i32, to: &mut [u8]) -> usize {
    // SAFETY: the kernel writes into the slice, and no further.
    let count = unsafe { call(libc::SYS_read, file as usize, to.as_mut_ptr() as usize, to.len(), 0, 0, 0) };
    if count > 0 { count as usize } else { 0 }
}

/// Waits until the word is no longer `seen`, someone wakes us, or the time is over.
pub fn futex_wait(word: &AtomicU32, seen: u32, milliseconds: i64) {
    let timeout = libc::timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 };
    let word = word.as_ptr() as usize;
    let timeout = &raw const timeout as usize;
    // SAFETY: the kernel reads the word and the time, which live until it returns.
    unsafe { call(libc::SYS_futex, word, libc::FUTEX_WAIT as usize, seen as usize, timeout, 0, 0) };
}

pub fn futex_wake(word: &AtomicU32, count: usize) {
    // SAFETY: the word is known by its address only.
    unsafe { call(libc::SYS_futex, word.as_ptr() as usize, libc::FUTEX_WAKE as usize, count, 0, 0, 0) };
}

pub fn trap() -> ! {
    // SAFETY: the program ends here, or in a handler of its own.
    unsafe { asm!("ud2", options(noreturn)) }
}

pub fn exit_group(status: usize) -> ! {
    call_of_numbers::<{ libc::SYS_exit_group }>(status, 0, 0);
    trap()
}

/// Copies memory of this process; false where a place cannot be read or written. The kernel copies, through a pipe: it
/// refuses where we would fault.
///
/// # Safety
///
/// What lies at `to` may change.
pub unsafe fn copy_within(from: usize, to: usize, length: usize) -> bool {
    /// A pipe holds at least a page.
    const MOST: usize = 4096;
    let mut ends = [0i32; 2];
    // SAFETY: the kernel writes two descriptors, for which there is room.
    let made = unsafe { call(libc::SYS_pipe2, ends.as_mut_ptr() as usize, libc::O_CLOEXEC as usize, 0, 0, 0, 0) };
    if failed(made) {
        return false;
    }
    let [read_end, write_end] = ends;
    let mut done = 0;
    while done < length {
        let part = (length - done).min(MOST);
        // SAFETY: the kernel reads there, if it can.
        let given = unsafe { call(libc::SYS_write, write_end as usize, from + done, part, 0, 0, 0) };
        // SAFETY: the kernel writes where the caller said it may.
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

/// What is sent through pipes as it stands in memory.
///
/// # Safety
///
/// It is made of numbers without gaps: any bytes are a value of it, and each of its bytes is set.
pub unsafe trait Message {}

// SAFETY: numbers of 32 and 64 bits, these aligned; the assertions see that there are no gaps.
unsafe impl Message for abi::Asked {}
const _: () = assert!(size_of::<abi::Asked>() == 2 * 4 + 3 * 8);

// SAFETY: as above.
unsafe impl Message for abi::Answered {}
const _: () = assert!(size_of::<abi::Answered>() == 2 * 4 + 8 + 2 * 4);

/// Reads a message from a pipe; false when nobody writes any more.
pub fn read_whole<T: Message>(file: i32, to: &mut T) -> bool {
    let place = &raw mut *to as usize;
    // SAFETY: the kernel writes into the message, of which any bytes are a value.
    transfer(size_of::<T>(), |done, left| unsafe { call(libc::SYS_read, file as usize, place + done, left, 0, 0, 0) })
}

pub fn write_whole<T: Message>(file: i32, from: &T) -> bool {
    let place = &raw const *from as usize;
    // SAFETY: the kernel reads the message.
    transfer(size_of::<T>(), |done, left| unsafe { call(libc::SYS_write, file as usize, place + done, left, 0, 0, 0) })
}

/// Repeats a call until all bytes have gone through; it is told how many have, and how many have not.
fn transfer(length: usize, some: impl Fn(usize, usize) -> isize) -> bool {
    let mut done = 0;
    while done < length {
        let count = some(done, length - done);
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
    // SAFETY: numbers only.
    unsafe { call(libc::SYS_prctl, libc::PR_SET_DUMPABLE as usize, may as usize, 0, 0, 0, 0) };
}

pub fn position(file: i32) -> isize {
    call_of_numbers::<{ libc::SYS_lseek }>(file as usize, 0, libc::SEEK_CUR as usize)
}

pub fn set_position(file: i32, position: isize) {
    call_of_numbers::<{ libc::SYS_lseek }>(file as usize, position as usize, libc::SEEK_SET as usize);
}

/// The flags a file was opened with; `None` if there is no such descriptor.
pub fn flags(file: i32) -> Option<i32> {
    // SAFETY: numbers only.
    let flags = unsafe { call(libc::SYS_fcntl, file as usize, libc::F_GETFL as usize, 0, 0, 0, 0) };
    (!failed(flags)).then_some(flags as i32)
}

pub fn set_flags(file: i32, flags: i32) {
    // SAFETY: numbers only.
    unsafe { call(libc::SYS_fcntl, file as usize, libc::F_SETFL as usize, flags as usize, 0, 0, 0) };
}

/// What the kernel knows of an open file.
pub fn status(file: i32) -> Option<libc::stat> {
    // SAFETY: numbers, all of which may be zero.
    let mut status: libc::stat = unsafe { core::mem::zeroed() };
    // SAFETY: the kernel writes into the struct, which is the one it knows.
    let result = unsafe { call(libc::SYS_fstat, file as usize, &raw mut status as usize, 0, 0, 0, 0) };
    (!failed(result)).then_some(status)
}

/// A limit, soft and hard.
pub fn limits(which: usize) -> [u64; 2] {
    let mut limits = [0u64; 2];
    // SAFETY: the kernel writes two numbers, for which there is room.
    unsafe { call(libc::SYS_prlimit64, 0, which, 0, limits.as_mut_ptr() as usize, 0, 0) };
    limits
}

pub fn limit(which: usize, limits: [u64; 2]) {
    // SAFETY: the kernel reads two numbers.
    unsafe { call(libc::SYS_prlimit64, 0, which, limits.as_ptr() as usize, 0, 0, 0) };
}

/// Waits for any child; gives its id, or a negative error.
pub fn wait(status: &mut i32, usage: &mut libc::rusage) -> i32 {
    let (status, usage) = (&raw mut *status as usize, &raw mut *usage as usize);
    let options = libc::__WALL as usize;
    loop {
        // SAFETY: the kernel writes into the number and the struct, which is the one it knows.
        let gone = unsafe { call(libc::SYS_wait4, usize::MAX, status, options, usage, 0, 0) };
        if gone != -(libc::EINTR as isize) {
            return gone as i32;
        }
    }
}

/// Whether the child ends before so many milliseconds have passed.
pub fn wait_readable(child: i32, milliseconds: u32) -> bool {
    let file = call_of_numbers::<{ libc::SYS_pidfd_open }>(child as usize, 0, 0);
    if failed(file) {
        return true;
    }
    let mut polled = libc::pollfd { fd: file as i32, events: libc::POLLIN, revents: 0 };
    let mut timeout =
        libc::timespec { tv_sec: i64::from(milliseconds / 1000), tv_nsec: i64::from(milliseconds % 1000) * 1_000_000 };
    let (polled, timeout) = (&raw mut polled as usize, &raw mut timeout as usize);
    // SAFETY: one descriptor is waited for; the kernel writes what became of it there, and the time that is left.
    let ready = unsafe { call(libc::SYS_ppoll, polled, 1, timeout, 0, 8, 0) };
    close(file as i32);
    ready != 0
}

pub fn kill(process: i32) {
    call_of_numbers::<{ libc::SYS_kill }>(process as usize, libc::SIGKILL as usize, 0);
}

/// Sends this thread a signal.
pub fn signal_self(signal: i32) {
    call_of_numbers::<{ libc::SYS_tgkill }>(process_id() as usize, thread_id() as usize, signal as usize);
}

/// Kills every process of the namespace but the first and this one. Says whether there was any.
pub fn kill_everybody() -> bool {
    !failed(call_of_numbers::<{ libc::SYS_kill }>(usize::MAX, libc::SIGKILL as usize, 0))
}
