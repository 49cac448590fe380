//! In: small C and C++ programs, seeds for random ones, or Debian's names of other people's. Out: whether faultline's build of a
//! program behaves as clang's, and whether its recordings replay exactly; what chores share that try or measure programs.
//! Deliberately absent: building faultline itself; the tools are taken from where `./x build` staged them.

mod tools;
mod run;
mod fixture;
mod expectation;
mod compile;
mod check;
mod explored;
pub mod csmith;
mod browser;
mod blessed;
pub mod fuzz;
pub mod real;
pub mod parallel;
pub mod text;
pub mod measure;
mod verdict;

pub use blessed::{blessed, is_blessing, masked};
pub use browser::{Browser, Scheme};
pub use check::{recorded, replays, transparent};
pub use compile::{Build, compile};
pub use expectation::{Expectation, expectations, split_values};
pub use explored::{Explored, explored};
pub use fixture::{Fixture, fixtures};
pub use run::{Ending, Ran, run};
pub use tools::{Tools, workspace};
pub use verdict::Verdict;
