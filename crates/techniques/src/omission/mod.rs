//! Execution omission.
//!
//! # What it finds
//! Faults that made code *not* run. What did not run leaves no trace: the wrong value at the failure comes from an old
//! definition, and nothing that was executed leads from there to the fault. Found are the conditions that kept a better
//! definition from being made, and what those conditions were computed from.
//!
//! # How
//! The slice of the failure is pruned first: steps whose values correct outputs confirm leave it. For what is left, facts
//! about the program's text say which conditions could have let another definition reach it. Each of these is reversed in
//! a run of its own. If the use is not executed any more, or a way of dependences leads to it from the reversed condition, it
//! depends on the condition, though nothing in the failing run shows it: an implicit dependence. It is strong if
//! the wrong output came out as expected. Strong ones join the slice (others only where there are none), the conditions'
//! operands are followed, the slice is pruned again, and so on until nothing changes.
//!
//! Where no single reversal makes the run right, the same conditions are taken the other way throughout, then together with
//! conditions inside them, then all other conditions of the run. Conditions before those that were found are reversed, too:
//! what was wrong came by them. In the end stand the conditions, what they kept from running, what they were computed from (the
//! declaration, where a variable still had what it began with), calls that were given such a variable and left it as it was,
//! and what lies between the conditions and the failure.
//!
//! A statement that is not there at all is brought back by no condition. So values that were made long before they were used are
//! set anew, in runs of their own, just before the use, or before they were copied to where it found them. What is tried is near to
//! the value, or suggested by the expected output, or what the program itself puts there or compares it with. Where that makes
//! right what was wrong, places are told that were executed in between, and why: what belongs with the value is set there; a
//! condition was decided there as often as the value is too small, or could have had the value set; a function was given what the
//! value is a part of; the function that had set it ended, or the one that used it began; or the declaration, where the value
//! began, or is kept. Told are also outcomes of conditions that came for the first time while something should have been
//! written, loops that were left in their middle, cases beside one that a switch has not, and where constants are defined that
//! stand on such lines. These are signs, not proofs, and are told as such, in turn with what was shown.
//!
//! # Where it departs from the paper
//! Nobody is asked which values are right, unless with `--ask`. All candidates are tried from outside first, which is cheap; only those that
//! make the wrong output right are recorded and compared, and others if there are none of these. A strong dependence must
//! be a dependence as well, as definition 4 has it and algorithm 2 has not, and it may be a path, as definition 2 has it; others
//! must be edges, as in algorithm 2, so that they are few. A missing use counts only if the switched run
//! came to its end. A value counts as right only if no other value of its type would have done, whatever values were seen;
//! and nothing is concluded from a value that is right along implicit dependences (figure 5). The place in the output is a
//! use, so that code that should have written is found; so is a call that wrote too little. Where a condition that is nested in
//! the reversed one depends on the same wrong value, both are reversed (table 5(b)). Where a reversal makes all right, what does
//! not lie between it and the failure, or before it, is left out.
//!
//! # What it misses
//! Code that is not there at all, if the value it would have set must be set more than once to make anything right, or if nothing
//! suggests the value; omissions that two conditions that have nothing to do with each other must bring back together.
//!
//! # Reference
//! Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission Errors*; confidence: Zhang, Gupta and Gupta,
//! *Pruning Dynamic Slices with Confidence*.

mod alternatives;
mod preimage;
mod confidence;
mod outputs;
mod network;
mod declared;
mod pruned;
mod behind;
mod profile;
mod ask;
mod waiting;
mod outcome;
mod candidates;
mod ways;
mod switched;
mod nested;
mod throughout;
mod search;
mod deciding;
mod left_alone;
mod instead;
mod stale;
mod gap;
mod novel;
mod order;
mod expand;
mod explain;

pub use ask::{Asked, Verdict, Witness};
pub use behind::Used;
pub use expand::{Expanded, Proven, expand};
pub use gap::{Gap, Sign};
pub use instead::Instead;
pub use pruned::Pruned;
pub use stale::Stale;
pub use switched::{Effect, Inquiry, OutputPlace, Righted, Seen, Shown, Switched, verify};

use findings::{Limit, Narrowed};

use crate::notebook::spent;
use crate::{Found, Subject, TechniqueError};
use order::by_line;

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    find_with(subject, None)
}

/// The same, with somebody who can be asked what is right.
pub fn find_with(subject: &Subject<'_, '_>, witness: Option<&dyn Witness>) -> Result<Found, TechniqueError> {
    if subject.potential()?.is_none() {
        let limit = Limit::NoOmissions { spent: Some(spent(subject.budget)) };
        return Ok(Found { limits: vec![limit], ..Found::default() });
    }
    let Some(expanded) = expand(subject, witness)? else {
        return Ok(Found { limits: vec![Limit::NoOmissions { spent: None }], ..Found::default() });
    };
    let told = by_line(subject, expanded.set());
    let lines = told.entries.len();
    let (slice, pruned) = expanded.explicit;
    let narrowed = Narrowed {
        slice: slice as u64,
        pruned: pruned as u64,
        edges: expanded.proven.len() as u64,
        verifications: expanded.verifications,
        steps: told.steps as u64,
        lines: lines as u64,
    };
    Ok(Found {
        suspects: explain::suspects(subject, &expanded, &told.entries)?,
        limits: explain::limits(&expanded),
        tried: vec![explain::tried(&expanded, told.steps)],
        experiments: expanded.experiments + expanded.further,
        narrowed: Some(narrowed),
        omitted: explain::omitted(subject, &told.entries),
        ..Found::default()
    })
}
