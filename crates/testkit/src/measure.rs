//! The time a command takes, as the kernel counts it.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Seconds.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub real: f64,
    /// Of the command and of the children it has waited for.
    pub user: f64,
    /// The most memory it had at a time, in MiB.
    pub memory: f64,
}

/// Runs a command that must succeed. Its output goes to a file: some programs do less when it is `/dev/null`.
pub fn measure(command: &mut Command, input: Option<&Path>, output: &Path) -> Result<Cost> {
    let stdin = match input {
        Some(path) => Stdio::from(File::open(path).with_context(|| path.display().to_string())?),
        None => Stdio::null(),
    };
    let stdout = File::create(output).with_context(|| output.display().to_string())?;
    let begin = Instant::now();
    let child =
        command.stdin(stdin).stdout(stdout).stderr(Stdio::piped()).spawn().with_context(|| format!("{command:?}"))?;
    let (status, user, memory) = wait(child.id())?;
    let real = begin.elapsed().as_secs_f64();
    if !status.success() {
        let mut said = String::new();
        if let Some(mut stderr) = child.stderr {
            let _ = std::io::Read::read_to_string(&mut stderr, &mut said);
        }
        bail!("{command:?}: {status}\n{said}");
    }
    Ok(Cost { real, user, memory })
}

/// Waits for a child, and tells the user time of it and its children, and the most memory it had.
pub fn wait(child: u32) -> Result<(ExitStatus, f64, f64)> {
    let mut status = 0;
    // SAFETY: both results are plain memory that the call fills; the child is ours and not waited for elsewhere.
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(child as i32, &mut status, 0, &mut usage), usage)
    };
    if waited < 0 {
        return Err(std::io::Error::last_os_error()).context("cannot wait for a child");
    }
    let user = usage.ru_utime.tv_sec as f64 + usage.ru_utime.tv_usec as f64 / 1e6;
    Ok((ExitStatus::from_raw(status), user, usage.ru_maxrss as f64 / 1024.0))
}

/// The middle one; costs are compared by real time.
pub fn median(mut costs: Vec<Cost>) -> Cost {
    costs.sort_by(|a, b| a.real.total_cmp(&b.real));
    costs[costs.len() / 2]
}

pub fn geometric_mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = numbers.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}
