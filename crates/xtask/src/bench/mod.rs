//! Measurements. All numbers of a table come from one run, so they can be compared; none is a test.

mod record;
mod slice;
mod experiments;
mod explore;
mod page;
mod causes;

pub use causes::{Arguments as CausesArguments, causes};
pub use experiments::{Arguments as ExperimentsArguments, experiments};
pub use explore::{Arguments as ExploreArguments, explore};
pub use page::page;
pub use record::{Arguments as RecordArguments, record};
pub use slice::{Arguments as SliceArguments, slice};

#[derive(clap::Subcommand)]
pub enum Bench {
    /// The cost of recording
    Record(RecordArguments),
    /// The cost of a slice, and how it grows with the run
    Slice(SliceArguments),
    /// Experiments per second, and what checkpoints save
    Experiments(ExperimentsArguments),
    /// Inputs that crash the programs of tests/explore: runs, questions and seconds
    Explore(ExploreArguments),
    /// How long the page of a report takes to open
    Page,
    /// What fast passes save on causal paths
    Causes(CausesArguments),
}
