//! How a switched predicate comes to bear on uses: ways of dependences from it to them, in the switched run (definition 2
//! of the paper, with its *path*).
//!
//! What was executed before the predicate cannot depend on it, so a walk back from the uses ends there.

use std::collections::{HashMap, HashSet, VecDeque};

use execution::Run;
use execution::dependence::flow::{Flow, FlowBuilder};
use execution::dependence::graph::VertexId;
use execution::dependence::{Demand, Follow, Kind, Mark, Root, Slot, Source, Walk, Wish};
use execution::slice::Request;
use program::{CallKind, Op, Site};
use replay::Step;

use subject::TechniqueError;

/// What was switched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// This execution of a predicate.
    Step(Step),
    /// This one and all that follow of the same place.
    Since(Step),
}

impl From {
    fn clock(self) -> u64 {
        let (From::Step(at) | From::Since(at)) = self;
        at.clock
    }

    fn is(self, step: Step) -> bool {
        let site = |at: Step| -> Site { at.site };
        match self {
            From::Step(at) => at == step,
            From::Since(at) => site(at) == site(step) && step.clock >= at.clock,
        }
    }
}

/// A way from a predicate to a use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The last step on it that was executed because of the predicate, and no value led to: what the predicate decides.
    pub by: Step,
    /// What the use found was made there (the *edge* of the paper's algorithm): no other value lies between.
    pub is_direct: bool,
}

/// Steps looked at between the predicate and the uses; of more, it is not known what depends on it.
const MOST_STEPS: usize = 200_000;

/// For each use that depends on the predicate, the way with the fewest values on it. Uses come with what is wanted of them.
pub fn ways(run: &Run<'_>, from: From, uses: &HashMap<Step, Vec<Wish>>) -> Result<HashMap<Step, Way>, TechniqueError> {
    let flow = flow_since(run, from.clock(), uses)?;
    let reached = reached(&flow, from);
    let mut found = HashMap::new();
    for &user in uses.keys() {
        let Some((vertex, end)) = flow.vertex(user).and_then(|vertex| Some((vertex, reached.get(&vertex)?))) else {
            continue;
        };
        if from.is(user) {
            continue;
        }
        let is_direct = end.values == 0 || defined_in_region(run, &flow, &reached, vertex).is_some();
        let by = defined_in_region(run, &flow, &reached, vertex).unwrap_or(end.decided);
        found.insert(user, Way { by: flow.step(by), is_direct });
    }
    Ok(found)
}

/// What these uses depend on, as far as it came since.
pub fn flow_since(run: &Run<'_>, clock: u64, uses: &HashMap<Step, Vec<Wish>>) -> Result<Flow, TechniqueError> {
    let mut since = SincePredicate { clock, builder: FlowBuilder::new(MOST_STEPS, HashSet::new()) };
    let mut roots = Vec::new();
    for (&at, wishes) in uses {
        roots.push(Root { at, wishes: wishes.clone(), mark: since.builder.root(at) });
    }
    let walk = Walk::new(&run.functions, Follow::DataAndControl, since);
    Ok(Request::of_roots(roots).since(clock).walk(run, walk, |_| Mark::NOBODY)?.demand.builder.flow)
}

/// How a step is reached from the predicate.
#[derive(Clone, Copy)]
struct Reached {
    /// Dependences on values on the way.
    values: u32,
    /// The last step before the first of them.
    decided: VertexId,
}

fn reached(flow: &Flow, from: From) -> HashMap<VertexId, Reached> {
    let by_maker = flow.by_maker();
    let mut open: VecDeque<VertexId> = flow.vertices().filter(|vertex| from.is(flow.step(*vertex))).collect();
    let mut found: HashMap<VertexId, Reached> =
        open.iter().map(|&vertex| (vertex, Reached { values: 0, decided: vertex })).collect();
    while let Some(maker) = open.pop_front() {
        let so_far = found[&maker];
        for edge in &by_maker[maker.0 as usize] {
            let next = match edge.kind {
                Kind::Control if so_far.values == 0 => Reached { values: 0, decided: edge.to },
                Kind::Control => so_far,
                Kind::Data => Reached { values: so_far.values + 1, ..so_far },
            };
            if found.get(&edge.to).is_some_and(|known| known.values <= next.values) {
                continue;
            }
            found.insert(edge.to, next);
            if edge.kind == Kind::Control { open.push_front(edge.to) } else { open.push_back(edge.to) }
        }
    }
    found
}

/// The step that made what a use found, if the predicate decided on it by choices alone.
fn defined_in_region(
    run: &Run<'_>,
    flow: &Flow,
    reached: &HashMap<VertexId, Reached>,
    user: VertexId,
) -> Option<VertexId> {
    let makes = |maker: VertexId| {
        let at = flow.step(maker);
        match &run.functions.instruction(at.site).op {
            Op::Store { .. } => true,
            op => op.call().is_some_and(|call| call.kind == CallKind::Memory),
        }
    };
    let mut makers = flow.edges.iter().filter(|edge| edge.to == user && edge.kind == Kind::Data).map(|edge| edge.from);
    makers.find(|&maker| makes(maker) && reached.get(&maker).is_some_and(|known| known.values == 0))
}

/// Leaves out what was before the predicate.
struct SincePredicate {
    clock: u64,
    builder: FlowBuilder,
}

impl Demand for SincePredicate {
    fn pass(&mut self, at: Step, slot: Slot, mark: Mark) -> Mark {
        if at.clock < self.clock { Mark::NOBODY } else { self.builder.pass(at, slot, mark) }
    }

    fn meet(&mut self, at: Step, slot: Slot, data: Mark, control: Mark) -> Mark {
        if at.clock < self.clock { Mark::NOBODY } else { self.builder.meet(at, slot, data, control) }
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        self.builder.merge(a, b)
    }

    fn end(&mut self, source: Source, mark: Mark) {
        self.builder.end(source, mark);
    }
}
