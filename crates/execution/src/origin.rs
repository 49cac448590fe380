//! Where a value came from, hop by hop.
//!
//! From a dependence graph: each hop is a step that assigned, called or returned, with the steps whose values it used.
//! Steps inside twins of library functions are passed through: what they used, whoever called them used. What a twin was
//! given by code outside (`scanf` reads by `getc`), or where it used nothing but constants, comes from the call of the library's
//! function. Arithmetic on addresses counts as use, as in a slice; choices do not, unless a step used nothing.

use std::collections::{BTreeSet, HashMap, HashSet};

use replay::Step;

use crate::dependence::graph::{Dependence, Graph, VertexId};
use crate::dependence::{Kind, Source};
use crate::functions::Functions;
use crate::uses::Action;

/// A step on the way of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    pub step: Step,
    /// The hops whose values it used, by their positions, latest first, each with the load it used them through.
    pub from: Vec<(usize, Option<Step>)>,
    /// The hop that chose that it executes, if it used nothing.
    pub because: Option<usize>,
    /// It used more, which is not among the hops.
    pub is_cut: bool,
    /// Parts of its value that were there before the program began, or that nobody seen wrote.
    pub sources: BTreeSet<&'static str>,
}

/// The hops from a graph's first step on, latest first; at most `most`.
pub fn origin(functions: &Functions<'_>, graph: &Graph, most: usize) -> Vec<Hop> {
    let by_user = graph.by_user();
    let mut sources: HashMap<VertexId, BTreeSet<&'static str>> = HashMap::new();
    for &(source, vertex) in &graph.sources {
        sources.entry(vertex).or_default().insert(match source {
            Source::Initial => "contents from before the run",
            Source::Unseen => "memory changed by code outside",
            Source::Start => "the program's start",
        });
    }
    if graph.steps.is_empty() {
        return Vec::new();
    }
    let first = VertexId(0);
    let mut positions = HashMap::from([(first, 0)]);
    let mut order = vec![first];
    let mut hops: Vec<Hop> = Vec::new();
    while hops.len() < order.len() {
        let vertex = order[hops.len()];
        let (used, inner) = used(functions, graph, &by_user, vertex);
        let mut place = |vertex: VertexId| {
            if !positions.contains_key(&vertex) && order.len() < most {
                positions.insert(vertex, order.len());
                order.push(vertex);
            }
            positions.get(&vertex).copied()
        };
        let (mut from, mut is_cut): (Vec<(usize, Option<Step>)>, bool) = (Vec::new(), false);
        for edge in &used {
            match place(edge.from) {
                Some(position) if from.iter().any(|(known, _)| *known == position) => {}
                Some(position) => from.push((position, edge.via)),
                None => is_cut = true,
            }
        }
        let mut because = None;
        if used.is_empty()
            && let Some(chooser) = chooser(functions, graph, &by_user, vertex)
        {
            because = place(chooser);
            is_cut |= because.is_none();
        }
        let sources = inner.iter().filter_map(|vertex| sources.get(vertex)).flatten().copied().collect();
        let step = graph.step(caller(functions, graph, &by_user, vertex));
        hops.push(Hop { step, from, because, is_cut, sources });
    }
    hops
}

/// What decided that a step executed, outside of twins.
fn chooser(
    functions: &Functions<'_>,
    graph: &Graph,
    by_user: &[Vec<Dependence>],
    mut vertex: VertexId,
) -> Option<VertexId> {
    loop {
        // Each is earlier than the one before.
        vertex = by_user[vertex.0 as usize].iter().find(|edge| edge.kind == Kind::Control)?.from;
        if !functions.is_twin(graph.step(vertex).site.function) {
            return Some(vertex);
        }
    }
}

/// For a step in a twin, the call of the library's function it serves.
fn caller(functions: &Functions<'_>, graph: &Graph, by_user: &[Vec<Dependence>], vertex: VertexId) -> VertexId {
    if !functions.is_twin(graph.step(vertex).site.function) {
        return vertex;
    }
    chooser(functions, graph, by_user, vertex).unwrap_or(vertex)
}

/// The dependences on data of a step, with those of twins it goes through in their place; and the steps passed through.
fn used(
    functions: &Functions<'_>,
    graph: &Graph,
    by_user: &[Vec<Dependence>],
    vertex: VertexId,
) -> (Vec<Dependence>, Vec<VertexId>) {
    let mut found: Vec<Dependence> = Vec::new();
    let mut by_call = Vec::new();
    let mut passed = vec![vertex];
    let mut seen = HashSet::from([vertex]);
    let mut next = 0;
    while let Some(&inner) = passed.get(next) {
        next += 1;
        for edge in by_user[inner.0 as usize].iter().filter(|edge| edge.kind == Kind::Data) {
            if !seen.insert(edge.from) {
                continue;
            }
            let via = edge.via.filter(|via| !functions.is_twin(via.site.function));
            let step = graph.step(edge.from);
            if !functions.is_twin(step.site.function) {
                found.push(Dependence { to: vertex, via, ..*edge });
                continue;
            }
            passed.push(edge.from);
            if is_call(functions, step) {
                by_call.push(edge.from);
            }
        }
    }
    if found.is_empty() && by_call.is_empty() {
        by_call = passed[1..].to_vec();
    }
    for inner in by_call {
        let from = caller(functions, graph, by_user, inner);
        if from != vertex && found.iter().all(|edge| edge.from != from) {
            found.push(Dependence { from, to: vertex, kind: Kind::Data, via: None });
        }
    }
    found.sort_by_key(|edge| std::cmp::Reverse(graph.step(edge.from)));
    (found, passed)
}

fn is_call(functions: &Functions<'_>, at: Step) -> bool {
    let action = functions.uses(at.site.function).instructions[at.site.instruction.index()].action;
    matches!(action, Action::Call | Action::Invoke)
}
