//! Large graphs in few bytes, and their narrowest places.
//!
//! In: vertices, each with at most two that it leads to, all of them older. Out: what leads to what, how far that is, and the
//! smallest sets of vertices without which nothing leads there.
//! Deliberately absent: programs. Whoever has a graph knows what its vertices are.
//!
//! A vertex with more than two successors is made of several: those that only join others are *wide*, as is all that nobody
//! wants in a cut. `graph` is the arrays; `domain` is a part of a graph, from where it begins to where it ends; `network` is a
//! domain made ready for `flow`, which pushes through it what it bears; `cut` is where it bears no more.

mod graph;
mod domain;
mod network;
mod flow;
mod cut;
#[cfg(test)]
mod tests;

pub use cut::{Cut, cut, has_narrow, narrow_ways};
pub use domain::Domain;
pub use graph::{Graph, VertexId};
