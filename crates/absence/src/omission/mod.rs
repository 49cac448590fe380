//! Execution omission.
//!
//! # What it finds
//! Faults that kept code from running. Code that did not run leaves no trace: the wrong value at the failure comes from an old
//! definition, and no executed step leads from there to the fault. The technique finds the conditions that prevented a better
//! definition, and what those conditions were computed from.
//!
//! # How
//! First the slice of the failure is pruned: steps whose values are confirmed by correct outputs leave it. For the rest, facts
//! about the program's text say which conditions could have let another definition reach it. Each of these conditions is reversed
//! in a run of its own. A use depends on the condition if it is no longer executed, or if dependences lead to it from the reversed
//! condition. Nothing in the failing run shows this dependence, so it is called implicit. It is strong if the wrong output becomes
//! right. Strong dependences join the slice (others only where there are none), the operands of their conditions are followed,
//! the slice is pruned again, and so on until nothing changes.
//!
//! If no single reversal makes the run right, more is tried: the same conditions reversed at every evaluation, then together
//! with conditions inside them, then all other conditions of the run. Conditions before those that were found are reversed, too,
//! since the wrong value may have come through them. The answer lists the conditions; what they skipped; what they were
//! computed from (the declaration, if a variable still had its initial value); calls that were given such a variable and did not
//! change it; and what lies between the conditions and the failure.
//!
//! The last step is not from the paper. No condition brings back a statement that is missing altogether. So old values are
//! replaced just before they are used, or before they are copied to where they are used. The new values are close to the old one,
//! or suggested by the expected output, or ones that the program stores or compares at this place. If that repairs the
//! output, lines that ran in between are listed, each with the reason: it sets something that belongs with the value; its
//! condition had one outcome exactly as often as the value is too small, or could have had the value set; its function was given
//! the value's object; the function that set the value returned, or the one that used it began; or it is the declaration. Also
//! listed are conditions that had an outcome for the first time just when something should have been written, loops that were left
//! early, the cases next to one that a switch does not have, and the definitions of constants on such lines. These are
//! hints, not proofs, and the answer says so.
//!
//! # Where it departs from the paper
//! The user is asked which values are right only with `--ask`. All candidates are first tried without recording, which is cheap.
//! Only those that repair the wrong output are recorded and compared, or the others if there are none. A strong dependence must
//! also be a dependence, as in definition 4 but not in algorithm 2, and it may be a path, as in definition 2. Others must be
//! edges, as in algorithm 2, so that there are few. A missing use counts only if the switched run ended by itself. A value counts
//! as right only if no other value of its type would have done, no matter which values were observed. Nothing is concluded from a
//! right value along implicit dependences (figure 5). The place in the output is a use, so code that should have written is
//! found, and so is a call that wrote too little. Where a condition inside the reversed one depends on the same wrong value, both
//! are reversed (table 5(b)). Where a reversal repairs everything, whatever is neither before it nor between it and the failure is
//! left out.
//!
//! # What it misses
//! Missing statements whose value must be set more than once to repair anything, or whose value nothing suggests. Code that
//! only two unrelated conditions together would bring back.
//!
//! # Reference
//! Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission Errors*; confidence: Zhang, Gupta and Gupta,
//! *Pruning Dynamic Slices with Confidence*.

mod ask;
mod waiting;
mod candidates;
mod ways;
mod switched;
mod nested;
mod throughout;
mod search;
mod deciding;
mod left_alone;
mod instead;
mod order;
mod expand;
mod explain;

pub use expand::{Expanded, Proven, expand};
pub use instead::Instead;
pub use subject::asking::{Asked, Verdict, Witness};
pub use switched::{Inquiry, Seen, Shown, Switched, verify};

pub use crate::effect::{Effect, Righted};
pub use crate::outputs::OutputPlace;
pub use crate::pruning::{Pruned, Used};

use findings::{Limit, Narrowed};

use order::by_line;
use subject::notebook::spent;
use subject::{Found, Subject, TechniqueError};

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
