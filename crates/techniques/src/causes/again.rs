//! The reference, run again with changes.

use budget::Budget;
use experiment::{Counterpart, Intervention, Lab, Ran};
use findings::Compared;
use replay::{Image, Step};

use subject::{Remedy, TechniqueError};

/// How a reference run is made once more.
pub enum Again<'a> {
    /// It is the failing program with these changes, which repair it.
    Repaired { lab: &'a Lab, by: &'a Remedy },
    /// It is another version of the program.
    Version(&'a Counterpart),
}

impl Again<'_> {
    /// Makes a run with more changes, recorded, and shows it to `look`.
    pub fn examine<T>(
        &self,
        changes: &[Intervention],
        budget: &Budget,
        look: impl FnOnce(&Ran, &Image<'_>) -> Result<T, TechniqueError>,
    ) -> Result<T, TechniqueError> {
        match self {
            Again::Repaired { lab, by } => lab.examine(&[&by.changes[..], changes].concat(), budget, look),
            Again::Version(counterpart) => counterpart.examine(changes, budget, look),
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
