//! The slice of a failure without what is surely right, for all who look for what is missing behind it.
//!
//! In: calls whose output is right, values that were right elsewhere, and dependences that experiments have shown. Out: the steps
//! that are left, with how sure it is of each that its value is right, and what lies behind them. As in Zhang, Gupta and Gupta,
//! *Pruning Dynamic Slices with Confidence*.

mod alternatives;
mod preimage;
mod confidence;
mod network;
mod declared;
mod profile;
mod pruned;
mod behind;

pub use behind::Used;
pub use declared::Declared;
pub use profile::Profile;
pub use pruned::{ImplicitEdge, Known, Pruned, pruned};
