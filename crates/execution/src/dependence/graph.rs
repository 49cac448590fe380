//! The dependence graph of what a walk finds: the steps that assign, decide, call and return, and which of them used
//! what others made or decided.
//!
//! Only what the criterion depends on is in it. Steps that pass values on (arithmetic, loads) are not vertices but belong
//! to the step they serve; an edge remembers through which load of its user it goes.

use std::collections::{HashMap, HashSet};

use replay::Step;

use super::{Demand, Kind, Mark, Slot, Source};
use crate::functions::Functions;
use crate::uses::Action;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VertexId(pub u32);

/// `from` made or decided what `to` used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dependence {
    pub from: VertexId,
    pub to: VertexId,
    pub kind: Kind,
    /// The last load on the way, in the function that `passed` names.
    pub via: Option<Step>,
}

#[derive(Default, Debug)]
pub struct Graph {
    /// The criterion is the first; later steps come before earlier ones.
    pub steps: Vec<Step>,
    /// Grouped by `from`.
    pub edges: Vec<Dependence>,
    /// Where wishes ended that no step satisfied, and whose they were.
    pub sources: Vec<(Source, VertexId)>,
    /// Steps that only passed values on.
    pub passed: HashSet<Step>,
    pub unknown: HashMap<String, u64>,
    /// There were more steps than wanted; the graph has the latest.
    pub is_cut: bool,
}

impl Graph {
    /// What a step used, in no particular order.
    pub fn used_by(&self, step: VertexId) -> impl Iterator<Item = &Dependence> {
        self.edges.iter().filter(move |edge| edge.to == step)
    }

    /// For each step, what it used.
    pub fn by_user(&self) -> Vec<Vec<Dependence>> {
        let mut by_user = vec![Vec::new(); self.steps.len()];
        for edge in &self.edges {
            by_user[edge.to.0 as usize].push(*edge);
        }
        by_user
    }

    pub fn step(&self, id: VertexId) -> Step {
        self.steps[id.0 as usize]
    }
}

/// Who wants a place.
#[derive(Clone, Copy)]
enum Users {
    One(VertexId),
    Through(Mark, Step),
    Both(Mark, Mark),
}

/// Builds the graph of a walk.
pub struct Builder<'f> {
    functions: &'f Functions<'f>,
    users: Vec<Users>,
    vertices: HashMap<Step, VertexId>,
    most: usize,
    pub graph: Graph,
}

impl<'f> Builder<'f> {
    /// A graph of at most `most` steps.
    pub fn new(functions: &'f Functions<'f>, most: usize) -> Builder<'f> {
        Builder { functions, users: Vec::new(), vertices: HashMap::new(), most, graph: Graph::default() }
    }

    /// The step the walk begins at.
    pub fn root(&mut self, at: Step) -> Mark {
        let vertex = self.vertex(at);
        self.mark(Users::One(vertex))
    }

    fn vertex(&mut self, at: Step) -> VertexId {
        *self.vertices.entry(at).or_insert_with(|| {
            self.graph.steps.push(at);
            VertexId(self.graph.steps.len() as u32 - 1)
        })
    }

    fn mark(&mut self, users: Users) -> Mark {
        self.users.push(users);
        Mark(self.users.len() as u32)
    }

    /// Everybody behind a mark, each with the last load on the way.
    fn everybody(&self, mark: Mark) -> Vec<(VertexId, Option<Step>)> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![(mark, None)];
        while let Some((mark, via)) = open.pop() {
            if mark.is_nobody() || !seen.insert((mark, via)) {
                continue;
            }
            match self.users[mark.0 as usize - 1] {
                Users::One(vertex) => found.push((vertex, via)),
                Users::Both(a, b) => open.extend([(a, via), (b, via)]),
                Users::Through(inner, load) => open.push((inner, via.or(Some(load)))),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn is_load(&self, at: Step) -> bool {
        let uses = self.functions.uses(at.site.function);
        matches!(
            uses.instructions[at.site.instruction.index()].action,
            Action::Load { .. } | Action::LoadArea { .. } | Action::LoadLocal { .. }
        )
    }
}

impl Demand for Builder<'_> {
    fn pass(&mut self, at: Step, _: Slot, mark: Mark) -> Mark {
        self.graph.passed.insert(at);
        if self.is_load(at) { self.mark(Users::Through(mark, at)) } else { mark }
    }

    fn meet(&mut self, at: Step, _: Slot, data: Mark, control: Mark) -> Mark {
        if self.graph.steps.len() >= self.most && !self.vertices.contains_key(&at) {
            self.graph.is_cut = true;
            return Mark::NOBODY;
        }
        let from = self.vertex(at);
        for (to, via) in self.everybody(data) {
            self.graph.edges.push(Dependence { from, to, kind: Kind::Data, via });
        }
        let mut last = None;
        for (to, _) in self.everybody(control) {
            // The same user may want the block through several loads.
            if last != Some(to) {
                self.graph.edges.push(Dependence { from, to, kind: Kind::Control, via: None });
            }
            last = Some(to);
        }
        self.mark(Users::One(from))
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        self.mark(Users::Both(a, b))
    }

    fn end(&mut self, source: Source, mark: Mark) {
        for (vertex, _) in self.everybody(mark) {
            if !self.graph.sources.contains(&(source, vertex)) {
                self.graph.sources.push((source, vertex));
            }
        }
    }

    fn is_full(&self) -> bool {
        self.graph.is_cut
    }

    fn unknown(&mut self, _: Step, name: &str) {
        *self.graph.unknown.entry(name.to_owned()).or_default() += 1;
    }
}
