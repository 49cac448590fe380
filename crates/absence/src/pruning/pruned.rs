//! The slice of the failure without what is surely right (the paper's *PS*), over dependences that are there and those that
//! experiments have shown.

use std::collections::{HashMap, HashSet, VecDeque};

use execution::dependence::flow::{Flow, FlowBuilder, FlowEdge};
use execution::dependence::graph::VertexId;
use execution::dependence::{Follow, Root, Walk, Wish};
use execution::noted::{Noted, note};
use execution::slice::Request;
use program::{CallKind, Op};
use replay::Step;

use super::confidence::{alternatives, confidence};
use super::declared::{Declared, declared};
use super::network::network;
use super::profile::Profile;
use crate::outputs::Writing;
use subject::{Subject, TechniqueError};

/// Steps of the failing run that could be the fault, or have been made wrong by it.
pub struct Pruned {
    pub flow: Flow,
    pub notes: HashMap<Step, Noted>,
    /// By vertex.
    pub confidence: Vec<f64>,
    /// Vertices that belong to it, each with its distance from the failure in statements. Steps that pass values on are
    /// among them.
    pub distance: HashMap<VertexId, u32>,
    /// All that the failure depends on, before anything was left out.
    pub whole: HashSet<VertexId>,
    /// Steps that used what a variable began with.
    pub began: Vec<(VertexId, Declared)>,
    by_user: Vec<Vec<FlowEdge>>,
}

/// A predicate that decided what a use found: by not executing what would have defined it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ImplicitEdge {
    pub predicate: Step,
    pub user: Step,
}

/// Steps of the flow, at most: the latest.
const MOST_STEPS: usize = 400_000;

/// What is known of a failing run.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Calls whose output is right.
    pub right: &'a [Writing],
    /// A call whose output is right, but may end too early.
    pub short: Option<&'a Writing>,
    /// Implicit dependences that were shown.
    pub edges: &'a [ImplicitEdge],
    /// Steps that somebody called right.
    pub benign: &'a HashSet<Step>,
    /// Values that were right elsewhere.
    pub profile: &'a Profile,
}

/// What the failure depends on, without what is surely right.
pub fn pruned(subject: &Subject<'_, '_>, known: Known<'_>) -> Result<Option<Pruned>, TechniqueError> {
    let Known { right, short, edges, benign, profile } = known;
    let run = subject.run;
    let criterion = &subject.question.criterion;
    let Some(end) = criterion.step(run) else { return Ok(None) };
    let mut builder = FlowBuilder::new(MOST_STEPS, HashSet::new());
    let end_mark = builder.root(end);
    let mut roots = Vec::new();
    for edge in edges {
        let mark = builder.root(edge.predicate);
        if roots.iter().all(|root: &Root| root.at != edge.predicate) {
            roots.push(Root { at: edge.predicate, wishes: vec![Wish::Operands, Wish::Execution], mark });
        }
    }
    for writing in right {
        let mark = builder.root(writing.at);
        roots.push(Root { at: writing.at, wishes: writing.wishes(), mark });
    }
    if let Some(short) = short {
        // Whatever it was given may have made it short.
        let mark = builder.root(short.at);
        roots.push(Root { at: short.at, wishes: vec![Wish::Operands, Wish::Execution], mark });
    }
    let walk = Walk::new(&run.functions, Follow::DataAndControl, builder);
    let flow = Request::of(criterion).and(roots).budget(subject.budget);
    let flow = flow.walk(run, walk, |_| end_mark)?.demand.flow;
    let notes = note(run, &flow.steps.iter().copied().collect())?;
    let network = network(&run.functions, &flow, &notes, right, benign);
    let known = alternatives(&network);
    let mut seen = seen(&flow, &notes);
    for (&place, values) in &mut seen {
        profile.add_to(place, values);
    }
    let confidence: Vec<f64> = flow
        .vertices()
        .map(|vertex| {
            let at = flow.step(vertex);
            if benign.contains(&at) {
                return 1.0;
            }
            let values = seen.get(&at.site).map(Vec::as_slice).unwrap_or_default();
            confidence(known[vertex.0 as usize].as_ref(), values)
        })
        .collect();
    let began = declared(subject, &flow, &notes);
    let by_user = flow.by_user();
    let (distance, whole) = (HashMap::new(), HashSet::new());
    let mut found = Pruned { flow, notes, confidence, distance, whole, began, by_user };
    found.reach(subject, end, short.map(|short| short.at), edges);
    Ok(Some(found))
}

/// Values of a place that are looked at.
const MOST_VALUES: usize = 1000;

/// The values each place of the program had in the run, as far as they were noted.
fn seen(flow: &Flow, notes: &HashMap<Step, Noted>) -> HashMap<program::Site, Vec<u64>> {
    let mut seen: HashMap<_, Vec<u64>> = HashMap::new();
    for at in &flow.steps {
        if let Some(value) = notes.get(at).and_then(|noted| noted.result) {
            seen.entry(at.site).or_default().push(value);
        }
    }
    for values in seen.values_mut() {
        values.sort_unstable();
        values.dedup();
        values.truncate(MOST_VALUES);
    }
    seen
}

impl Pruned {
    /// For each step, what it used.
    pub fn by_user(&self) -> &[Vec<FlowEdge>] {
        &self.by_user
    }

    /// Whether a step is surely right.
    pub fn is_right(&self, vertex: VertexId) -> bool {
        self.confidence[vertex.0 as usize] >= 1.0
    }

    pub fn contains(&self, step: Step) -> bool {
        self.flow.vertex(step).is_some_and(|vertex| self.distance.contains_key(&vertex))
    }

    /// Walks back from the failure, not beyond what is right.
    fn reach(&mut self, subject: &Subject<'_, '_>, end: Step, short: Option<Step>, edges: &[ImplicitEdge]) {
        let Some(start) = self.flow.vertex(end) else { return };
        let by_user = &self.by_user;
        let mut implicit: HashMap<VertexId, Vec<VertexId>> = HashMap::new();
        for edge in edges {
            let user = self.flow.vertex(edge.user).unwrap_or(start);
            implicit.entry(user).or_default().extend(self.flow.vertex(edge.predicate));
        }
        let functions = &subject.run.functions;
        for keeps_right in [true, false] {
            let mut reached = HashMap::from([(start, 0)]);
            let mut open = VecDeque::from([start]);
            if let Some(short) = short.and_then(|short| self.flow.vertex(short)) {
                reached.insert(short, 1);
                open.push_back(short);
            }
            while let Some(user) = open.pop_front() {
                let so_far = reached[&user];
                let explicit = by_user[user.0 as usize].iter().map(|edge| edge.from);
                for from in explicit.chain(implicit.get(&user).into_iter().flatten().copied()) {
                    let is_free = !self.flow.is_statement[from.0 as usize]
                        || functions.is_twin(self.flow.step(from).site.function);
                    let distance = so_far + u32::from(!is_free);
                    let is_left_out = !keeps_right && self.is_right(from);
                    if is_left_out || reached.get(&from).is_some_and(|known| *known <= distance) {
                        continue;
                    }
                    reached.insert(from, distance);
                    if is_free { open.push_front(from) } else { open.push_back(from) }
                }
            }
            if keeps_right {
                self.whole = reached.into_keys().collect();
            } else {
                self.distance = reached;
            }
        }
    }

    /// Statements of the program's own code that belong to it, those most likely wrong first.
    pub fn by_doubt(&self, subject: &Subject<'_, '_>) -> Vec<Step> {
        let members = self.distance.iter().filter(|(vertex, far)| **far > 0 && self.is_seen(subject, **vertex));
        let mut found: Vec<_> = members.map(|(vertex, far)| (self.in_hundred(*vertex), *far, *vertex)).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, _, vertex)| self.flow.step(vertex)).collect()
    }

    /// How sure a step is, in a hundred steps; what is as likely is told apart by its distance.
    fn in_hundred(&self, vertex: VertexId) -> u32 {
        (self.confidence[vertex.0 as usize] * 100.0) as u32
    }

    /// Loads and copies that belong to it, those most likely wrong first: of low confidence, near to the failure.
    pub fn uses(&self, subject: &Subject<'_, '_>) -> Vec<Step> {
        let mut uses: Vec<(u32, u32, VertexId)> = Vec::new();
        for (&vertex, &distance) in &self.distance {
            let at = self.flow.step(vertex);
            let op = &subject.run.functions.instruction(at.site).op;
            let is_use = matches!(op, Op::Load { .. })
                || op.call().is_some_and(|call| call.kind == CallKind::Memory && call.arguments.len() > 1);
            if is_use {
                uses.push((self.in_hundred(vertex), distance, vertex));
            }
        }
        uses.sort_unstable();
        uses.into_iter().map(|(_, _, vertex)| self.flow.step(vertex)).collect()
    }

    /// How many of these are statements of the program's own code.
    pub fn count(&self, subject: &Subject<'_, '_>, members: &HashSet<VertexId>) -> usize {
        members.iter().filter(|vertex| self.is_seen(subject, **vertex)).count()
    }

    /// Whether a vertex is a statement of the program's own code.
    pub fn is_seen(&self, subject: &Subject<'_, '_>, vertex: VertexId) -> bool {
        let is_twin = subject.run.functions.is_twin(self.flow.step(vertex).site.function);
        self.flow.is_statement[vertex.0 as usize] && !is_twin
    }

    /// Declarations of variables that a step of the final set found as they began: that step, and how far the declaration is
    /// from the failure.
    pub fn declarations<'s>(&'s self) -> Vec<(Step, u32, &'s Declared)> {
        let of = |(vertex, declared): &'s (VertexId, Declared)| {
            Some((self.flow.step(*vertex), self.distance.get(vertex)? + 1, declared))
        };
        let mut found: Vec<(Step, u32, &'s Declared)> = self.began.iter().filter_map(of).collect();
        found.sort_by_key(|(at, distance, _)| (*distance, std::cmp::Reverse(*at)));
        found
    }

    /// The statements of the final set with their distances from the failure, which comes first.
    pub fn statements(&self, subject: &Subject<'_, '_>) -> Vec<(Step, u32)> {
        let members =
            self.distance.iter().filter(|(vertex, distance)| **distance == 0 || self.is_seen(subject, **vertex));
        let mut found: Vec<(Step, u32)> = members.map(|(vertex, far)| (self.flow.step(*vertex), *far)).collect();
        found.sort_by_key(|(at, distance)| (*distance, std::cmp::Reverse(*at)));
        found
    }
}
