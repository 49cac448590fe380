//! A namespace of processes for a program that must not be its first process.
//!
//! The first process of a namespace does not die of signals it does not expect, so a crash would be another one there. The
//! keeper, a child of ours outside the namespace, starts a first process that only waits, and then the program beside it, as
//! a child of *ours*: we wait for it and trace it as for any other. When we let go of the keeper's leash (or die, which
//! closes it as well), the keeper ends the first process, and the kernel ends all that is left in there.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use super::launch::pipe;

pub struct Keeper {
    process: libc::pid_t,
    /// Closed when this goes.
    leash: Option<OwnedFd>,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.leash = None;
        // SAFETY: waits for a child of ours, which ends when all in the namespace have.
        unsafe {
            while libc::waitpid(self.process, std::ptr::null_mut(), libc::__WALL) < 0
                && *libc::__errno_location() == libc::EINTR
            {}
        }
    }
}

/// Starts a keeper, and the program by `become_program`.
pub(super) fn start(namespaces: libc::c_int, become_program: &dyn Fn()) -> io::Result<(libc::pid_t, Keeper)> {
    let (leash_read, leash_write) = pipe()?;
    let (told_read, told_write) = pipe()?;
    let (mapped_read, mapped_write) = pipe()?;
    let outer = namespaces & !libc::CLONE_NEWPID;
    // SAFETY: with no flags but namespaces, the system call is a fork; the child only calls what is safe after one.
    let process = unsafe { libc::syscall(libc::SYS_clone, outer | libc::SIGCHLD, 0, 0, 0, 0) as libc::pid_t };
    if process < 0 {
        return Err(io::Error::last_os_error());
    }
    if process == 0 {
        drop((leash_write, told_read, mapped_write));
        unsafe { keep(&leash_read, &told_write, &mapped_read, become_program) };
    }
    drop((leash_read, told_write, mapped_read));
    let keeper = Keeper { process, leash: Some(leash_write) };
    if outer & libc::CLONE_NEWUSER != 0 {
        map_ids(process);
    }
    drop(mapped_write);
    let mut told = [0; 4];
    match read(told_read.as_raw_fd(), &mut told) {
        true if i32::from_le_bytes(told) > 0 => Ok((i32::from_le_bytes(told), keeper)),
        _ => Err(io::Error::other("a namespace of processes could not be set up; see faultline doctor")),
    }
}

fn read(file: i32, to: &mut [u8]) -> bool {
    loop {
        // SAFETY: the buffer is as long as that.
        let count = unsafe { libc::read(file, to.as_mut_ptr().cast(), to.len()) };
        if count >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return count == to.len() as isize;
        }
    }
}

/// In the keeper: only calls that are safe after a fork.
unsafe fn keep(leash: &OwnedFd, told: &OwnedFd, mapped: &OwnedFd, become_program: &dyn Fn()) -> ! {
    unsafe {
        let mut byte = [0];
        read(mapped.as_raw_fd(), &mut byte);
        if libc::unshare(libc::CLONE_NEWPID) != 0 {
            libc::_exit(1);
        }
        // Not the C library's fork: that takes locks which another thread may have held when this process was made.
        let first = libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) as libc::pid_t;
        if first == 0 {
            wait_for_ever();
        }
        let flags = libc::CLONE_PARENT | libc::SIGCHLD;
        let program = libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) as libc::pid_t;
        if program == 0 {
            become_program();
        }
        libc::write(told.as_raw_fd(), (&raw const program).cast(), 4);
        // Descriptors of ours must not live on here.
        let leash = libc::dup2(leash.as_raw_fd(), 0);
        libc::syscall(libc::SYS_close_range, 1 as libc::c_uint, libc::c_uint::MAX, 0);
        if first > 0 && program > 0 {
            read(leash, &mut byte);
        }
        libc::kill(first, libc::SIGKILL);
        // Returns when the kernel has ended and reaped all others.
        libc::waitpid(first, std::ptr::null_mut(), libc::__WALL);
        libc::_exit(0)
    }
}

/// The first process: takes those away whose parents are gone.
unsafe fn wait_for_ever() -> ! {
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::syscall(libc::SYS_close_range, 0 as libc::c_uint, libc::c_uint::MAX, 0);
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut signals);
        libc::sigprocmask(libc::SIG_SETMASK, &signals, std::ptr::null_mut());
        let mut child: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut child);
        libc::sigaddset(&mut child, libc::SIGCHLD);
        loop {
            while libc::waitpid(-1, std::ptr::null_mut(), libc::__WALL | libc::WNOHANG) > 0 {}
            let mut which = 0;
            libc::sigwait(&child, &mut which);
        }
    }
}

/// Everybody is in the new namespace who they are outside. What fails shows when the program looks at its files.
pub(super) fn map_ids(child: libc::pid_t) {
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let _ = std::fs::write(format!("/proc/{child}/uid_map"), format!("{user} {user} 1"));
    let _ = std::fs::write(format!("/proc/{child}/setgroups"), "deny");
    let _ = std::fs::write(format!("/proc/{child}/gid_map"), format!("{group} {group} 1"));
}
