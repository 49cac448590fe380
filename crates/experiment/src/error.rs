//! Why a case cannot be run, or cannot be experimented on.

use std::io;
use std::time::Duration;

use budget::Spent;
use recording::ReadError;
use recording::record::RecordError;

use crate::case::CaseError;
use crate::reference::ReferenceError;
use crate::server::ServerError;

#[derive(Debug, thiserror::Error)]
pub enum LabError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    #[error("the program does not fail: {0}")]
    DoesNotFail(String),
    #[error("no sandbox is possible on this machine, so experiments could change your files; see faultline doctor")]
    NoWalls,
    #[error("the oracle cannot judge whether the run is correct")]
    CannotTell,
    #[error("the program is not deterministic ({0}), so experiments on it would show nothing")]
    Flaky(String),
    #[error(
        "the run takes {:.1} s, but recording it had not finished after {:.1} s; give it a longer --budget or a smaller \
         input, which `faultline shrink` can find",
        took.as_secs_f64(), recorded.as_secs_f64()
    )]
    TooSlow { took: Duration, recorded: Duration },
    #[error(
        "the run had not ended after {:.1} s, and the time budget leaves no time to wait longer; give it a longer --budget",
        .0.as_secs_f64()
    )]
    StillRunning(Duration),
    #[error(transparent)]
    Spent(#[from] Spent),
}
