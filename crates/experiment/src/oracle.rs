//! Telling right from wrong.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::memory_file::memory_file;
use crate::outcome::{End, Ran};

/// What a right run does. Where nothing is said, any run is right that ends by itself and is not killed.
#[derive(Clone, Default, Debug)]
pub struct Oracle {
    /// Standard output.
    pub output: Option<Vec<u8>>,
    pub status: Option<i32>,
    /// A command for the shell, which judges.
    pub check: Option<OsString>,
    /// Where the check runs; `None`: where we are.
    pub check_directory: Option<PathBuf>,
    /// The program that showed what is right, if one did.
    pub reference: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Right,
    Wrong,
    CannotTell,
}

impl Oracle {
    pub fn judge(&self, ran: &Ran) -> io::Result<Verdict> {
        let has_ended = matches!(ran.end, End::Exited(_));
        let status_is_right = match (self.status, ran.end) {
            (Some(wanted), End::Exited(status)) => status == wanted,
            // As the shell has it.
            (Some(wanted), End::Killed(signal)) => 128 + signal == wanted,
            (Some(_), _) => false,
            (None, _) => has_ended || self.check.is_some(),
        };
        let output_is_right = self.output.as_ref().is_none_or(|wanted| *wanted == ran.output);
        if !status_is_right || !output_is_right {
            return Ok(Verdict::Wrong);
        }
        match &self.check {
            Some(check) => judge_by_command(check, self.check_directory.as_deref(), ran),
            None => Ok(Verdict::Right),
        }
    }
}

/// By the exit status of the check, as `git bisect run` has it: 0 right, 1 to 124 wrong, 125 cannot tell.
fn judge_by_command(check: &OsString, directory: Option<&Path>, ran: &Ran) -> io::Result<Verdict> {
    let status = match ran.end {
        End::Exited(status) => status,
        End::Killed(signal) => 128 + signal,
        // What `timeout` gives.
        End::TooLong | End::Budget | End::Stopped | End::Forks | End::Memory => 124,
    };
    let (output, error) = (memory_file(&ran.output)?, memory_file(&ran.error)?);
    let name = |file: &std::fs::File| {
        use std::os::fd::AsRawFd;
        format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd())
    };
    let mut shell = Command::new("/bin/sh");
    if let Some(directory) = directory {
        shell.current_dir(directory);
    }
    let judged = shell
        .arg("-c")
        .arg(check)
        .env("FAULTLINE_STDOUT", name(&output))
        .env("FAULTLINE_STDERR", name(&error))
        .env("FAULTLINE_STATUS", status.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(match judged.code() {
        Some(0) => Verdict::Right,
        Some(126 | 127) => {
            return Err(io::Error::other(format!("the check `{}` cannot be run", check.to_string_lossy())));
        }
        Some(1..=124) => Verdict::Wrong,
        Some(_) | None => Verdict::CannotTell,
    })
}
