//! Recorded runs that are examined once: afterwards only what was seen of them is needed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use budget::Budget;
use recording::Recording;
use recording::folder::Folder;
use recording::plan::Intervention;
use replay::Image;

use crate::counterpart::Counterpart;
use crate::lab::{Lab, LabError};
use crate::outcome::Ran;

/// Paths of recordings in a folder. None comes twice, whichever of them were removed.
pub struct Recordings {
    folder: Folder,
    made: AtomicU64,
}

impl Recordings {
    pub fn new(folder: Folder) -> Recordings {
        Recordings { folder, made: AtomicU64::new(0) }
    }

    pub fn next(&self) -> PathBuf {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        self.folder.path().join(format!("{number}.flt"))
    }
}

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
