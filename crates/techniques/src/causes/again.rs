//! The reference, run again with changes.

use std::path::PathBuf;

use experiment::{Counterpart, Intervention, Lab, LabError, Ran};
use findings::Compared;
use replay::Step;

use crate::Remedy;

/// How a reference run is made once more.
pub enum Again<'a> {
    /// It is the failing program with these changes, which repair it.
    Repaired { lab: &'a Lab, by: &'a Remedy },
    /// It is another version of the program.
    Version(&'a Counterpart),
}

impl Again<'_> {
    /// One recorded run with more changes.
    pub fn record(&self, changes: &[Intervention]) -> Result<(Ran, PathBuf), LabError> {
        match self {
            Again::Repaired { lab, by } => lab.record(&[&by.changes[..], changes].concat()),
            Again::Version(counterpart) => counterpart.record(changes),
        }
    }

    /// What the failing run is compared with.
    pub fn compared(&self) -> Compared {
        match self {
            Again::Repaired { .. } => Compared::Repaired,
            Again::Version(_) => Compared::Reference,
        }
    }

    /// How many changes a run is made with before any of ours.
    pub fn own_changes(&self) -> usize {
        match self {
            Again::Repaired { by, .. } => by.changes.len(),
            Again::Version(_) => 0,
        }
    }

    /// A step of the place that computes something else in it, if one does.
    pub fn edited(&self) -> Option<Step> {
        match self {
            Again::Repaired { by, .. } => by.edited,
            Again::Version(_) => None,
        }
    }
}
