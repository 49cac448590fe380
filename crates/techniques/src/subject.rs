//! What a technique is given: the failing run, understood, and the lab to try things in.

use std::time::Instant;

use abi::StreamId;
use execution::Run;
use execution::failure::{self, FailureError, Question};
use execution::slice::SliceError;
use execution::sources::Sources;
use experiment::{End, Lab, LabError};
use recording::{ReadError, Recording};
use replay::{Image, ReplayError};

pub struct Subject<'a, 'r> {
    pub lab: &'a Lab,
    pub run: &'a Run<'r>,
    pub sources: &'a Sources<'a, 'r>,
    pub question: Question,
    /// When to come to an end.
    pub deadline: Instant,
    pub progress: &'a dyn Progress,
}

/// Who wants to know what is being tried.
pub trait Progress: Sync {
    /// So many of so many experiments of a kind are done.
    fn tried(&self, what: &str, done: usize, of: usize);

    /// Somebody wants the best that is known by now.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Nobody does.
pub struct Quiet;

impl Progress for Quiet {
    fn tried(&self, _: &str, _: usize, _: usize) {}
}

#[derive(Debug, thiserror::Error)]
pub enum TechniqueError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Failure(#[from] FailureError),
    #[error(transparent)]
    Slice(#[from] SliceError),
    #[error(transparent)]
    Lab(#[from] LabError),
}

impl Subject<'_, '_> {
    /// Whether the oracle wants something in particular, not just that the failure goes away.
    pub fn is_hard_to_satisfy(&self) -> bool {
        let oracle = self.lab.oracle();
        let has_ended = matches!(self.lab.baseline().ran.end, End::Exited(_));
        has_ended && (oracle.output.is_some() || oracle.check.is_some())
    }

    /// Whether there is no more time.
    pub fn is_over(&self) -> bool {
        self.progress.is_interrupted() || Instant::now() >= self.deadline
    }
}

/// Opens the recording of a lab's failing run.
pub fn with_subject<T>(
    lab: &Lab,
    deadline: Instant,
    progress: &dyn Progress,
    look: impl FnOnce(&Subject<'_, '_>) -> Result<T, TechniqueError>,
) -> Result<T, TechniqueError> {
    let recording = Recording::open(&lab.baseline().recording)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId(1))?;
    let sources = Sources::new(&image)?;
    let question = question(lab, &run)?;
    look(&Subject { lab, run: &run, sources: &sources, question, deadline, progress })
}

/// What is wrong with the failing run: that it was killed, what it wrote, or how it ended.
fn question(lab: &Lab, run: &Run<'_>) -> Result<Question, FailureError> {
    let failing = &lab.baseline().ran;
    let End::Exited(status) = failing.end else { return failure::by_itself(run) };
    if let Some(expected) = &lab.oracle().output {
        match failure::wrong_output(run, &failing.output, expected) {
            Err(FailureError::AsExpected) => {}
            other => return other,
        }
    }
    match lab.oracle().status {
        None if status == 0 && !failing.output.is_empty() => {
            // Only a check knows what is wrong; the last thing written is what it has seen.
            failure::output_byte(run, failing.output.len() as u64 - 1)
        }
        _ => failure::status_of(run, status),
    }
}
