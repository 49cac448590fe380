//! Why a technique could not come to its end.

use budget::Spent;
use execution::slice::SliceError;
use experiment::{LabError, ReferenceError};
use failure::FailureError;
use recording::ReadError;
use replay::{ReplayError, Where};

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
    #[error(transparent)]
    Rank(#[from] RankError),
}

impl TechniqueError {
    /// As a person is told. Where a replay departs, what it expected is of no use to anybody but us.
    pub fn spoken(&self) -> String {
        let replay = match self {
            TechniqueError::Replay(error)
            | TechniqueError::Failure(FailureError::Replay(error))
            | TechniqueError::Slice(SliceError::Replay(error)) => error,
            TechniqueError::Rank(RankError::Replay { error, .. }) => error,
            other => return other.to_string(),
        };
        match replay {
            ReplayError::Departed { place, .. } => departed(place),
            other => other.to_string(),
        }
    }

    /// That there was nothing more to spend, if that is all that is wrong.
    pub fn spent(&self) -> Option<Spent> {
        let of_replay = |error: &ReplayError| match error {
            ReplayError::Spent(spent) => Some(*spent),
            _ => None,
        };
        match self {
            TechniqueError::Replay(error)
            | TechniqueError::Slice(SliceError::Replay(error))
            | TechniqueError::Failure(FailureError::Replay(error)) => of_replay(error),
            TechniqueError::Lab(LabError::Spent(spent)) => Some(*spent),
            TechniqueError::Rank(error) => error.spent(),
            TechniqueError::Read(_)
            | TechniqueError::Failure(_)
            | TechniqueError::Slice(SliceError::Walk(_))
            | TechniqueError::Lab(_) => None,
        }
    }
}

/// That a run cannot be replayed, and whose fault that is.
pub fn departed(place: &Where) -> String {
    let line = place.source.as_ref().map_or_else(String::new, |source| format!(" at {source}"));
    format!(
        "the run could not be replayed exactly from `{}`{line} on. That is a fault of faultline, not of your program; \
         `faultline record` and `faultline replay` show the details to report",
        place.function
    )
}

/// Of a ranking, which runs tests.
#[derive(Debug, thiserror::Error)]
pub enum RankError {
    #[error("no test fails ({passing} of {passing} pass), so there is nothing to compare; add a test that fails")]
    NoneFails { passing: u32 },
    #[error("test {test}: {error}")]
    Record { test: String, error: LabError },
    #[error("test {test}: {error}")]
    Reference { test: String, error: ReferenceError },
    #[error("test {test}: {error}")]
    Read { test: String, error: ReadError },
    #[error("test {test}: {error}")]
    Replay { test: String, error: Box<ReplayError> },
    #[error(transparent)]
    Lab(#[from] LabError),
}

impl RankError {
    /// That there was nothing more to spend, if that is all that is wrong.
    pub fn spent(&self) -> Option<Spent> {
        match self {
            RankError::Record { error: LabError::Spent(spent), .. } | RankError::Lab(LabError::Spent(spent)) => {
                Some(*spent)
            }
            // Whether that test ends, nobody had the time to find out.
            RankError::Record { error: LabError::StillRunning(_), .. } => Some(Spent::Time),
            RankError::Replay { error, .. } => match **error {
                ReplayError::Spent(spent) => Some(spent),
                _ => None,
            },
            _ => None,
        }
    }
}
