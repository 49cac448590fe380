//! Regions: how the steps of a run are nested, and the index that names each step by it.
//!
//! The index of a step is the path to it from the root of the run, in levels:
//!
//! * a **call**: the call's site and the function entered; for functions called back by outside code also the
//!   how-manieth entry during that call it is. What outside code enters with nothing below it (`main`, constructors,
//!   handlers of exit, a thread's function) is a **root**; a signal handler is a root of its own.
//! * a **turn** of a loop (or of an irreducible cycle, see `program`'s `repeats`): its first block and the turn's number;
//! * the **outcome of a branch**: where the branch is and which block it went to;
//! * a **return by `longjmp`** to a function: the how-manieth it is.
//!
//! The level of an outcome ends when control reaches the branch's immediate post-dominator in the same call, that of a
//! turn when control is in a block outside the loop; another turn of a loop drops everything inside it. A call's level
//! ends when the function is left, however that happens.
//!
//! Two steps, of one run or of two, correspond iff their indices are equal; no two steps of a run have the same index.
//! Indices have an order, in which every run executes its steps: see [`Level`]. So two runs are aligned by merging them.
//!
//! **Departures from the papers** (Zhang et al., *Towards Locating Execution Omission Errors*, definition 3; Sumner et al.,
//! *Comparison-based Computation of Causal Paths*, section 3). There turn n+1 of a loop is nested in turn n; here a loop has
//! one level with a number. The stack is bounded by the nesting of the program, and turn n of one run corresponds to turn
//! n of another also if an earlier turn took another way inside. What follows a loop is not inside its last turn even
//! where it depends on it (a `return` in the loop makes all that follows depend on it), so it corresponds whatever the
//! number of turns.
//!
//! `level` is a step of the path; `outline` what is looked up per function; `nesting` the state while a run goes by;
//! `observe` feeds it from a replay; `parent` is the exact dynamic control parent; `within` asks it for the region of a predicate.

mod level;
mod outline;
mod nesting;
mod parent;
mod within;
mod observe;

pub use level::{Kind, Level};
pub use nesting::Nesting;
pub use observe::{Observe, Regions};
pub use outline::Outline;
pub use parent::Parent;
pub use within::within;

#[cfg(test)]
mod tests;
