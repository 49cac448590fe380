//! The sandbox around a run. A changed program can do anything: remove files, send signals, open
//! connections, fork without end. None of this may reach the user.
//!
//! | wall | prevents | where it may be missing |
//! |---|---|---|
//! | calls (seccomp) | every system call that a plain program does not need, including those for the network; harmful forms of those it needs | kernels without seccomp |
//! | files (Landlock) | writing outside the scratch directory; reading files that the run has nothing to do with | kernels before 5.13, or Landlock not enabled |
//! | namespaces | seeing processes outside; leaving processes behind; changing anything outside the scratch directory; shared memory of others; the network, even where `--allow` lets its calls through | containers and systems that forbid user namespaces |
//! | supervisor | refusals without a name; where there are no namespaces, signals to others and floods of processes | a kernel before 5.5, or another supervisor around us |
//!
//! The same walls surround every run: experiments, recorded ones, references, checks, tests of a suite, runs on other
//! inputs. A run has none of our descriptors and none of our rights, and its limits are hard ones. Limits on time and output
//! are the lab's.

mod files;
mod calls;
mod mounts;
mod namespaces;
mod notes;
mod rights;
mod supervisor;
mod flood;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use recording::record::launch::Prepare;

use crate::core::{cores, stay_on};
use calls::{Contained, Otherwise};
use mounts::Mounts;
use supervisor::{Reception, supervise};

pub use calls::number as call_number;
pub use files::{FileWall, Readable};
pub use flood::Flood;
pub use namespaces::Namespaces;
pub use notes::{Notes, Noting};
pub use supervisor::{Supervision, end_session};

/// Which walls this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walls {
    pub files: FileWall,
    pub calls: bool,
    /// The kernel lets us supervise what the filter of calls does not let through.
    pub supervisor: bool,
    pub namespaces: Namespaces,
    /// Calls that the user lets through.
    pub allowed: &'static [i64],
}

static ALLOWED: OnceLock<&'static [i64]> = OnceLock::new();

/// Lets these calls through, for as long as this process lives. Only the first time.
pub fn allow(calls: Vec<i64>) {
    let _ = ALLOWED.set(calls.leak());
}

impl Walls {
    /// Tries them, once.
    pub fn of_this_machine() -> Walls {
        static TRIED: OnceLock<Walls> = OnceLock::new();
        let tried = *TRIED.get_or_init(|| Walls {
            files: files::file_wall(),
            calls: calls::filter(
                Contained { processes: true, files: true, noted: false, allowed: &[] },
                Otherwise::Refused,
            )
            .is_ok(),
            supervisor: rights::can_supervise(),
            namespaces: namespaces::namespaces(),
            allowed: &[],
        });
        Walls { allowed: ALLOWED.get().copied().unwrap_or(&[]), ..tried }
    }

    /// Those of this machine, if they keep experiments from the user's files and processes: without that there are none.
    pub fn needed() -> Option<Walls> {
        Some(Walls::of_this_machine()).filter(|walls| walls.hold())
    }

    /// Whether processes of a run are in a namespace of their own.
    pub fn has_processes(&self) -> bool {
        self.namespaces != Namespaces::None
    }

    /// Whether they keep experiments from the user's files and processes.
    pub fn hold(&self) -> bool {
        let files = self.files != FileWall::None || self.namespaces == Namespaces::All && self.supervisor;
        let processes = self.namespaces != Namespaces::None || self.supervisor;
        self.calls && files && processes
    }

    /// What is missing and what that means, in sentences.
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if !self.calls {
            missing
                .push("the kernel cannot filter system calls (seccomp), so nothing can be run in a sandbox".to_owned());
        }
        if self.files == FileWall::None {
            missing.push(
                "the kernel has no Landlock (enable it: lsm=landlock,...), so experiments can read all your files"
                    .to_owned(),
            );
        }
        match (self.namespaces, self.supervisor) {
            (Namespaces::All, true) => {}
            (_, false) => missing.push(
                "reports cannot name the system calls that the sandbox refused, because the kernel does not allow supervising them \
                 (Linux 5.5 or later does)"
                    .to_owned(),
            ),
            (Namespaces::None, true) => missing.push(
                "there are no user namespaces (does a container forbid them?), so programs in the sandbox may not change \
                 modes, owners or times of files, and may start only a few processes"
                    .to_owned(),
            ),
            (Namespaces::WithoutMounts, true) => missing.push(
                "user namespaces do not allow mounting, so programs in the sandbox may not change modes, owners or times of \
                 files"
                    .to_owned(),
            ),
        }
        missing
    }
}

/// What kind of process is confined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A fork server: the first process of namespaces of its own, which dies with the thread that started it.
    Server,
    /// A single run: recorded, and so traced from outside; or not even instrumented.
    Single,
}

/// What a run is given.
#[derive(Clone, Debug)]
pub struct Terms<'a> {
    pub purpose: Purpose,
    /// The only place it may write to.
    pub scratch: &'a Path,
    pub readable: &'a Readable,
    pub noting: Noting,
    /// Processes it may make.
    pub forks: u32,
    /// Bytes of each file it writes, where the lab does not set them run by run.
    pub file: Option<u64>,
    /// Bytes of memory, likewise.
    pub memory: Option<u64>,
}

/// What a process does to itself before it becomes the program.
pub struct Confinement {
    ruleset: Option<OwnedFd>,
    mounts: Option<Mounts>,
    filter: Arc<[libc::sock_filter]>,
    reception: Option<Reception>,
    namespaces: libc::c_int,
    purpose: Purpose,
    file: Option<u64>,
    memory: Option<u64>,
    flood: Flood,
    /// Every run of a lab sees one core; a server has that of the worker that started it.
    core: Option<usize>,
}

/// Processes a run may have at a time, where the kernel counts those of one namespace.
const PROCESSES: u64 = 512;

impl Confinement {
    /// With the supervision of whatever is confined so, if the kernel gives us one.
    pub fn new(walls: Walls, terms: &Terms<'_>) -> io::Result<(Confinement, Option<Supervision>)> {
        let mut namespaces = match walls.namespaces {
            Namespaces::None => 0,
            Namespaces::WithoutMounts => namespaces::OWN & !libc::CLONE_NEWNS,
            Namespaces::All => namespaces::OWN,
        };
        // No call on the list makes a socket, so that a single run does without a network of its own, which takes the
        // kernel longer to make than all other namespaces together.
        if terms.purpose == Purpose::Single && walls.allowed.is_empty() {
            namespaces &= !libc::CLONE_NEWNET;
        }
        let scratch = terms.scratch.canonicalize()?;
        let contained = Contained {
            processes: walls.namespaces != Namespaces::None,
            files: walls.namespaces == Namespaces::All,
            // Without Landlock, nothing else keeps a run from FIFOs and terminals.
            noted: walls.supervisor
                && (terms.noting == Noting::All
                    || *terms.readable == Readable::Everything
                    || walls.files == FileWall::None),
            allowed: walls.allowed,
        };
        let mut supervision = None;
        let mut reception = None;
        let mut otherwise = Otherwise::Refused;
        if walls.supervisor {
            let (seen, waits) = supervise(supervisor::Rules {
                processes_contained: contained.processes,
                files_contained: contained.files,
                noted: contained.noted,
                most_forks: terms.forks,
                is_server: terms.purpose == Purpose::Server,
                scratch: scratch.as_path().into(),
            })?;
            (supervision, reception, otherwise) = (Some(seen), Some(waits), Otherwise::Supervised);
        }
        let confinement = Confinement {
            ruleset: files::ruleset(walls.files, &scratch, terms.readable)?,
            mounts: match contained.files {
                true => Some(Mounts::new(&scratch)?),
                false => None,
            },
            filter: calls::filter(contained, otherwise)?,
            reception,
            namespaces,
            purpose: terms.purpose,
            file: terms.file,
            memory: terms.memory,
            flood: Flood::watch(&scratch),
            core: match terms.purpose {
                Purpose::Server => None,
                Purpose::Single => cores().first().copied(),
            },
        };
        Ok((confinement, supervision))
    }
}

impl Prepare for Confinement {
    fn namespaces(&self) -> libc::c_int {
        self.namespaces
    }

    fn is_first(&self) -> bool {
        self.purpose == Purpose::Server
    }

    fn is_flooding(&self) -> bool {
        self.flood.rising().is_some()
    }

    fn prepare(&self) -> Result<(), i32> {
        if let Some(core) = self.core {
            stay_on(core);
        }
        // SAFETY: system calls on numbers.
        unsafe {
            // What is typed at the terminal is not for it, Ctrl-C among them; and it cannot type.
            check(libc::setsid())?;
            check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
            if self.purpose == Purpose::Server {
                // Orphans of a run become the server's, where they can be found.
                check(libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1))?;
            }
        }
        match &self.mounts {
            Some(mounts) => mounts.apply(),
            None => Ok(()),
        }
    }

    fn confine(&self) -> Result<(), i32> {
        rights::lower(libc::RLIMIT_CORE, 0)?;
        // Counted for the user as a whole where there are no namespaces, so it must not be too small.
        if self.namespaces != 0 {
            rights::lower(libc::RLIMIT_NPROC, PROCESSES)?;
        }
        if let Some(bytes) = self.file {
            rights::lower(libc::RLIMIT_FSIZE, bytes)?;
        }
        if let Some(bytes) = self.memory {
            rights::lower(libc::RLIMIT_DATA, bytes)?;
        }
        rights::drop_all();
        // SAFETY: system calls on numbers and on memory that lives as long as we do.
        unsafe {
            check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            if let Some(ruleset) = &self.ruleset {
                check(libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) as i32)?;
            }
        }
        match &self.reception {
            Some(reception) => {
                let listener = rights::lay_on(&self.filter, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
                reception.send(listener)
            }
            None => rights::lay_on(&self.filter, 0).map(drop),
        }
    }
}

fn check(result: i32) -> Result<(), i32> {
    // SAFETY: reads the thread's errno.
    if result < 0 { Err(unsafe { *libc::__errno_location() }) } else { Ok(()) }
}
