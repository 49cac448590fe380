//! Starting a program: no address randomisation, traced if that is allowed, with the shared memory's descriptor if it has
//! one; in the sandbox if that is requested.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use abi::SHARED_VARIABLE;

use super::descriptors::close_on_exec_from;
use super::keeper::{self, Keeper};
use super::memory::SharedMemory;
use super::standard::closed_at_start;

/// What is done in the new process before it becomes the program.
pub trait Prepare: Sync {
    /// Namespaces the process begins in: `CLONE_NEW…`. User and group ids are mapped to themselves.
    fn namespaces(&self) -> libc::c_int {
        0
    }

    /// Whether the program is to be the first process of its namespace of processes. Otherwise a keeper is: a first process
    /// does not die of signals as others do.
    fn is_first(&self) -> bool {
        false
    }

    /// Only calls that are safe after a fork: no allocation. An error is a number of `errno`.
    fn prepare(&self) -> Result<(), i32>;

    /// Whether the program takes so much of the machine that it must be ended. Asked now and then while it runs.
    fn is_flooding(&self) -> bool {
        false
    }

    /// What comes last, when the directory has been entered and descriptors have been closed.
    fn confine(&self) -> Result<(), i32> {
        Ok(())
    }
}

/// How a program is to be started.
pub struct Command<'a> {
    pub program: &'a Path,
    /// What the program will see as its own name.
    pub name: &'a OsStr,
    pub arguments: &'a [OsString],
    pub environment: Vec<(OsString, OsString)>,
    /// `None`: ours.
    pub directory: Option<&'a Path>,
    /// `None`: a program that is neither recorded nor a server.
    pub memory: Option<&'a SharedMemory>,
    /// Descriptors of ours, and which of the program's they become.
    pub redirections: Vec<(i32, i32)>,
    /// Descriptors of ours that the program has under the same number.
    pub kept: Vec<i32>,
    pub tracing: Tracing,
    pub prepare: Option<&'a dyn Prepare>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tracing {
    /// The calling thread traces the program, if the kernel lets it.
    Wanted,
    None,
}

/// The same, made before the fork: a child of a process with threads must not allocate.
struct Prepared<'a> {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    directory: Option<CString>,
    kept: Vec<i32>,
    redirections: &'a [(i32, i32)],
    /// Bits of the standard streams that the program is to find closed.
    closed: u32,
    prepare: Option<&'a dyn Prepare>,
}

impl<'a> Prepared<'a> {
    fn new(command: &'a Command<'_>) -> io::Result<Prepared<'a>> {
        let mut arguments = vec![string(command.name)?];
        for argument in command.arguments {
            arguments.push(string(argument)?);
        }
        let mut environment = Vec::new();
        for (name, value) in command.environment.iter().filter(|(name, _)| name != SHARED_VARIABLE) {
            let mut entry = name.as_bytes().to_vec();
            entry.push(b'=');
            entry.extend(value.as_bytes());
            environment.push(CString::new(entry)?);
        }
        let mut kept = command.kept.clone();
        if let Some(memory) = command.memory {
            let memory = memory.file().as_raw_fd();
            environment.push(CString::new(format!("{SHARED_VARIABLE}={}:{memory}", abi::VERSION))?);
            kept.push(memory);
        }
        let redirected = command.redirections.iter().fold(0, |bits, &(_, to)| bits | 1 << to.min(31));
        Ok(Prepared {
            program: string(command.program.as_os_str())?,
            arguments,
            environment,
            directory: command.directory.map(|directory| string(directory.as_os_str())).transpose()?,
            kept,
            redirections: &command.redirections,
            closed: closed_at_start() & !redirected,
            prepare: command.prepare,
        })
    }
}

fn string(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// The program, started.
pub struct Launched {
    pub program: libc::pid_t,
    pub traced: bool,
    /// Keeps the namespace of processes that the program runs in.
    keeper: Option<Keeper>,
    /// Names this process even after its id has gone to another.
    process: Option<OwnedFd>,
}

impl Launched {
    /// Whether the process has ended. Not for one that is traced.
    pub fn is_gone(&self) -> bool {
        // SAFETY: leaves the process waitable.
        unsafe {
            let mut about: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            let asked = libc::waitid(libc::P_PID, self.program as libc::id_t, &mut about, options);
            asked != 0 || about.si_pid() != 0
        }
    }

    /// Bytes the program has in memory; zero if that cannot be told.
    pub fn memory_in_use(&self) -> u64 {
        const PAGE: u64 = 4096;
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.program)).ok();
        let resident = pages.and_then(|pages| pages.split_whitespace().nth(1)?.parse::<u64>().ok());
        resident.unwrap_or(0) * PAGE
    }

    /// Whether the process ends before that.
    pub fn ends_within(&self, deadline: Instant) -> bool {
        const GLANCE: Duration = Duration::from_millis(2);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match &self.process {
                Some(process) => {
                    let mut polled = libc::pollfd { fd: process.as_raw_fd(), events: libc::POLLIN, revents: 0 };
                    let milliseconds = left.as_millis().min(i32::MAX as u128) as i32;
                    // SAFETY: the memory is this stack's.
                    if unsafe { libc::poll(&mut polled, 1, milliseconds) } > 0 {
                        return true;
                    }
                }
                None if self.is_gone() => return true,
                None => std::thread::sleep(left.min(GLANCE)),
            }
            if left.is_zero() {
                return false;
            }
        }
    }

    /// Waits for the end of a process that is not traced; gives its status as `waitpid` does.
    pub fn wait(&self) -> i32 {
        let mut status = 0;
        // SAFETY: waits for a child of ours.
        unsafe { while libc::waitpid(self.program, &mut status, 0) < 0 && *libc::__errno_location() == libc::EINTR {} }
        status
    }

    pub fn kill(&self) {
        match &self.process {
            // SAFETY: the descriptor is the process, even when that is gone; null stands for no details.
            Some(process) => unsafe {
                libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), libc::SIGKILL, ptr::null::<u8>(), 0);
            },
            // SAFETY: sends a signal. The number stays the program's until it is waited for.
            None => unsafe {
                libc::kill(self.program, libc::SIGKILL);
            },
        }
    }

    /// Ends whatever is left in the namespace of processes that the program had, and waits until it is gone.
    pub fn end_all(&mut self) {
        self.keeper = None;
    }
}

/// Held while a child waits for its pipe to close: another child forked meanwhile would have that pipe open, too, and the
/// two would wait for each other for ever.
static LAUNCHING: Mutex<()> = Mutex::new(());

/// Starts the program. The calling thread becomes its parent, and its tracer where that is wanted.
pub fn launch(command: &Command<'_>) -> io::Result<Launched> {
    let prepared = Prepared::new(command)?;
    let arguments = pointers(&prepared.arguments);
    let environment = pointers(&prepared.environment);
    let one_at_a_time = LAUNCHING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (go_read, go_write) = pipe()?;
    let (error_read, error_write) = pipe()?;
    let namespaces = command.prepare.map_or(0, |prepare| prepare.namespaces());
    let is_kept = namespaces & libc::CLONE_NEWPID != 0 && !command.prepare.is_some_and(Prepare::is_first);
    // SAFETY: does not return, and is called after a fork only. The texts and their lists, ended by nulls, live as long as this.
    let become_it = || unsafe {
        become_program(&prepared, &arguments, &environment, [&go_read, &go_write], &error_write);
    };
    let (child, keeper) = match is_kept {
        true => {
            let (child, keeper) = keeper::start(namespaces, &go_write, &become_it)?;
            (child, Some(keeper))
        }
        false => {
            // SAFETY: with no flags but namespaces, the system call is a fork; the child only calls what is safe after one.
            let child = unsafe {
                match namespaces {
                    0 => libc::fork(),
                    namespaces => libc::syscall(libc::SYS_clone, namespaces | libc::SIGCHLD, 0, 0, 0, 0) as libc::pid_t,
                }
            };
            match child {
                0 => {
                    become_it();
                    (0, None)
                }
                ..0 => return Err(io::Error::last_os_error()),
                child => {
                    if namespaces & libc::CLONE_NEWUSER != 0 {
                        keeper::map_ids(child);
                    }
                    (child, None)
                }
            }
        }
    };
    drop((go_read, error_write));
    let options = libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_TRACEEXEC;
    // SAFETY: a child of ours, which has not been waited for; the options are a number.
    let traced = command.tracing == Tracing::Wanted
        && unsafe { libc::ptrace(libc::PTRACE_SEIZE, child, ptr::null_mut::<u8>(), options as usize) } == 0;
    // SAFETY: numbers only.
    let process = unsafe { libc::syscall(libc::SYS_pidfd_open, child, 0) };
    // SAFETY: the kernel gave it out just now, to nobody else.
    let process = (process >= 0).then(|| unsafe { OwnedFd::from_raw_fd(process as i32) });
    // The child waits for this end to close.
    drop(go_write);
    drop(one_at_a_time);
    let mut error = [0; REFUSAL_SIZE];
    let count = loop {
        // SAFETY: the kernel writes into the array, and no further.
        let count = unsafe { libc::read(error_read.as_raw_fd(), error.as_mut_ptr().cast(), error.len()) };
        if count >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            break count;
        }
    };
    if count == error.len() as isize {
        let mut status = 0;
        // SAFETY: a child of ours that ends at once; nobody else waits for it.
        unsafe { libc::waitpid(child, &mut status, libc::__WALL) };
        return Err(refusal(error));
    }
    Ok(Launched { program: child, traced, keeper, process })
}

pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: the kernel writes two descriptors, for which there is room.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel gave them out just now, to nobody else.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

/// What the child tells when it cannot become the program: the step that failed, and `errno`.
const REFUSAL_SIZE: usize = 5;
const FIXING_ADDRESSES: u8 = 1;
const EXECUTING: u8 = 2;
const PREPARING: u8 = 3;
const ENTERING: u8 = 4;

fn refusal([step, number @ ..]: [u8; REFUSAL_SIZE]) -> io::Error {
    let error = io::Error::from_raw_os_error(i32::from_le_bytes(number));
    match step {
        FIXING_ADDRESSES => io::Error::other(format!(
            "cannot turn off address randomisation ({error}); in a container, allow the system call personality (docker \
             run --security-opt seccomp=unconfined)"
        )),
        PREPARING => io::Error::other(format!("cannot set up the sandbox ({error}); see faultline doctor")),
        ENTERING => io::Error::other(format!("cannot enter its directory ({error})")),
        _ => error,
    }
}

/// A larger limit of the stack makes the kernel choose another layout of memory, without room for the shadows.
const LARGEST_STACK: libc::rlim_t = 64 << 30;

/// In the child: only calls that are safe after a fork.
///
/// # Safety
///
/// This process is the child of a fork, and nobody else's code runs in it. Arguments and environment are lists of texts that end
/// with a zero byte, themselves ended by a null.
unsafe fn become_program(
    command: &Prepared<'_>,
    arguments: &[*const libc::c_char],
    environment: &[*const libc::c_char],
    [go_read, go_write]: [&OwnedFd; 2],
    error: &OwnedFd,
) -> ! {
    // SAFETY: system calls only, on memory of this function and of the caller, who vouches for the lists.
    unsafe {
        libc::close(go_write.as_raw_fd());
        let mut byte = 0u8;
        while libc::read(go_read.as_raw_fd(), (&raw mut byte).cast(), 1) < 0 && *libc::__errno_location() == libc::EINTR
        {
        }
        let mut stack = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(libc::RLIMIT_STACK, &mut stack) == 0 && stack.rlim_cur > LARGEST_STACK {
            stack.rlim_cur = LARGEST_STACK;
            libc::setrlimit(libc::RLIMIT_STACK, &stack);
        }
        for &(ours, programs) in command.redirections {
            libc::dup2(ours, programs);
        }
        for descriptor in (0..3).filter(|descriptor| command.closed & 1 << descriptor != 0) {
            libc::close(descriptor);
        }
        // Rust ignores SIGPIPE; the program must find it as the shell left it, which is the default.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let refuse = |step: u8, number: i32| -> ! {
            let [a, b, c, d] = number.to_le_bytes();
            let refusal: [u8; REFUSAL_SIZE] = [step, a, b, c, d];
            libc::write(error.as_raw_fd(), refusal.as_ptr().cast(), refusal.len());
            libc::_exit(127)
        };
        if libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong) < 0 {
            refuse(FIXING_ADDRESSES, *libc::__errno_location());
        }
        if let Some(Err(number)) = command.prepare.map(|prepare| prepare.prepare()) {
            refuse(PREPARING, number);
        }
        // After the preparation: that may have put another file system there.
        if let Some(directory) = &command.directory
            && libc::chdir(directory.as_ptr()) != 0
        {
            refuse(ENTERING, *libc::__errno_location());
        }
        // A program that is confined has none of the descriptors we were started with.
        if command.prepare.is_some() {
            close_on_exec_from(3);
        }
        for &kept in &command.kept {
            libc::fcntl(kept, libc::F_SETFD, 0);
        }
        if let Some(Err(number)) = command.prepare.map(|prepare| prepare.confine()) {
            refuse(PREPARING, number);
        }
        libc::execve(command.program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
        refuse(EXECUTING, *libc::__errno_location())
    }
}
