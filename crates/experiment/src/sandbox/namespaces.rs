//! Whether a process can begin in namespaces of its own.

/// Tries it with a child that does nothing.
pub fn namespaces_work() -> bool {
    let flags = libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::SIGCHLD;
    // SAFETY: without a stack of its own and with no memory shared, this is a fork; the child only ends.
    unsafe {
        let child = libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) as libc::pid_t;
        if child == 0 {
            libc::_exit(0);
        }
        if child < 0 {
            return false;
        }
        let mut status = 0;
        libc::waitpid(child, &mut status, 0) == child && status == 0
    }
}
