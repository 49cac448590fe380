//! How the steps of a run are nested, and which step of another run is the same one.
//!
//! In: a run. Out: regions, the index of a step, the alignment of two runs, also of two versions of a program.
//! Deliberately absent: values, names of the source; running anything again.

pub mod region;
pub mod index;
pub mod align;
