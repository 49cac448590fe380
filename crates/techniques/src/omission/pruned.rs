//! The slice of the failure without what is surely right (the paper's *PS*), over dependences that are there and those that
//! experiments have shown.

use std::collections::{HashMap, HashSet, VecDeque};

use execution::dependence::flow::{Flow, FlowBuilder};
use execution::dependence::graph::VertexId;
use execution::dependence::{Follow, Kind, Moment, Root, Walk, Wish};
use execution::noted::{Noted, note};
use execution::slice::walk_back_from;
use program::{CallKind, Op, Operand};

use super::confidence::{alternatives, confidence};
use super::network::network;
use super::outputs::Writing;
use super::profile::Profile;
use crate::{Subject, TechniqueError};

/// Steps of the failing run that could be the fault, or have been made wrong by it.
pub struct Pruned {
    pub flow: Flow,
    pub notes: HashMap<Moment, Noted>,
    /// By vertex.
    pub confidence: Vec<f64>,
    /// Vertices that belong to it, each with its distance from the failure in statements. Steps that pass values on are
    /// among them.
    pub distance: HashMap<VertexId, u32>,
    /// All that the failure depends on, before anything was left out.
    pub whole: HashSet<VertexId>,
}

/// A predicate that decided what a use found: by not executing what would have defined it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ImplicitEdge {
    pub predicate: Moment,
    pub user: Moment,
}

/// Steps of the flow, at most: the latest.
const MOST_STEPS: usize = 400_000;

/// What the failure depends on. `right`: calls whose output is right. `edges`: implicit dependences that were shown.
/// `benign`: steps that somebody called right. `profile`: values that were right elsewhere.
pub fn pruned(
    subject: &Subject<'_, '_>,
    right: &[Writing],
    edges: &[ImplicitEdge],
    benign: &HashSet<Moment>,
    profile: &Profile,
) -> Result<Option<Pruned>, TechniqueError> {
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
    let walk = Walk::new(&run.functions, Follow::DataAndControl, builder);
    let flow = walk_back_from(run, criterion, roots, walk, |_| end_mark)?.demand.flow;
    let notes = note(run, &flow.steps.iter().copied().collect())?;
    let network = network(&run.functions, &flow, &notes, right, benign);
    let known = alternatives(&network);
    let seen = seen(&flow, &notes);
    let confidence: Vec<f64> = flow
        .vertices()
        .map(|vertex| {
            let at = flow.step(vertex);
            if benign.contains(&at) {
                return 1.0;
            }
            let others = seen.get(&(at.function, at.instruction)).map(Vec::as_slice).unwrap_or_default();
            confidence(known[vertex.0 as usize].as_ref(), &profile.range((at.function, at.instruction), others))
        })
        .collect();
    let mut found = Pruned { flow, notes, confidence, distance: HashMap::new(), whole: HashSet::new() };
    found.reach(subject, end, edges);
    Ok(Some(found))
}

/// The values each place of the program had in the run, as far as they were noted.
fn seen(
    flow: &Flow,
    notes: &HashMap<Moment, Noted>,
) -> HashMap<(execution::FunctionKey, abi::InstructionId), Vec<u64>> {
    let mut seen: HashMap<_, Vec<u64>> = HashMap::new();
    for at in &flow.steps {
        if let Some(value) = notes.get(at).and_then(|noted| noted.result) {
            seen.entry((at.function, at.instruction)).or_default().push(value);
        }
    }
    for values in seen.values_mut() {
        values.sort_unstable();
        values.dedup();
    }
    seen
}

impl Pruned {
    /// Whether a step is surely right.
    pub fn is_right(&self, vertex: VertexId) -> bool {
        self.confidence[vertex.0 as usize] >= 1.0
    }

    pub fn contains(&self, step: Moment) -> bool {
        self.flow.vertex(step).is_some_and(|vertex| self.distance.contains_key(&vertex))
    }

    /// Walks back from the failure, not beyond what is right.
    fn reach(&mut self, subject: &Subject<'_, '_>, end: Moment, edges: &[ImplicitEdge]) {
        let Some(start) = self.flow.vertex(end) else { return };
        let by_user = self.flow.by_user();
        let mut implicit: HashMap<VertexId, Vec<VertexId>> = HashMap::new();
        for edge in edges {
            let user = self.flow.vertex(edge.user).unwrap_or(start);
            implicit.entry(user).or_default().extend(self.flow.vertex(edge.predicate));
        }
        let functions = &subject.run.functions;
        for keeps_right in [true, false] {
            let mut reached = HashMap::from([(start, 0)]);
            let mut open = VecDeque::from([start]);
            while let Some(user) = open.pop_front() {
                let so_far = reached[&user];
                let explicit = by_user[user.0 as usize].iter().map(|edge| edge.from);
                for from in explicit.chain(implicit.get(&user).into_iter().flatten().copied()) {
                    let is_free =
                        !self.flow.is_statement[from.0 as usize] || functions.is_twin(self.flow.step(from).function);
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
    pub fn by_doubt(&self, subject: &Subject<'_, '_>) -> Vec<Moment> {
        let members = self.distance.iter().filter(|(vertex, far)| **far > 0 && self.is_seen(subject, **vertex));
        let mut found: Vec<_> = members.map(|(vertex, far)| (self.in_hundred(*vertex), *far, *vertex)).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, _, vertex)| self.flow.step(vertex)).collect()
    }

    /// How sure a step is, in a hundred steps; what is as likely is told apart by its distance.
    fn in_hundred(&self, vertex: VertexId) -> u32 {
        (self.confidence[vertex.0 as usize] * 100.0) as u32
    }

    /// What a statement was made from, up to other statements.
    pub fn behind(&self, statement: Moment) -> HashSet<Moment> {
        let by_user = self.flow.by_user();
        let mut open: Vec<VertexId> = self.flow.vertex(statement).into_iter().collect();
        let mut seen: HashSet<VertexId> = open.iter().copied().collect();
        while let Some(user) = open.pop() {
            for edge in by_user[user.0 as usize].iter().filter(|edge| edge.kind == Kind::Data) {
                if !self.flow.is_statement[edge.from.0 as usize] && seen.insert(edge.from) {
                    open.push(edge.from);
                }
            }
        }
        seen.into_iter().map(|vertex| self.flow.step(vertex)).collect()
    }

    /// Loads and copies that belong to it, those most likely wrong first: of low confidence, near to the failure.
    pub fn uses(&self, subject: &Subject<'_, '_>) -> Vec<Moment> {
        let mut uses: Vec<(u32, u32, VertexId)> = Vec::new();
        for (&vertex, &distance) in &self.distance {
            let at = self.flow.step(vertex);
            let op = &subject.run.functions.function(at.function).instruction(at.instruction).op;
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
    fn is_seen(&self, subject: &Subject<'_, '_>, vertex: VertexId) -> bool {
        let is_twin = subject.run.functions.is_twin(self.flow.step(vertex).function);
        self.flow.is_statement[vertex.0 as usize] && !is_twin
    }

    /// The statements of the final set with their distances from the failure, which comes first.
    pub fn statements(&self, subject: &Subject<'_, '_>) -> Vec<(Moment, u32)> {
        let members =
            self.distance.iter().filter(|(vertex, distance)| **distance == 0 || self.is_seen(subject, **vertex));
        let mut found: Vec<(Moment, u32)> = members.map(|(vertex, far)| (self.flow.step(*vertex), *far)).collect();
        found.sort_by_key(|(at, distance)| (*distance, std::cmp::Reverse(*at)));
        found
    }

    /// Statements that a step depends on by values, nearest first; not beyond what is right.
    pub fn by_values(&self, subject: &Subject<'_, '_>, from: Moment) -> ByValues {
        let Some(start) = self.flow.vertex(from) else { return ByValues::default() };
        let mut makers: HashMap<VertexId, Vec<VertexId>> = HashMap::new();
        for edge in self.flow.edges.iter().filter(|edge| edge.kind == Kind::Data) {
            makers.entry(edge.to).or_default().push(edge.from);
        }
        let mut reached = HashMap::from([(start, 0)]);
        let mut open = VecDeque::from([start]);
        while let Some(user) = open.pop_front() {
            let so_far = reached[&user];
            for &maker in makers.get(&user).into_iter().flatten() {
                let is_free = !self.is_seen(subject, maker) || passes_on(subject, self.flow.step(maker));
                let distance = so_far + u32::from(!is_free);
                if self.is_right(maker) || reached.get(&maker).is_some_and(|known| *known <= distance) {
                    continue;
                }
                reached.insert(maker, distance);
                if is_free { open.push_front(maker) } else { open.push_back(maker) }
            }
        }
        reached.remove(&start);
        let steps = reached.keys().map(|vertex| self.flow.step(*vertex)).collect();
        let statements = reached.into_iter().filter(|(vertex, _)| self.is_seen(subject, *vertex));
        let mut statements: Vec<Used> = statements
            .map(|(vertex, away)| {
                let step = self.flow.step(vertex);
                Used { step, away, passes_on: passes_on(subject, step) }
            })
            .collect();
        statements.sort_by_key(|used| (used.away, std::cmp::Reverse(used.step)));
        ByValues { statements, steps }
    }
}

/// What a step depends on by values.
#[derive(Default)]
pub struct ByValues {
    pub statements: Vec<Used>,
    /// Those that pass values on, too.
    pub steps: HashSet<Moment>,
}

/// A statement whose value a step used.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    pub step: Moment,
    /// In statements that made something of it.
    pub away: u32,
    /// It only moved a value: from a call, into one, from one place to another as a whole.
    pub passes_on: bool,
}

/// Whether a statement only moves what a function returned or was given, or a whole structure.
fn passes_on(subject: &Subject<'_, '_>, at: Moment) -> bool {
    let function = subject.run.functions.function(at.function);
    match &function.instruction(at.instruction).op {
        Op::Return { .. } => true,
        Op::Store { value: Operand::Parameter(_), .. } => true,
        Op::Store { value: Operand::Result(id), .. } => function.instruction(*id).op.call().is_some(),
        op => op.call().is_some_and(|call| call.kind == CallKind::Memory && call.arguments.len() > 1),
    }
}
