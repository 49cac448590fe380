//! How near steps are to what is asked about, counted in dependences, and the shortest way from one to the other.
//!
//! Steps inside twins of library functions do not count: to a reader a call of the library is one step.

use std::collections::{HashMap, HashSet, VecDeque};

use replay::Step;

use crate::dependence::Kind;
use crate::dependence::graph::{Dependence, Graph, VertexId};
use crate::functions::Functions;

/// A dependence graph, with the distance of each step from the criterion.
pub struct Nearness {
    pub graph: Graph,
    /// The graph has potential dependences, too.
    pub is_relevant: bool,
    by_user: Vec<Vec<Dependence>>,
    vertices: HashMap<Step, VertexId>,
    is_twin: Vec<bool>,
    from_criterion: Reached,
}

/// Steps that others depend on, each with its distance and the dependence through which it was reached first.
#[derive(Default)]
pub struct Reached {
    by_step: HashMap<VertexId, (u32, Option<Dependence>)>,
}

impl Reached {
    pub fn distance(&self, step: VertexId) -> Option<u32> {
        self.by_step.get(&step).map(|(distance, _)| *distance)
    }

    pub fn steps(&self) -> impl Iterator<Item = (VertexId, u32)> + '_ {
        self.by_step.iter().map(|(step, (distance, _))| (*step, *distance))
    }
}

impl Nearness {
    /// The graph's first step is the criterion.
    pub fn of(functions: &Functions<'_>, graph: Graph) -> Nearness {
        let is_twin = graph.steps.iter().map(|step| functions.is_twin(step.site.function)).collect();
        Nearness::with_twins(graph, is_twin)
    }

    fn with_twins(graph: Graph, is_twin: Vec<bool>) -> Nearness {
        let by_user = graph.by_user();
        let vertices = graph.steps.iter().copied().zip((0..).map(VertexId)).collect();
        let mut nearness =
            Nearness { graph, is_relevant: true, by_user, vertices, is_twin, from_criterion: Reached::default() };
        if !nearness.graph.steps.is_empty() {
            nearness.from_criterion = nearness.reached(VertexId(0), |_| true);
        }
        nearness
    }

    pub fn vertex(&self, step: Step) -> Option<VertexId> {
        self.vertices.get(&step).copied()
    }

    /// Whether a step is in a library function, where people do not want to look.
    pub fn is_twin(&self, step: VertexId) -> bool {
        self.is_twin[step.0 as usize]
    }

    /// The step itself, or for one in a library function, the call that led there.
    pub fn seen(&self, mut step: VertexId) -> VertexId {
        while self.is_twin(step)
            && let Some(chooser) = self.by_user[step.0 as usize].iter().find(|edge| edge.kind == Kind::Control)
        {
            // Each is earlier than the one before.
            step = chooser.from;
        }
        step
    }

    /// How far a step is from the criterion.
    pub fn distance(&self, step: VertexId) -> Option<u32> {
        self.from_criterion.distance(step)
    }

    /// All that a step depends on, and itself, along the dependences that are followed.
    pub fn reached(&self, start: VertexId, is_followed: impl Fn(&Dependence) -> bool) -> Reached {
        let mut by_step = HashMap::from([(start, (0, None))]);
        let mut done = HashSet::new();
        let mut open = VecDeque::from([start]);
        // Ways through twins cost nothing, so they are looked at before others.
        while let Some(user) = open.pop_front() {
            if !done.insert(user) {
                continue;
            }
            let so_far = by_step[&user].0;
            // Of ways that are as short, one along values says more than one along choices.
            let mut edges: Vec<&Dependence> =
                self.by_user[user.0 as usize].iter().filter(|edge| is_followed(edge)).collect();
            edges.sort_by_key(|edge| (edge.kind == Kind::Control, edge.from));
            for edge in edges {
                let is_free = self.is_twin(edge.from);
                let distance = so_far + u32::from(!is_free);
                if by_step.get(&edge.from).is_none_or(|(known, _)| distance < *known) {
                    by_step.insert(edge.from, (distance, Some(*edge)));
                    if is_free {
                        open.push_front(edge.from);
                    } else {
                        open.push_back(edge.from);
                    }
                }
            }
        }
        Reached { by_step }
    }

    /// The shortest way from a step to the criterion: its dependences, one after the other. `None` if there is none.
    pub fn way(&self, from: VertexId) -> Option<Vec<Dependence>> {
        let mut way = Vec::new();
        let mut step = from;
        while let (_, Some(edge)) = self.from_criterion.by_step.get(&step)? {
            way.push(*edge);
            step = edge.to;
        }
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use abi::{FunctionId, InstructionId};
    use program::FunctionKey;
    use proptest::prelude::*;

    use super::*;

    /// Any graph of so many steps; the first is the criterion, and edges go from earlier steps, which have higher
    /// numbers, to later ones.
    fn graph(steps: u32) -> impl Strategy<Value = (Graph, Vec<bool>)> {
        let edge = (0..steps, 0..steps, any::<bool>()).prop_map(|(a, b, is_data)| Dependence {
            from: VertexId(a.max(b)),
            to: VertexId(a.min(b)),
            kind: if is_data { Kind::Data } else { Kind::Control },
            via: None,
        });
        let edges = proptest::collection::vec(edge, 0..40);
        (edges, proptest::collection::vec(any::<bool>(), steps as usize)).prop_map(move |(mut edges, is_twin)| {
            edges.retain(|edge| edge.from != edge.to);
            let function = FunctionKey { module: 0, function: FunctionId(0) };
            let step = |clock| Step { clock, depth: 1, site: function.at(InstructionId(0)) };
            let steps = (0..u64::from(steps)).rev().map(step).collect();
            (Graph { steps, edges, ..Graph::default() }, is_twin)
        })
    }

    /// The definition: the least number of steps outside twins on any way, by trying all edges again and again.
    fn distances(graph: &Graph, is_twin: &[bool], start: VertexId) -> Vec<Option<u32>> {
        let mut known = vec![None; graph.steps.len()];
        known[start.0 as usize] = Some(0);
        for _ in 0..graph.steps.len() {
            for edge in &graph.edges {
                let (from, to) = (edge.from.0 as usize, edge.to.0 as usize);
                if let Some(so_far) = known[to] {
                    let distance = so_far + u32::from(!is_twin[from]);
                    known[from] = Some(known[from].map_or(distance, |other: u32| other.min(distance)));
                }
            }
        }
        known
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_definition((graph, is_twin) in graph(12), start in 0..12u32) {
            let expected = distances(&graph, &is_twin, VertexId(start));
            let from_criterion = distances(&graph, &is_twin, VertexId(0));
            let nearness = Nearness::with_twins(graph, is_twin.clone());
            let reached = nearness.reached(VertexId(start), |_| true);
            for step in (0..12).map(VertexId) {
                prop_assert_eq!(reached.distance(step), expected[step.0 as usize]);
                prop_assert_eq!(nearness.distance(step), from_criterion[step.0 as usize]);
                prop_assert_eq!(nearness.way(step).is_some(), nearness.distance(step).is_some());
                // The way begins here, ends at the criterion, has no gaps, and is as long as the distance says.
                let mut here = step;
                let mut length = 0;
                for edge in nearness.way(step).unwrap_or_default() {
                    prop_assert_eq!(edge.from, here);
                    length += u32::from(!is_twin[here.0 as usize]);
                    here = edge.to;
                }
                if let Some(distance) = nearness.distance(step) {
                    prop_assert_eq!(here, VertexId(0));
                    prop_assert_eq!(length, distance);
                }
            }
        }
    }
}
