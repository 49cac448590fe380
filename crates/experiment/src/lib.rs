//! Controlled re-execution: runs the debugged program again and again, each time with something changed on purpose.
//!
//! In: a case (program, arguments, input, files) and an oracle that judges a run. Out: outcomes of experiments,
//! and recordings of those that are wanted.
//! Deliberately absent: analysis. Techniques decide which experiments are worth making.
//!
//! A [`Case`] is run by a [`Lab`]. The lab keeps one fork server (`server`) for each core, in a sandbox (`sandbox`): an
//! experiment can make a program do anything, and nothing it does may reach the user's files, processes or network.
//! The same servers run the program on another [`Input`] (`other_inputs`).

mod timeouts;
mod limits;
mod case;
mod input;
mod core;
mod memory_file;
mod scratch;
mod outcome;
pub mod sandbox;
mod guest;
mod server;
mod servers;
mod workers;
pub mod oracle;
mod reference;
mod error;
mod remembered;
mod recorded_run;
mod whole_run;
mod lab;
mod opening;
mod other_inputs;
mod counterpart;
mod examined;
mod suite;
mod written_suite;
pub mod shrink;

pub use case::{Case, CaseError};
pub use counterpart::Counterpart;
pub use error::LabError;
pub use input::{Input, Trial};
pub use lab::{Baseline, Lab, Tried};
pub use limits::Limits;
pub use opening::{Expects, Opening};
pub use oracle::{OnOtherInputs, Oracle, Verdict};
pub use other_inputs::Shown;
pub use outcome::{End, Outcome, Ran, Right};
pub use recording::plan::{Change, Intervention, Plan};
pub use reference::{ReferenceError, oracle_by_reference, run_reference};
pub use remembered::Remembered;
pub use scratch::copy_tree;
pub use server::ServerError;
pub use suite::{SuiteError, Test, read_suite};
pub use timeouts::ENDLESS;
pub use whole_run::{Extent, record_case};
pub use written_suite::{Expectation, WrittenTest, write_suite};
