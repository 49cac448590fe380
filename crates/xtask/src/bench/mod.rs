//! Measurements. All numbers of a table come from one run, so they can be compared; none is a test.

mod record;
mod slice;
mod experiments;
mod explore;
mod page;
mod causes;
mod symbolic;
mod frontier;

pub use causes::{Arguments as CausesArguments, causes};
pub use experiments::{Arguments as ExperimentsArguments, experiments};
pub use explore::{Arguments as ExploreArguments, explore};
pub use frontier::{Arguments as FrontierArguments, frontier};
pub use page::page;
pub use record::{Arguments as RecordArguments, record};
pub use slice::{Arguments as SliceArguments, slice};
pub use symbolic::{Arguments as SymbolicArguments, symbolic};

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
    /// The cost of replaying with symbols, and how fast branches are turned
    Symbolic(SymbolicArguments),
    /// The dependence graph of a run and its smallest cut, and how they grow with the run
    Frontier(FrontierArguments),
}
