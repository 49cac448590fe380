//! Programs that were not written with faultline in mind: Debian's sources of them, and how they are built.

mod source;
mod program;
mod build;

pub use build::{Kind, build};
pub use program::{PROGRAMS, Program};
pub use source::fetch;
