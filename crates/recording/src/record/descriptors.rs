//! Closing descriptors, all from a number on.

const CLOSE_RANGE_CLOEXEC: libc::c_uint = 4;

/// Closes all from this one on.
///
/// # Safety
/// Nobody in this process uses them any more.
pub unsafe fn close_from(first: libc::c_uint) {
    // SAFETY: the caller vouches for the descriptors.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) == 0 {
            return;
        }
        // Kernels before 5.9.
        for descriptor in one_by_one(first) {
            libc::close(descriptor);
        }
    }
}

/// Lets all from this one on be closed when a program begins.
///
/// # Safety
/// Nobody in this process hands them on to another program.
pub unsafe fn close_on_exec_from(first: libc::c_uint) {
    // SAFETY: the caller vouches for the descriptors.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, CLOSE_RANGE_CLOEXEC) == 0 {
            return;
        }
        // Kernels before 5.11.
        for descriptor in one_by_one(first) {
            libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
        }
    }
}

/// As many as there can be. Memory is not allocated: who asks may be a fork of a process with threads.
fn one_by_one(first: libc::c_uint) -> std::ops::Range<i32> {
    let mut most = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is this stack's.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut most) };
    first as i32..most.rlim_cur.min(1 << 20) as i32
}
