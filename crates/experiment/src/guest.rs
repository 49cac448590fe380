//! Running a program that is not the debugged one, in the same sandbox: a reference, a check.
//!
//! The user has chosen it, so it may read all the user's files; but its input was made by changed runs, and there may be
//! many of them.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, Instant};

use recording::record::launch::{Command, Prepare as _, Tracing, launch};

use crate::memory_file::{contents, memory_file};
use crate::outcome::End;
use crate::sandbox::{Confinement, Notes, Noting, Purpose, Readable, Supervision, Terms, Walls, end_session};

pub struct Guest<'a> {
    pub program: &'a Path,
    pub name: &'a OsStr,
    pub arguments: &'a [OsString],
    pub environment: Vec<(OsString, OsString)>,
    pub directory: &'a Path,
    /// The only place it may write to.
    pub scratch: &'a Path,
    pub input: File,
    pub readable: Readable,
    pub patience: Duration,
}

/// What a guest did.
pub struct Visit {
    pub end: End,
    pub output: Vec<u8>,
    /// System calls that the sandbox refused.
    pub calls_refused: Vec<String>,
    pub notes: Notes,
}

/// How often it is looked at whether it floods the machine.
const GLANCE: Duration = Duration::from_millis(100);

/// What a guest may use.
const FILE: u64 = 64 << 20;
const MEMORY: u64 = 8 << 30;
const FORKS: u32 = 256;

/// Runs a guest to its end, or until its time is up.
pub fn invite(guest: &Guest<'_>, walls: Walls) -> io::Result<Visit> {
    let output = memory_file(&[])?;
    let nothing = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    let terms = Terms {
        purpose: Purpose::Single,
        scratch: guest.scratch,
        readable: &guest.readable,
        noting: Noting::Needed,
        forks: FORKS,
        file: Some(FILE),
        memory: Some(MEMORY),
    };
    let (confinement, supervision) = Confinement::new(walls, &terms)?;
    let mut launched = launch(&Command {
        program: guest.program,
        name: guest.name,
        arguments: guest.arguments,
        environment: guest.environment.clone(),
        directory: Some(guest.directory),
        memory: None,
        redirections: vec![(guest.input.as_raw_fd(), 0), (output.as_raw_fd(), 1), (nothing.as_raw_fd(), 2)],
        kept: Vec::new(),
        tracing: Tracing::None,
        prepare: Some(&confinement),
    })?;
    let deadline = Instant::now() + guest.patience;
    let mut is_over = launched.ends_within(deadline.min(Instant::now() + GLANCE));
    while !is_over && Instant::now() < deadline && !confinement.is_flooding() {
        is_over = launched.ends_within(deadline.min(Instant::now() + GLANCE));
    }
    if !is_over {
        launched.kill();
    }
    let status = launched.wait();
    launched.end_all();
    if !walls.has_processes() {
        end_session(launched.program, &[]);
    }
    let end = match is_over {
        false => End::TooLong,
        true if libc::WIFSIGNALED(status) => End::Killed(libc::WTERMSIG(status)),
        true => End::Exited(libc::WEXITSTATUS(status)),
    };
    let notes = supervision.as_ref().map(Supervision::notes).unwrap_or_default();
    let calls_refused = supervision.as_ref().map(Supervision::refused).unwrap_or_default();
    Ok(Visit { end, output: contents(&output, FILE)?, calls_refused, notes })
}
