//! The walls around a run. A program in which something was changed can do anything: remove files, send signals, open
//! connections, fork without end. None of it may reach the user.
//!
//! | wall | keeps out | where it may be missing |
//! |---|---|---|
//! | `Files` (Landlock) | writing anywhere but in the scratch directory; signals to processes outside (kernel 6.12) | kernels before 5.13, or Landlock not enabled |
//! | `Calls` (seccomp) | sockets, tracing, mounting, changing the clock | kernels without seccomp |
//! | `Namespaces` | processes outside are not seen; all that is left of a run is killed; no network, no shared memory of others | containers that forbid user namespaces |
//!
//! Limits on time, output, memory and forks are the lab's.

mod files;
mod calls;
mod namespaces;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use recording::record::launch::Prepare;

use crate::core::{cores, stay_on};

pub use namespaces::namespaces_work;

/// Which walls this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walls {
    pub files: files::FileWall,
    pub calls: bool,
    pub namespaces: bool,
}

pub use files::FileWall;

impl Walls {
    /// Tries them.
    pub fn of_this_machine() -> Walls {
        Walls { files: files::file_wall(), calls: calls::filter().is_ok(), namespaces: namespaces_work() }
    }

    /// Those of this machine, if they keep experiments from the user's files: without that there are none.
    pub fn needed() -> Option<Walls> {
        Some(Walls::of_this_machine()).filter(|walls| walls.files != FileWall::None)
    }

    /// What is missing, in sentences.
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        match self.files {
            FileWall::WithSignals => {}
            FileWall::FilesOnly if self.namespaces => {}
            FileWall::FilesOnly => missing.push(
                "the kernel's Landlock cannot hold back signals (it can from Linux 6.12 on), and there are no user \
                 namespaces: an experiment could send signals to your processes"
                    .to_owned(),
            ),
            FileWall::None => missing.push(
                "the kernel has no Landlock: an experiment could change your files; enable it (lsm=landlock,...)"
                    .to_owned(),
            ),
        }
        if !self.calls {
            missing.push("system calls cannot be filtered: an experiment could open connections".to_owned());
        }
        if !self.namespaces {
            missing.push(
                "there are no user namespaces (a container that forbids them?): processes that a run leaves behind are \
                 looked for and killed, but some may get away"
                    .to_owned(),
            );
        }
        missing
    }
}

/// What a process does to itself before it becomes the program.
pub struct Confinement {
    ruleset: Option<OwnedFd>,
    filter: Vec<libc::sock_filter>,
    namespaces: libc::c_int,
    processes: u64,
    dies_with_us: bool,
    /// Every run of a lab sees one core; a server has that of the worker that started it.
    core: Option<usize>,
}

/// What kind of process is confined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A fork server: the first process of namespaces of its own, which dies with the thread that started it.
    Server,
    /// A single run that is recorded, and so traced from outside.
    Recorded,
}

impl Confinement {
    /// Only in `scratch` may the program write.
    pub fn new(walls: Walls, purpose: Purpose, scratch: &Path) -> io::Result<Confinement> {
        let own = libc::CLONE_NEWUSER | libc::CLONE_NEWNET | libc::CLONE_NEWIPC;
        let namespaces = match (walls.namespaces, purpose) {
            (false, _) => 0,
            (true, Purpose::Server) => own | libc::CLONE_NEWPID,
            // Its first process would not die of its own signals.
            (true, Purpose::Recorded) => own,
        };
        let ruleset = match walls.files {
            FileWall::None => None,
            _ => files::ruleset(scratch)?,
        };
        let filter = if walls.calls { calls::filter()? } else { Vec::new() };
        let core = match purpose {
            Purpose::Server => None,
            Purpose::Recorded => cores().first().copied(),
        };
        let dies_with_us = purpose == Purpose::Server;
        Ok(Confinement { ruleset, filter, namespaces, processes: 512, dies_with_us, core })
    }
}

impl Prepare for Confinement {
    fn namespaces(&self) -> libc::c_int {
        self.namespaces
    }

    fn prepare(&self) -> Result<(), i32> {
        if let Some(core) = self.core {
            stay_on(core);
        }
        // SAFETY: system calls on numbers and on memory that lives as long as we do.
        unsafe {
            // What is typed at the terminal is not for it, Ctrl-C among them; and it cannot type.
            check(libc::setsid())?;
            if self.dies_with_us {
                check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
                // Orphans of a run become the server's, where they can be found.
                check(libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1))?;
            }
            lower(libc::RLIMIT_CORE, 0)?;
            // Counted for the user as a whole where there are no namespaces, so it must not be too small.
            if self.namespaces != 0 {
                lower(libc::RLIMIT_NPROC, self.processes)?;
            }
            check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            if let Some(ruleset) = &self.ruleset {
                check(libc::syscall(SYS_LANDLOCK_RESTRICT_SELF, ruleset.as_raw_fd(), 0) as i32)?;
            }
            if !self.filter.is_empty() {
                let program =
                    libc::sock_fprog { len: self.filter.len() as u16, filter: self.filter.as_ptr().cast_mut() };
                check(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program))?;
            }
        }
        Ok(())
    }
}

const SYS_LANDLOCK_RESTRICT_SELF: libc::c_long = 446;

fn check(result: i32) -> Result<(), i32> {
    // SAFETY: reads the thread's errno.
    if result < 0 { Err(unsafe { *libc::__errno_location() }) } else { Ok(()) }
}

unsafe fn lower(which: libc::__rlimit_resource_t, value: u64) -> Result<(), i32> {
    unsafe {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        check(libc::getrlimit(which, &mut limit))?;
        limit.rlim_cur = value.min(limit.rlim_cur);
        limit.rlim_max = value.min(limit.rlim_max);
        check(libc::setrlimit(which, &limit))
    }
}
