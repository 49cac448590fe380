//! A domain made ready for a flow: only what lies on a way from its beginning to its end, renumbered, and with wide vertices
//! that lead to a single place taken for that place.

use budget::{Budget, Spent};
use fixedbitset::FixedBitSet;

use crate::domain::Domain;
use crate::graph::{Graph, VertexId};

/// The place where all ways end.
pub const END: u32 = 0;
/// No place.
pub const NONE: u32 = u32::MAX;

/// Places, numbered from the end on.
pub struct Network {
    /// Where each leads; the end leads nowhere.
    pub out: Vec<[u32; 2]>,
    /// What each bears; zero: anything.
    pub bears: Vec<u64>,
    /// Where ways begin: narrow places.
    pub begins: Vec<u32>,
    /// The vertex of each place.
    pub vertex: Vec<VertexId>,
}

/// What one vertex bears, before how far it is from the end counts: a cut of fewer vertices is narrower than one of more,
/// however far away those are.
const UNIT: u64 = 1 << 40;
/// Farther away is no matter.
const FARTHEST: u32 = 1 << 20;

impl Network {
    /// `narrow`: vertices that may be in a cut; `counted`: those that make a way longer.
    pub fn of(
        graph: &Graph,
        domain: &Domain,
        narrow: &FixedBitSet,
        counted: &FixedBitSet,
        budget: &Budget,
    ) -> Result<Network, Spent> {
        let relevant = relevant(graph, domain, narrow);
        budget.go_on()?;
        let begins = beginnings(graph, domain, narrow, &relevant);
        budget.go_on()?;
        let far = graph.distances(&domain.ends, &domain.inside, counted);
        let mut network = Network {
            out: vec![[NONE; 2]],
            bears: vec![0],
            begins: Vec::new(),
            // The end is no vertex of its own.
            vertex: vec![VertexId(u32::MAX)],
        };
        let mut place = vec![NONE; graph.len()];
        for vertex in graph.vertices() {
            let at = vertex.index();
            if domain.ends.contains(at) {
                place[at] = END;
            } else if relevant.contains(at) {
                place[at] = network.place(graph, vertex, &place, narrow.contains(at).then_some(far[at]));
                if begins.contains(at) {
                    network.begins.push(place[at]);
                }
            }
        }
        budget.go_on()?;
        Ok(network)
    }

    fn place(&mut self, graph: &Graph, vertex: VertexId, place: &[u32], far: Option<u32>) -> u32 {
        let mut out = [NONE; 2];
        let mut used = 0;
        for to in graph.links(vertex).map(|to| place[to.index()]).filter(|to| *to != NONE) {
            if !out[..used].contains(&to) {
                out[used] = to;
                used += 1;
            }
        }
        if used == 1 && far.is_none() {
            return out[0];
        }
        self.out.push(out);
        self.bears.push(far.map_or(0, |far| UNIT + u64::from(far.min(FARTHEST))));
        self.vertex.push(vertex);
        self.out.len() as u32 - 1
    }

    pub fn is_narrow(&self, place: u32) -> bool {
        self.bears[place as usize] != 0
    }
}

/// Vertices on a way to an end that begins with a narrow one. What only constants lead to has no state to change.
fn relevant(graph: &Graph, domain: &Domain, narrow: &FixedBitSet) -> FixedBitSet {
    let mut leads = graph.leading_to(&domain.ends, &domain.inside);
    let mut stateful = FixedBitSet::with_capacity(graph.len());
    for vertex in graph.vertices().rev().filter(|vertex| leads.contains(vertex.index())) {
        let at = vertex.index();
        if narrow.contains(at) || stateful.contains(at) {
            stateful.insert(at);
            for to in graph.links(vertex) {
                stateful.insert(to.index());
            }
        }
    }
    leads.intersect_with(&stateful);
    leads
}

/// Narrow vertices that ways begin with: nothing leads to them, or something right does without another narrow vertex
/// between.
fn beginnings(graph: &Graph, domain: &Domain, narrow: &FixedBitSet, relevant: &FixedBitSet) -> FixedBitSet {
    let mut used = FixedBitSet::with_capacity(graph.len());
    let mut behind = FixedBitSet::with_capacity(graph.len());
    let mut begins = FixedBitSet::with_capacity(graph.len());
    for vertex in graph.vertices().rev() {
        let at = vertex.index();
        let is_narrow = relevant.contains(at) && narrow.contains(at);
        if is_narrow && (behind.contains(at) || !used.contains(at)) {
            begins.insert(at);
        }
        let is_right = domain.begins.contains(at);
        let passes_on = behind.contains(at) && domain.inside.contains(at) && !narrow.contains(at);
        for to in graph.links(vertex) {
            if is_right || passes_on {
                behind.insert(to.index());
            }
            if relevant.contains(at) {
                used.insert(to.index());
            }
        }
    }
    begins
}
