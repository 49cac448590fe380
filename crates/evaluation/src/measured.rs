//! A command run with a limit, and what it cost.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use testkit::Ending;
use testkit::measure::wait;

pub struct Measured {
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub seconds: f64,
    /// The most that it, or a process it waited for, had at a time, in MiB.
    pub memory: f64,
}

/// Runs a command with nothing to read, and kills it with all its children when the limit is over.
pub fn run_measured(command: &mut Command, limit: Duration) -> Result<Measured> {
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let begin = Instant::now();
    let child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let (is_over, until_over) = channel::<()>();
    let (waited, is_killed) = std::thread::scope(|scope| {
        let group = -(child.id() as i32);
        let watch = scope.spawn(move || {
            let late = until_over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if late {
                // SAFETY: the group is our child's own, and the child is waited for only below.
                unsafe { libc::kill(group, libc::SIGKILL) };
            }
            late
        });
        let waited = wait(child.id());
        let _ = is_over.send(());
        (waited, watch.join().unwrap_or(false))
    });
    let seconds = begin.elapsed().as_secs_f64();
    let (status, _, memory) = waited?;
    let ending = match (is_killed, status.code(), status.signal()) {
        (true, ..) => Ending::TimedOut,
        (false, Some(code), _) => Ending::Exit(code),
        (false, None, signal) => Ending::Signal(signal.unwrap_or_default()),
    };
    Ok(Measured { ending, stdout: contents(stdout)?, stderr: contents(stderr)?, seconds, memory })
}

fn contents(mut file: File) -> Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_and_outputs_are_told() {
        let mut command = Command::new("sh");
        let ran = run_measured(command.args(["-c", "echo a; echo b >&2; exit 3"]), Duration::from_secs(20)).unwrap();
        assert_eq!((ran.ending, &ran.stdout[..], &ran.stderr[..]), (Ending::Exit(3), &b"a\n"[..], &b"b\n"[..]));
        assert!(ran.memory > 0.0);
        let ran = run_measured(Command::new("sleep").arg("60"), Duration::from_millis(50)).unwrap();
        assert_eq!(ran.ending, Ending::TimedOut);
    }
}
