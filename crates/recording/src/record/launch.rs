//! Starting the program: no address randomisation, traced if that is allowed, with the shared memory's descriptor.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::ptr;

use abi::SHARED_VARIABLE;

use super::memory::SharedMemory;
use super::standard::closed_at_start;

/// All a forked child needs, made before the fork: a child of a process with threads must not allocate.
pub struct Command {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    memory: i32,
    /// Descriptors of ours, and which of the program's they become.
    redirections: Vec<(i32, i32)>,
    /// Bits of the standard streams that the program is to find closed.
    closed: u32,
}

impl Command {
    /// `name` is what the program will see as its own name.
    pub fn new(
        program: &Path,
        name: &Path,
        arguments: &[OsString],
        memory: &SharedMemory,
        redirections: Vec<(i32, i32)>,
    ) -> io::Result<Command> {
        let memory = memory.file().as_raw_fd();
        let mut all = vec![string(name.as_os_str())?];
        for argument in arguments {
            all.push(string(argument)?);
        }
        let mut environment = Vec::new();
        for (name, value) in std::env::vars_os().filter(|(name, _)| name != SHARED_VARIABLE) {
            let mut entry = name.into_vec();
            entry.push(b'=');
            entry.extend(value.as_bytes());
            environment.push(CString::new(entry)?);
        }
        environment.push(CString::new(format!("{SHARED_VARIABLE}={}:{memory}", abi::VERSION))?);
        let closed = closed_at_start();
        Ok(Command { program: string(program.as_os_str())?, arguments: all, environment, memory, redirections, closed })
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
    /// Names this process even after its id has gone to another.
    process: Option<OwnedFd>,
}

impl Launched {
    pub fn kill(&self) {
        match &self.process {
            Some(process) => unsafe {
                libc::syscall(libc::SYS_pidfd_send_signal, process.as_raw_fd(), libc::SIGKILL, ptr::null::<u8>(), 0);
            },
            None => unsafe {
                libc::kill(self.program, libc::SIGKILL);
            },
        }
    }
}

/// Starts the program. The calling thread becomes its parent and tracer.
pub fn launch(command: &Command) -> io::Result<Launched> {
    let arguments = pointers(&command.arguments);
    let environment = pointers(&command.environment);
    let (go_read, go_write) = pipe()?;
    let (error_read, error_write) = pipe()?;
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(io::Error::last_os_error());
    }
    if child == 0 {
        unsafe { become_program(command, &arguments, &environment, [&go_read, &go_write], &error_write) };
    }
    drop((go_read, error_write));
    let options = libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACECLONE | libc::PTRACE_O_TRACEEXEC;
    let seized = unsafe { libc::ptrace(libc::PTRACE_SEIZE, child, ptr::null_mut::<u8>(), options as usize) };
    let process = unsafe { libc::syscall(libc::SYS_pidfd_open, child, 0) };
    let process = (process >= 0).then(|| unsafe { OwnedFd::from_raw_fd(process as i32) });
    // The child waits for this end to close.
    drop(go_write);
    let mut error = [0; REFUSAL_SIZE];
    let count = loop {
        let count = unsafe { libc::read(error_read.as_raw_fd(), error.as_mut_ptr().cast(), error.len()) };
        if count >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            break count;
        }
    };
    if count == error.len() as isize {
        let mut status = 0;
        // The child ends at once; nobody else waits for it.
        unsafe { libc::waitpid(child, &mut status, libc::__WALL) };
        return Err(refusal(error));
    }
    Ok(Launched { program: child, traced: seized == 0, process })
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

/// What the child tells when it cannot become the program: the step that failed, and `errno`.
const REFUSAL_SIZE: usize = 5;
const FIXING_ADDRESSES: u8 = 1;
const EXECUTING: u8 = 2;

fn refusal([step, number @ ..]: [u8; REFUSAL_SIZE]) -> io::Error {
    let error = io::Error::from_raw_os_error(i32::from_le_bytes(number));
    match step {
        FIXING_ADDRESSES => io::Error::other(format!(
            "address randomisation cannot be turned off ({error}); if this is a container, allow the system call \
             personality (docker run --security-opt seccomp=unconfined)"
        )),
        _ => error,
    }
}

/// A larger limit of the stack makes the kernel choose another layout of memory, without room for the shadows.
const LARGEST_STACK: libc::rlim_t = 64 << 30;

/// In the child: only calls that are safe after a fork.
unsafe fn become_program(
    command: &Command,
    arguments: &[*const libc::c_char],
    environment: &[*const libc::c_char],
    [go_read, go_write]: [&OwnedFd; 2],
    error: &OwnedFd,
) -> ! {
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
        libc::fcntl(command.memory, libc::F_SETFD, 0);
        for &(ours, programs) in &command.redirections {
            libc::dup2(ours, programs);
        }
        for descriptor in (0..3).filter(|descriptor| command.closed & 1 << descriptor != 0) {
            libc::close(descriptor);
        }
        // Rust ignores SIGPIPE; the program must find it as the shell left it, which is the default.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut step = FIXING_ADDRESSES;
        if libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong) >= 0 {
            step = EXECUTING;
            libc::execve(command.program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
        }
        let [a, b, c, d] = (*libc::__errno_location()).to_le_bytes();
        let refusal: [u8; REFUSAL_SIZE] = [step, a, b, c, d];
        libc::write(error.as_raw_fd(), refusal.as_ptr().cast(), refusal.len());
        libc::_exit(127)
    }
}
