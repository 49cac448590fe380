//! Techniques that find what did not run.
//!
//! In: the subject of a failing run. Out: what kept code from running (`omission`), and where code may be missing altogether
//! (`missing`). Deliberately absent: what other techniques found.

pub mod missing;
pub mod omission;
