//! Running a program with a time limit.

use std::fmt;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use wait_timeout::ChildExt;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
    TimedOut,
}

impl Ending {
    /// As a shell reports it, and `faultline record` too: a signal is 128 plus its number.
    pub fn as_shell_status(self) -> Option<i32> {
        match self {
            Ending::Exit(code) => Some(code),
            Ending::Signal(signal) => Some(128 + signal),
            Ending::TimedOut => None,
        }
    }

    fn of(status: ExitStatus) -> Ending {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exit(code),
            (None, signal) => Ending::Signal(signal.unwrap_or_default()),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exit(code) => write!(f, "exit {code}"),
            Ending::Signal(signal) => write!(f, "signal {signal}"),
            Ending::TimedOut => write!(f, "timed out"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Ran {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
}

/// Runs a command with this standard input, and kills it with all its children when the limit is over.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> Result<Ran> {
    let begin = Instant::now();
    // A group of its own: `faultline record` and the program it records are killed together.
    let mut child = command
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let (mut stdin, mut stdout, mut stderr) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
    std::thread::scope(|scope| {
        // A program need not read its input; then it is gone before we have written it.
        scope.spawn(move || drop(stdin.write_all(input)));
        let out = scope.spawn(move || read_all(&mut stdout));
        let err = scope.spawn(move || read_all(&mut stderr));
        let status = child.wait_timeout(limit)?;
        let ending = match status {
            Some(status) => Ending::of(status),
            None => {
                // SAFETY: the group is our child's own, and the child has not been waited for.
                unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
                child.wait()?;
                Ending::TimedOut
            }
        };
        let time = begin.elapsed();
        Ok(Ran { ending, stdout: out.join().unwrap(), stderr: err.join().unwrap(), time })
    })
}

/// A program that prints without end finds its pipe closed.
const MOST_OUTPUT: u64 = 16 << 20;

fn read_all(from: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error still counts.
    let _ = from.take(MOST_OUTPUT).read_to_end(&mut bytes);
    bytes
}
