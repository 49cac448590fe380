//! Statements that are not there at all, which no condition brings back: our own addition to paper and technique in
//! `omission`, which asks for it when its search is over and ranks what is found among its own lines.
//!
//! In: the final set of that search, and what the run executed. Out: values that should have been set anew before they were
//! used, as experiments show (`stale`); where that could have been done, and why (`gap`); conditions that had an outcome for the
//! first time while something should have been written (`novel`). None of these places is proven to be the fault.

mod stale;
mod gap;
mod novel;
pub mod places;
pub mod explain;

use std::collections::HashSet;

use execution::predicates::Predicate;
use replay::Step;

pub use gap::{Executed, Gap, Sign};
pub use places::Suspicion;
pub use stale::Stale;

use crate::outputs::Silence;
use crate::pruning::Pruned;
use gap::gaps;
use novel::novel;
use stale::{Old, stale};
use subject::{Subject, TechniqueError};

/// What has been found.
#[derive(Debug)]
pub struct Missing {
    /// Values that should have been set anew.
    pub stale: Vec<Stale>,
    /// Where.
    pub gaps: Vec<Gap>,
    /// Conditions that had an outcome for the first time while something should have been written.
    pub novel: Vec<Predicate>,
    /// Runs made.
    pub runs: u64,
    /// Not all uses were examined.
    pub are_uses_cut: bool,
}

/// Where to look.
pub struct Sought<'a> {
    pub set: &'a Pruned,
    pub executed: Executed<'a>,
    pub silence: Option<Silence>,
    /// Steps that the user called right.
    pub benign: &'a HashSet<Step>,
}

/// `wider`: the set to look in where the first has no such values, if there is one.
pub fn missing(
    subject: &Subject<'_, '_>,
    sought: &Sought<'_>,
    wider: impl FnOnce() -> Result<Option<Pruned>, TechniqueError>,
) -> Result<Missing, TechniqueError> {
    let mut old = stale(subject, sought.set)?;
    let mut runs = old.runs;
    if old.values.is_empty()
        && let Some(wider) = wider()?
    {
        old = stale(subject, &wider)?;
        runs += old.runs;
    }
    let Old { values: stale, is_cut: are_uses_cut, .. } = old;
    let is_open = |step: Step| !sought.benign.contains(&step);
    let mut gaps = gaps(subject, sought.executed, &stale)?;
    gaps.retain(|gap| is_open(gap.step));
    let predicates = sought.executed.predicates;
    let mut novel = sought.silence.map_or_else(Vec::new, |silence| novel(subject.run, predicates, silence));
    novel.retain(|one| is_open(one.at));
    Ok(Missing { stale, gaps, novel, runs, are_uses_cut })
}
