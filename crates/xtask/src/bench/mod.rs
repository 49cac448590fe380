//! Measurements. All numbers of a table come from one run, so they can be compared; none is a test.

mod measure;
mod record;

pub use record::{Arguments as RecordArguments, record};

#[derive(clap::Subcommand)]
pub enum Bench {
    /// The cost of recording
    Record(RecordArguments),
}
