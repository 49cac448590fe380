//! Answers and facts kept on disk, so that an interrupted evaluation goes on where it was.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::facts::Facts;
use crate::folder::folder;

/// What can be kept.
pub trait Kept: Serialize + DeserializeOwned {
    fn made_from(&self) -> &str;
}

impl Kept for Answer {
    fn made_from(&self) -> &str {
        &self.made_from
    }
}

impl Kept for Facts {
    fn made_from(&self) -> &str {
        &self.made_from
    }
}

/// Where the answer of a technique is kept, or what else is named.
pub fn path_of(subject: &str, fault: &str, name: &str) -> PathBuf {
    folder().join("answers").join(subject).join(fault).join(format!("{name}.json"))
}

/// What was kept earlier, if it was made from the same.
pub fn kept<T: Kept>(path: &Path, made_from: &str) -> Option<T> {
    let kept: T = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    (kept.made_from() == made_from).then_some(kept)
}

pub fn keep<T: Kept>(path: &Path, what: &T) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("a file has a folder")?)?;
    // Whole or not at all, should the evaluation be interrupted.
    let aside = path.with_extension("new");
    std::fs::write(&aside, serde_json::to_vec(what)?)?;
    Ok(std::fs::rename(aside, path)?)
}
