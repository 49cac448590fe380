//! Somebody who can be asked whether what a step did is as it should be.

use findings::{Deed, Location};

pub trait Witness {
    fn say(&self, step: &Asked) -> Verdict;
}

/// A step that somebody is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub location: Location,
    /// What it did, if the source has words for that.
    pub deed: Option<Deed>,
    /// How many are left to ask about.
    pub left: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Benign,
    Corrupted,
    Unknown,
    /// No more questions.
    Enough,
}
