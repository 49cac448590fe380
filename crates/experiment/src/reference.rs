//! A program that behaves rightly: what it does with the same arguments and input is what the debugged one should do.
//!
//! It is the user's own choice and runs without walls, but not for ever: on an input that was made up it may hang.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt;

use recording::folder::Folder;

use crate::case::Case;
use crate::memory_file::{contents, memory_file};
use crate::oracle::Oracle;
use crate::outcome::End;
use crate::scratch::copy_tree;

/// What it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Right {
    pub end: End,
    pub output: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    #[error("cannot run the reference {}: {error}", program.display())]
    CannotRun { program: PathBuf, error: io::Error },
    #[error("the reference {} does not behave rightly: {how}", program.display())]
    Wrong { program: PathBuf, how: String },
}

/// Bytes of its output that are looked at.
const MOST_OUTPUT: u64 = 64 << 20;

/// Runs the reference on what a case has.
pub fn run_reference(program: &Path, case: &Case, patience: Duration) -> Result<Right, ReferenceError> {
    run(program, case, patience).map_err(|error| ReferenceError::CannotRun { program: program.to_path_buf(), error })
}

/// The oracle that wants what the reference does.
pub fn oracle_by_reference(program: &Path, case: &Case, patience: Duration) -> Result<Oracle, ReferenceError> {
    let right = run_reference(program, case, patience)?;
    let how = match right.end {
        End::Exited(status) => {
            return Ok(Oracle {
                output: Some(right.output),
                status: Some(status),
                reference: Some(program.to_path_buf()),
                ..Oracle::default()
            });
        }
        End::Killed(signal) => format!("it was killed by signal {signal}"),
        _ => format!("it did not end within {} seconds", patience.as_secs_f64()),
    };
    Err(ReferenceError::Wrong { program: program.to_path_buf(), how })
}

fn run(program: &Path, case: &Case, patience: Duration) -> io::Result<Right> {
    // A name alone is looked for in PATH.
    let is_path = program.components().count() > 1;
    let path = if is_path { std::path::absolute(program)? } else { program.to_path_buf() };
    // Files rather than pipes: nobody has to feed them.
    let (input, output) = (memory_file(&case.input)?, memory_file(&[])?);
    let mut command = Command::new(path);
    command.args(&case.arguments).stdin(input).stdout(output.try_clone()?).stderr(Stdio::null());
    let copy = Folder::new("reference")?;
    if let Some(files) = &case.files {
        let directory = copy.path().join("files");
        copy_tree(files, &directory)?;
        command.current_dir(directory);
    }
    let mut child = command.spawn()?;
    let end = match child.wait_timeout(patience)? {
        Some(status) => match (status.code(), status.signal()) {
            (Some(status), _) => End::Exited(status),
            (None, signal) => End::Killed(signal.unwrap_or(libc::SIGKILL)),
        },
        None => {
            child.kill()?;
            child.wait()?;
            End::TooLong
        }
    };
    Ok(Right { end, output: contents(&output, MOST_OUTPUT)? })
}
