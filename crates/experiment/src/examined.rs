//! Recorded runs that are examined once: afterwards only what was seen of them is needed.

use std::path::PathBuf;

use budget::Budget;
use recording::Recording;
use recording::plan::Intervention;
use replay::Image;

use crate::counterpart::Counterpart;
use crate::error::LabError;
use crate::lab::Lab;
use crate::outcome::Ran;

impl Lab {
    /// One run, recorded and shown to `look`. Its recording is gone afterwards. `budget`: for replaying it.
    pub fn examine<T, E: From<LabError>>(
        &self,
        experiment: &[Intervention],
        budget: &Budget,
        look: impl FnOnce(&Ran, &Image<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        examine(self.record(experiment)?, budget, look)
    }
}

impl Counterpart {
    /// The same of the other version.
    pub fn examine<T, E: From<LabError>>(
        &self,
        experiment: &[Intervention],
        budget: &Budget,
        look: impl FnOnce(&Ran, &Image<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        examine(self.record(experiment)?, budget, look)
    }
}

fn examine<T, E: From<LabError>>(
    (ran, path): (Ran, PathBuf),
    budget: &Budget,
    look: impl FnOnce(&Ran, &Image<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let recording = Recording::open(&path).map_err(LabError::Read)?;
    let found = look(&ran, &Image::within(&recording, budget));
    drop(recording);
    // Its folder is removed with all that is in it; this keeps it small meanwhile.
    let _ = std::fs::remove_file(&path);
    found
}
