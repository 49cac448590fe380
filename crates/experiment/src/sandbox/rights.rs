//! The rights that a process gives up: limits, capabilities, system calls. Only calls that are safe after a fork.

use super::check;

/// Lowers a limit, for good.
pub fn lower(which: libc::__rlimit_resource_t, value: u64) -> Result<(), i32> {
    // SAFETY: the memory is this stack's.
    unsafe {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        check(libc::getrlimit(which, &mut limit))?;
        limit.rlim_cur = value.min(limit.rlim_cur);
        limit.rlim_max = value.min(limit.rlim_max);
        check(libc::setrlimit(which, &limit))
    }
}

/// Root may still read and write what modes would keep it from: the wall around files judges that.
const KEPT: [i32; 2] = [CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH];
const CAP_DAC_OVERRIDE: i32 = 1;
const CAP_DAC_READ_SEARCH: i32 = 2;
const LAST_POSSIBLE: i32 = 63;

/// Capabilities are gone with the next exec. Whoever has none cannot drop them either.
pub fn drop_all() {
    for capability in (0..=LAST_POSSIBLE).filter(|capability| !KEPT.contains(capability)) {
        // SAFETY: a system call on numbers.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Lays a filter of system calls on this process. Gives the listener, if one is wanted.
pub fn lay_on(filter: &[libc::sock_filter], flags: libc::c_ulong) -> Result<i32, i32> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the filter.
    let done =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) as i32 };
    check(done)?;
    Ok(done)
}

/// Whether the kernel lets us supervise a child: tried, since others may supervise us already.
pub fn can_supervise() -> bool {
    let everything =
        [libc::sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW }];
    // SAFETY: the child only makes system calls.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            let laid_on = lay_on(&everything, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
            libc::_exit(if laid_on.is_ok() { 0 } else { 1 });
        }
        let mut status = 0;
        child > 0 && libc::waitpid(child, &mut status, 0) == child && status == 0
    }
}
