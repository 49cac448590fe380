//! A program that behaves correctly: what it does with the same arguments and input is what the debugged one should do.
//!
//! It runs in the same sandbox, on its own copy of the case's files, and with a time limit: it may hang on an input that was
//! made up.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::case::Case;
use crate::guest::{Guest, invite};
use crate::input::Input;
use crate::memory_file::input_file;
use crate::oracle::Oracle;
use crate::outcome::{End, Right};
use crate::sandbox::{Readable, Walls};
use crate::scratch::Scratch;

#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    #[error("cannot run the reference {}: {error}", program.display())]
    CannotRun { program: PathBuf, error: io::Error },
    #[error("the reference {} fails itself: {how}", program.display())]
    Wrong { program: PathBuf, how: String },
}

/// A reference of a case, and what it did on other inputs.
pub struct Reference {
    program: PathBuf,
    case: Case,
    patience: Duration,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    rights: HashMap<blake3::Hash, Arc<Right>>,
    /// Of their outputs.
    bytes: usize,
}

/// Bytes of output, and inputs, that are remembered, at most.
const MOST_BYTES: usize = 64 << 20;
const MOST_INPUTS: usize = 1 << 16;

impl Reference {
    pub fn new(program: &Path, case: &Case, patience: Duration) -> Reference {
        Reference { program: program.to_path_buf(), case: case.clone(), patience, known: Mutex::default() }
    }

    /// What it does on an input of the case.
    pub fn right(&self, input: &Input) -> Result<Arc<Right>, ReferenceError> {
        let hash = input.hash();
        if let Some(right) = self.known.lock().expect("nobody panics holding it").rights.get(&hash) {
            return Ok(right.clone());
        }
        let cannot_run = |error| ReferenceError::CannotRun { program: self.program.clone(), error };
        let (case, _folder) = input.as_case(&self.case).map_err(cannot_run)?;
        let right = Arc::new(run_reference(&self.program, &case, self.patience)?);
        let mut known = self.known.lock().expect("nobody panics holding it");
        if known.bytes + right.output.len() > MOST_BYTES || known.rights.len() >= MOST_INPUTS {
            *known = Known::default();
        }
        known.bytes += right.output.len();
        known.rights.insert(hash, right.clone());
        Ok(right)
    }
}

/// Runs the reference on what a case has.
pub fn run_reference(program: &Path, case: &Case, patience: Duration) -> Result<Right, ReferenceError> {
    run(program, case, patience).map_err(|error| ReferenceError::CannotRun { program: program.to_path_buf(), error })
}

/// The oracle that wants what the reference does.
pub fn oracle_by_reference(program: &Path, case: &Case, patience: Duration) -> Result<Oracle, ReferenceError> {
    let right = run_reference(program, case, patience)?;
    let refused = match &right.calls_refused[..] {
        [] => String::new(),
        calls => {
            format!(" (the sandbox refused its system calls {}; --allow CALL lets a call through)", calls.join(", "))
        }
    };
    let how = match right.end {
        End::Exited(status) => {
            return Ok(Oracle {
                output: Some(right.output),
                status: Some(status),
                reference: Some(program.to_path_buf()),
                ..Oracle::default()
            });
        }
        End::Killed(signal) => format!("it was killed by signal {signal}{refused}"),
        _ => format!("it did not end within {} seconds{refused}", patience.as_secs_f64()),
    };
    Err(ReferenceError::Wrong { program: program.to_path_buf(), how })
}

fn run(program: &Path, case: &Case, patience: Duration) -> io::Result<Right> {
    let walls = Walls::needed()
        .ok_or_else(|| io::Error::other("no sandbox is possible on this machine; see faultline doctor"))?;
    let found = recording::record::find_program(program).map_err(io::Error::other)?;
    let scratch = Scratch::new(case)?;
    let visit = invite(
        &Guest {
            program: &found,
            name: program.as_os_str(),
            arguments: &case.arguments,
            environment: case.environment.clone(),
            directory: &scratch.directory()?,
            scratch: &scratch.writable(),
            input: input_file(&case.input, case.input_modified)?,
            readable: Readable::Everything,
            patience,
        },
        walls,
    )?;
    Ok(Right { end: visit.end, output: visit.output, calls_refused: visit.calls_refused })
}
