//! The smallest set of narrow vertices without which nothing leads from a domain's beginning to its end (definition 3.2 of
//! Li, Li, Huo and Feng, *Locating Software Faults Based on Minimum Debugging Frontier Set*). Of several that are as small, the one
//! whose vertices are nearest to the end on average; of those, the one farthest on.
//!
//! The rule for ties is a matter of what a vertex bears: far more than all distances together, and then its distance. So the
//! cut that bears least has fewest vertices, and of those the least distances.

use budget::{Budget, Spent};
use fixedbitset::FixedBitSet;

use crate::domain::Domain;
use crate::flow::Flow;
use crate::graph::{Graph, VertexId};
use crate::network::Network;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The oldest last.
    pub members: Vec<VertexId>,
}

/// `narrow`: vertices that may be members; `counted`: those that make a way longer. `None`: no narrow vertex lies between
/// beginning and end.
pub fn cut(
    graph: &Graph,
    domain: &Domain,
    narrow: &FixedBitSet,
    counted: &FixedBitSet,
    budget: &Budget,
) -> Result<Option<Cut>, Spent> {
    let network = Network::of(graph, domain, narrow, counted, budget)?;
    if network.begins.is_empty() {
        return Ok(None);
    }
    let full = Flow::most(&network, budget)?.last_full()?;
    let members = full.into_iter().map(|place| network.vertex[place as usize]).collect();
    Ok(Some(Cut { members }))
}

/// Whether there is a narrow vertex on a way to an end.
pub fn has_narrow(graph: &Graph, domain: &Domain, narrow: &FixedBitSet) -> bool {
    graph.leading_to(&domain.ends, &domain.inside).intersection(narrow).next().is_some()
}

/// All narrow vertices on a way to an end, each with its distance from the nearest: for strategies that make no cuts.
pub fn narrow_ways(
    graph: &Graph,
    domain: &Domain,
    narrow: &FixedBitSet,
    counted: &FixedBitSet,
    budget: &Budget,
) -> Result<Vec<(VertexId, u32)>, Spent> {
    let leads = graph.leading_to(&domain.ends, &domain.inside);
    budget.go_on()?;
    let far = graph.distances(&domain.ends, &domain.inside, counted);
    budget.go_on()?;
    let left = leads.intersection(narrow).filter(|at| !domain.aside.contains(*at));
    Ok(left.map(|at| (VertexId(at as u32), far[at])).collect())
}
