//! How near steps are to what is asked about, counted in dependences, and the shortest way from one to the other.
//!
//! Steps inside twins of library functions do not count: to a reader a call of the library is one step.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::dependence::graph::{Dependence, Graph, VertexId};
use crate::dependence::{Kind, Moment};
use crate::functions::Functions;

/// A dependence graph, with the distance of each step from the criterion.
pub struct Nearness {
    pub graph: Graph,
    /// The graph has potential dependences, too.
    pub is_relevant: bool,
    by_user: Vec<Vec<Dependence>>,
    vertices: HashMap<Moment, VertexId>,
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
        let by_user = graph.by_user();
        let vertices = graph.steps.iter().copied().zip((0..).map(VertexId)).collect();
        let is_twin = graph.steps.iter().map(|step| functions.is_twin(step.function)).collect();
        let mut nearness =
            Nearness { graph, is_relevant: true, by_user, vertices, is_twin, from_criterion: Reached::default() };
        if !nearness.graph.steps.is_empty() {
            nearness.from_criterion = nearness.reached(VertexId(0), |_| true);
        }
        nearness
    }

    pub fn vertex(&self, step: Moment) -> Option<VertexId> {
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
