//! Techniques that find what did not run.
//!
//! In: the subject of a failing run. Out: what kept code from running (`omission`), and where code may be missing altogether
//! (`missing`). Both begin with the slice of the failure without what is surely right (`pruning`), and judge experiments by what
//! they made right (`effect`). Deliberately absent: what other techniques found.

mod outputs;
mod outcome;
mod effect;
mod pruning;
pub mod missing;
pub mod omission;
