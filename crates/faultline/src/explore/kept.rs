//! Inputs are written as they are found, so nothing is lost whatever ends the search.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use experiment::Case;
use techniques::exploring::Kept;

pub struct Writer<'a> {
    folder: Option<&'a Path>,
    case: &'a Case,
}

/// Where an input is written. That with the number 0 is the given one.
pub fn folder(of: &Path, number: usize) -> PathBuf {
    of.join(format!("{number:04}"))
}

impl<'a> Writer<'a> {
    pub fn new(folder: Option<&'a Path>, case: &'a Case) -> Writer<'a> {
        Writer { folder, case }
    }

    pub fn write(&mut self, number: usize, kept: &Kept) -> Result<()> {
        let Some(all) = self.folder else { return Ok(()) };
        let folder = folder(all, number);
        // What an earlier search has left there is not this one's.
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => std::fs::create_dir_all(&folder).and_then(|()| kept.input.write_to(&folder, self.case)),
        }
        .with_context(|| format!("cannot write {}", folder.display()))
    }
}
