//! A part of a graph that is being examined: from where it begins to where it ends.

use fixedbitset::FixedBitSet;

use crate::graph::{Graph, VertexId};

/// What lies between beginning and end. The paper's ⟨V_begin, V_end⟩.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Vertices that are left to examine.
    pub inside: FixedBitSet,
    /// Vertices known to be right: what they lead to begins the domain. Other vertices begin it if nothing inside leads to
    /// them.
    pub begins: FixedBitSet,
    pub ends: FixedBitSet,
    /// Narrow vertices inside that need not be examined any more; ways lead over them all the same.
    pub aside: FixedBitSet,
}

impl Domain {
    /// All that leads to this vertex.
    pub fn whole(graph: &Graph, end: VertexId) -> Domain {
        let (mut inside, mut ends) = (FixedBitSet::with_capacity(graph.len()), FixedBitSet::with_capacity(graph.len()));
        inside.insert_range(..);
        ends.insert(end.index());
        let inside = graph.leading_to(&ends, &inside);
        Domain { inside, begins: FixedBitSet::with_capacity(graph.len()), ends, aside: FixedBitSet::new() }
    }

    /// What leads to these, which are wrong: they end the domain.
    pub fn before(&self, graph: &Graph, wrong: &[VertexId]) -> Domain {
        let ends = set(graph, wrong);
        let inside = graph.leading_to(&ends, &self.inside);
        Domain { inside, begins: self.begins.clone(), ends, aside: self.aside.clone() }
    }

    /// What these lead to, which are a cut and right: they begin the domain.
    pub fn behind(&self, graph: &Graph, right: &[VertexId]) -> Domain {
        let right = set(graph, right);
        let mut inside = self.inside.clone();
        inside.difference_with(&right);
        // As they are a cut, no narrow vertex before them leads to an end in another way.
        let inside = graph.leading_to(&self.ends, &inside);
        Domain { inside, begins: right, ends: self.ends.clone(), aside: self.aside.clone() }
    }

    pub fn set_aside(&mut self, vertex: VertexId) {
        self.aside.grow_and_insert(vertex.index());
    }
}

fn set(graph: &Graph, vertices: &[VertexId]) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(graph.len());
    for vertex in vertices {
        set.insert(vertex.index());
    }
    set
}
