//! A namespace of processes for a program that must not be its first process.
//!
//! The first process of a namespace does not die of signals that it does not handle, so a crash would look different there. The
//! keeper, a child of ours outside the namespace, starts a first process that only waits, and then the program beside it, as
//! a child of *ours*: we wait for it and trace it as for any other. When we let go of the keeper's leash (or die, which
//! closes it as well), the keeper ends the first process, and the kernel ends all that is left in there.
//!
//! The keeper is a copy of us; copies of that copy would cost as much again, so both of its children share its memory, on
//! stacks of their own. The program's process does so until it becomes the program, and the keeper stands still meanwhile.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::descriptors::close_from;
use super::launch::pipe;

pub struct Keeper {
    process: libc::pid_t,
    /// Closed when this goes.
    leash: Option<OwnedFd>,
    /// Closed by the keeper when nobody is left in the namespace.
    told: OwnedFd,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.leash = None;
        read(self.told.as_raw_fd(), &mut [0]);
        // It has the rest of the namespaces to clean up, for which nobody has to wait.
        lock(&LEAVING).push(self.process);
    }
}

/// Keepers that have nothing more to do than to end.
static LEAVING: Mutex<Vec<libc::pid_t>> = Mutex::new(Vec::new());

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes away the keepers that have ended.
fn reap() {
    // SAFETY: asks about children of ours that nobody else waits for.
    let is_there = |&process: &libc::pid_t| unsafe {
        libc::waitpid(process, std::ptr::null_mut(), libc::__WALL | libc::WNOHANG) == 0
    };
    lock(&LEAVING).retain(is_there);
}

/// Starts a keeper, and the program by `become_program`. `ours` is open in neither.
pub(super) fn start(
    namespaces: libc::c_int,
    ours: &OwnedFd,
    become_program: &dyn Fn(),
) -> io::Result<(libc::pid_t, Keeper)> {
    reap();
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
        // SAFETY: closes a descriptor of this copy of us, which will not use it.
        unsafe { libc::close(ours.as_raw_fd()) };
        // SAFETY: this is the child of a fork.
        unsafe { keep(&leash_read, &told_write, &mapped_read, become_program) };
    }
    drop((leash_read, told_write, mapped_read));
    let keeper = Keeper { process, leash: Some(leash_write), told: told_read };
    if outer & libc::CLONE_NEWUSER != 0 {
        map_ids(process);
    }
    drop(mapped_write);
    let mut told = [0; 4];
    match read(keeper.told.as_raw_fd(), &mut told) {
        true if i32::from_le_bytes(told) > 0 => Ok((i32::from_le_bytes(told), keeper)),
        _ => Err(io::Error::other("cannot set up a process namespace; see faultline doctor")),
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

/// Bytes of the stack of a keeper's child.
const STACK: usize = 64 * 1024;

#[repr(C, align(64))]
struct Stack(UnsafeCell<[u8; STACK]>);

// SAFETY: each keeper has a copy of its own, and one child for each.
unsafe impl Sync for Stack {}

impl Stack {
    const fn new() -> Stack {
        Stack(UnsafeCell::new([0; STACK]))
    }

    fn end(&self) -> *mut c_void {
        self.0.get().wrapping_add(1).cast()
    }
}

static FIRST: Stack = Stack::new();
static PROGRAM: Stack = Stack::new();

/// What the program's process is given.
struct Beginning<'a> {
    /// Its number as we see it, which the kernel writes before the process begins.
    process: libc::pid_t,
    told: i32,
    become_program: &'a dyn Fn(),
}

/// In the keeper: only calls that are safe after a fork.
///
/// # Safety
///
/// This process is the child of a fork, and nobody else's code runs in it.
unsafe fn keep(leash: &OwnedFd, told: &OwnedFd, mapped: &OwnedFd, become_program: &dyn Fn()) -> ! {
    // SAFETY: system calls only, on memory of this function; descriptors that are closed are nobody's in this process.
    unsafe {
        let mut byte = [0];
        read(mapped.as_raw_fd(), &mut byte);
        if libc::unshare(libc::CLONE_NEWPID) != 0 {
            libc::_exit(1);
        }
        let flags = libc::CLONE_VM | libc::SIGCHLD;
        let first = libc::clone(wait_for_ever, FIRST.end(), flags, std::ptr::null_mut());
        let mut beginning = Beginning { process: 0, told: told.as_raw_fd(), become_program };
        let (argument, number) = ((&raw mut beginning).cast(), &raw mut beginning.process);
        let flags = flags | libc::CLONE_VFORK | libc::CLONE_PARENT | libc::CLONE_PARENT_SETTID;
        let program = match first {
            ..0 => first,
            _ => libc::clone(begin, PROGRAM.end(), flags, argument, number),
        };
        // Descriptors of ours must not live on here.
        let (leash, told) = (libc::dup2(leash.as_raw_fd(), 0), libc::dup2(told.as_raw_fd(), 1));
        close_from(2);
        if first > 0 && program > 0 {
            read(leash, &mut byte);
        }
        // A negative number would mean many processes.
        if first > 0 {
            libc::kill(first, libc::SIGKILL);
            // Returns when the kernel has ended and reaped all others.
            libc::waitpid(first, std::ptr::null_mut(), libc::__WALL);
        }
        libc::close(told);
        libc::_exit(0)
    }
}

/// The program's process: says who it is, and becomes the program.
extern "C" fn begin(beginning: *mut c_void) -> libc::c_int {
    // SAFETY: the keeper waits with it on its stack until there is the program, or nobody.
    unsafe {
        let beginning = &*beginning.cast::<Beginning<'_>>();
        libc::write(beginning.told, (&raw const beginning.process).cast(), size_of::<libc::pid_t>());
        (beginning.become_program)();
        libc::_exit(127)
    }
}

/// The first process: takes those away whose parents are gone.
extern "C" fn wait_for_ever(_: *mut c_void) -> libc::c_int {
    // SAFETY: system calls on memory of this stack.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        close_from(0);
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
    // SAFETY: these always give a number.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    let _ = std::fs::write(format!("/proc/{child}/uid_map"), format!("{user} {user} 1"));
    let _ = std::fs::write(format!("/proc/{child}/setgroups"), "deny");
    let _ = std::fs::write(format!("/proc/{child}/gid_map"), format!("{group} {group} 1"));
}
