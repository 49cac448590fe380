//! The flow of values, instruction by instruction: which executed instruction used what another one made.
//!
//! The graph (`graph`) has only steps that assign, decide, call and return; here those that pass values on are vertices
//! too, so that every value on the way can be looked at. It also notes, of the uses it is asked about, the predicates they
//! potentially depend on, without following these.

use std::collections::{HashMap, HashSet};

use replay::Step;

use super::graph::VertexId;
use super::{Demand, Kind, Mark, Slot, Source};

/// `to` used what `from` made, or was executed because of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlowEdge {
    pub from: VertexId,
    pub to: VertexId,
    pub kind: Kind,
}

/// A use, and a predicate that could have let another definition reach it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Could {
    pub predicate: Step,
    pub user: Step,
}

#[derive(Default, Debug)]
pub struct Flow {
    /// A step comes after all that used it, but for those the walk began at, which come first.
    pub steps: Vec<Step>,
    /// Whether each of them assigns, decides, calls or returns; the others pass values on.
    pub is_statement: Vec<bool>,
    pub edges: Vec<FlowEdge>,
    pub could: Vec<Could>,
    /// Steps that used what nobody in the run had made, and where that came from.
    pub sources: Vec<(Source, VertexId)>,
    /// There were more steps than wanted; the flow has the latest.
    pub is_cut: bool,
    vertices: HashMap<Step, VertexId>,
}

impl Flow {
    pub fn step(&self, vertex: VertexId) -> Step {
        self.steps[vertex.0 as usize]
    }

    pub fn vertex(&self, step: Step) -> Option<VertexId> {
        self.vertices.get(&step).copied()
    }

    pub fn vertices(&self) -> impl Iterator<Item = VertexId> + use<> {
        (0..self.steps.len() as u32).map(VertexId)
    }

    /// For each step, the edges that lead to it: what it used.
    pub fn by_user(&self) -> Vec<Vec<FlowEdge>> {
        self.grouped(|edge| edge.to)
    }

    /// For each step, the edges that lead away from it: who used it.
    pub fn by_maker(&self) -> Vec<Vec<FlowEdge>> {
        self.grouped(|edge| edge.from)
    }

    fn grouped(&self, by: impl Fn(&FlowEdge) -> VertexId) -> Vec<Vec<FlowEdge>> {
        let mut groups = vec![Vec::new(); self.steps.len()];
        for edge in &self.edges {
            groups[by(edge).0 as usize].push(*edge);
        }
        groups
    }
}

#[derive(Clone, Copy)]
enum Users {
    One(VertexId),
    Both(Mark, Mark),
}

/// Builds the flow of a walk.
pub struct FlowBuilder {
    pub flow: Flow,
    users: Vec<Users>,
    most: usize,
    /// Uses whose potential dependences are asked for.
    asked: HashSet<Step>,
    ended: HashSet<(Source, Mark)>,
}

impl FlowBuilder {
    /// A flow of at most `most` steps.
    pub fn new(most: usize, asked: HashSet<Step>) -> FlowBuilder {
        FlowBuilder { flow: Flow::default(), users: Vec::new(), most, asked, ended: HashSet::new() }
    }

    /// A step the walk begins at; it counts as one that assigns, decides, calls or returns.
    pub fn root(&mut self, at: Step) -> Mark {
        let vertex = self.vertex(at);
        self.flow.is_statement[vertex.0 as usize] = true;
        self.mark(Users::One(vertex))
    }

    fn vertex(&mut self, at: Step) -> VertexId {
        let flow = &mut self.flow;
        *flow.vertices.entry(at).or_insert_with(|| {
            flow.steps.push(at);
            flow.is_statement.push(false);
            VertexId(flow.steps.len() as u32 - 1)
        })
    }

    fn mark(&mut self, users: Users) -> Mark {
        self.users.push(users);
        Mark(self.users.len() as u32)
    }

    fn everybody(&self, mark: Mark) -> Vec<VertexId> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![mark];
        while let Some(mark) = open.pop() {
            if mark.is_nobody() || !seen.insert(mark.0) {
                continue;
            }
            match self.users[mark.0 as usize - 1] {
                Users::One(vertex) => found.push(vertex),
                Users::Both(a, b) => open.extend([a, b]),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn note(&mut self, at: Step, data: Mark, control: Mark) -> Option<VertexId> {
        if self.flow.steps.len() >= self.most && !self.flow.vertices.contains_key(&at) {
            self.flow.is_cut = true;
            return None;
        }
        let from = self.vertex(at);
        for (mark, kind) in [(data, Kind::Data), (control, Kind::Control)] {
            let users = self.everybody(mark).into_iter().filter(|&to| to != from);
            self.flow.edges.extend(users.map(|to| FlowEdge { from, to, kind }));
        }
        Some(from)
    }
}

impl Demand for FlowBuilder {
    fn pass(&mut self, at: Step, _: Slot, mark: Mark) -> Mark {
        match self.note(at, mark, Mark::NOBODY) {
            Some(vertex) => self.mark(Users::One(vertex)),
            None => Mark::NOBODY,
        }
    }

    fn meet(&mut self, at: Step, _: Slot, data: Mark, control: Mark) -> Mark {
        let Some(vertex) = self.note(at, data, control) else { return Mark::NOBODY };
        self.flow.is_statement[vertex.0 as usize] = true;
        self.mark(Users::One(vertex))
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        self.mark(Users::Both(a, b))
    }

    fn end(&mut self, source: Source, mark: Mark) {
        // Each byte of a variable ends on its own.
        if self.ended.insert((source, mark)) {
            let users = self.everybody(mark);
            self.flow.sources.extend(users.into_iter().map(|user| (source, user)));
        }
    }

    fn asks(&self, user: Step) -> bool {
        self.asked.contains(&user)
    }

    fn could(&mut self, predicate: Step, users: Mark) -> Mark {
        for vertex in self.everybody(users) {
            let user = self.flow.step(vertex);
            // A use waits in the name of whoever the walk has made of it.
            if self.asked.contains(&user) {
                self.flow.could.push(Could { predicate, user });
            }
        }
        Mark::NOBODY
    }
}
