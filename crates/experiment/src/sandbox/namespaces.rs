//! Whether a process can begin in namespaces of its own, and make everything in there read-only.

use super::mounts::Mounts;

/// What a run has for itself, where the kernel gives it.
pub const OWN: libc::c_int =
    libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWNS;

/// What the kernel gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Namespaces {
    None,
    /// Of processes, the network, System V memory; but nothing can be mounted there.
    WithoutMounts,
    All,
}

/// Tries it with a child that ends at once.
pub fn namespaces() -> Namespaces {
    let Ok(mounts) = Mounts::new(&std::env::temp_dir()) else { return Namespaces::None };
    // SAFETY: without a stack of its own and with no memory shared, this is a fork; the child only makes system calls.
    unsafe {
        let child = libc::syscall(libc::SYS_clone, OWN | libc::SIGCHLD, 0, 0, 0, 0) as libc::pid_t;
        if child == 0 {
            libc::_exit(if mounts.apply().is_ok() { 0 } else { 1 });
        }
        let mut status = 0;
        if child < 0 || libc::waitpid(child, &mut status, 0) != child || !libc::WIFEXITED(status) {
            return Namespaces::None;
        }
        if libc::WEXITSTATUS(status) == 0 { Namespaces::All } else { Namespaces::WithoutMounts }
    }
}
