//! Two runs of a program, step beside step.
//!
//! In: two runs, of one program or of two versions of it. Out: which steps correspond, and which are in one run only.
//! Deliberately absent: values; judgement about what differs.
//!
//! `stream` gives the statements of a run with the levels they are in, made ahead by a thread; `merge` walks two of them
//! side by side; `versions` says which sites of two versions are the same, `translate` what a path is in the other.

pub mod versions;
mod translate;
mod stream;
mod merge;

pub use merge::align_noting;
pub use merge::{Aligned, align, align_versions};
pub use stream::{Collect, Noting};
