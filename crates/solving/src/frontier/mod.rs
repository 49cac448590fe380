//! Minimum debugging frontiers.
//!
//! # What it finds
//! Where, between the start of a run and its failure, the state turns bad: assignments and conditions whose other value would
//! have made the run right, while nothing that comes before them would.
//!
//! # How
//! The graph of all that the failure depends on is cut at its narrowest place, so that few values carry all that the
//! failure depends on. Each value of the cut becomes a symbol, and each condition is reversed; the run is followed from
//! there with terms, and a solver is asked for values under which the failure does not occur, first on the path of the run,
//! then on paths that turn away from it at one condition. Every answer is tried in a run of its own. Values and conditions for
//! which there is such an answer are *polluted*. If there are none, the fault lies between the cut and the failure; else it
//! lies before what is polluted. That part is cut again, until there is nothing left to cut. If conditions alone are
//! polluted, the next question is what would have reversed them.
//!
//! # Where it departs from the paper
//! Dependences cross calls; summary control dependences stay inside procedures, as in the paper. Of these, only branches count that
//! were executed since the definition that a use found: what others could have assigned was overwritten. A member of a cut is polluted
//! only if a run shows it. Values that a solver does not think of (floats, addresses) are tried as by `replace`. What reads
//! the input is no vertex of its own, so its first use is what is reported. The condition that stands at the failure itself
//! may be polluted, too.
//!
//! The paper's figure 4 has other cuts of its example than its rules give: of two that are as small, the rule takes the one whose
//! members are nearer to the failure, and the second one is not the smallest. The verdicts and the report are the paper's.
//!
//! # What it misses
//! Of several faults, those that are on the other side of a cut from where the search goes. A wrong value that another
//! wrong one makes good. In combinations, paths that turn away between the first and the last changed value. Missing code: the
//! use that found the wrong value is reported.
//!
//! # Reference
//! Li, Li, Huo and Feng, *Locating Software Faults Based on Minimum Debugging Frontier Set*.

mod unwritten;
mod states;
mod member;
mod goal;
mod judge;
mod range;
mod path;
mod explore;
mod examine;
mod combinations;
mod person;
mod strategy;
mod search;
mod explain;

use findings::Location;

use subject::asking::Witness;
use subject::{Found, Subject, TechniqueError};

pub use explore::Conditions;
pub use judge::Proof;
pub use member::{Member, State};
pub use range::Range;
pub use search::{Cause, Examined, Search, Searched, Turn, Went, search as searched, turn};
pub use strategy::Strategy;

/// How the search goes.
#[derive(Clone, Copy, Default)]
pub struct Manner<'w> {
    pub strategy: Strategy,
    pub procedures: Procedures,
    /// Somebody to be asked about what is polluted.
    pub witness: Option<&'w dyn Witness>,
    /// Who wants to see each turn.
    pub watcher: Option<&'w dyn Watcher>,
}

/// Somebody who sees each turn as it comes.
pub trait Watcher {
    /// The members of a cut, in the order of execution, each with whether it is polluted.
    fn turn(&self, members: &[(Location, bool)]);
}

/// How far summary control dependences reach.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Procedures {
    #[default]
    Inside,
    Between,
}

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    find_with(subject, Manner::default())
}

pub fn find_with(subject: &Subject<'_, '_>, manner: Manner<'_>) -> Result<Found, TechniqueError> {
    let searched = search::search(subject, manner)?;
    explain::found(subject, &searched)
}
