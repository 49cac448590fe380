//! Which of the critical predicates is the likeliest fault, by site.
//!
//! A right output is hardly ever made by accident: where several predicates can make it, the one that others depend on is
//! the likelier cause. A crash or a hang is avoided by whatever keeps the program from getting there, so there the
//! nearest comes first.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use abi::InstructionId;
use execution::FunctionKey;
use execution::dependence::graph::{Builder, VertexId};
use execution::dependence::{Follow, Moment, Walk};
use execution::slice::walk_back;

use super::Critical;
use crate::{Subject, TechniqueError};

/// Critical predicates of one site.
#[derive(Debug)]
pub struct Site {
    /// The nearest to the failure first.
    pub critical: Vec<Critical>,
    /// How many other critical sites depend on it.
    pub explains: usize,
}

/// Steps of the graph, at most; without a graph, nearness alone decides.
const MOST_STEPS: usize = 300_000;
/// Sites whose dependences on each other are looked at.
const MOST_SITES: usize = 200;

pub fn rank(subject: &Subject<'_, '_>, critical: &[Critical]) -> Result<Vec<Site>, TechniqueError> {
    let mut order: Vec<(FunctionKey, InstructionId)> = Vec::new();
    let mut by_site: HashMap<_, Vec<Critical>> = HashMap::new();
    for one in critical {
        let key = (one.predicate.at.function, one.predicate.at.instruction);
        let members = by_site.entry(key).or_default();
        if members.is_empty() {
            order.push(key);
        }
        members.push(one.clone());
    }
    let mut sites: Vec<Site> = order
        .into_iter()
        .filter_map(|key| by_site.remove(&key))
        .map(|critical| Site { critical, explains: 0 })
        .collect();
    for site in &mut sites {
        site.critical.sort_by_key(|one| Reverse(one.predicate.at.clock));
    }
    sites.sort_by_key(|site| {
        let nearest = &site.critical[0];
        (!nearest.is_in_slice, Reverse(nearest.predicate.at.clock))
    });
    if !subject.is_hard_to_satisfy() {
        return Ok(sites);
    }
    let near: Vec<Moment> = sites.iter().take(MOST_SITES).map(|site| site.critical[0].predicate.at).collect();
    if near.len() > 1 {
        let explained = explained(subject, &near)?;
        for (site, explains) in sites.iter_mut().zip(explained) {
            site.explains = explains;
        }
    }
    sites.sort_by_key(|site| {
        let nearest = &site.critical[0];
        let is_single = nearest.with.is_none();
        (!is_single, !nearest.is_in_slice, Reverse(site.explains))
    });
    Ok(sites)
}

/// For each step, how many of the others depend on it.
fn explained(subject: &Subject<'_, '_>, steps: &[Moment]) -> Result<Vec<usize>, TechniqueError> {
    let criterion = &subject.question.criterion;
    let Some(root) = criterion.step(subject.run) else { return Ok(vec![0; steps.len()]) };
    let builder = Builder::new(&subject.run.functions, MOST_STEPS);
    let potential = subject.run.potential()?;
    let walk = Walk::new(&subject.run.functions, Follow::Relevant(&potential), builder);
    let graph = walk_back(subject.run, criterion, walk, |builder| builder.root(root))?.demand.graph;
    let vertices: HashMap<Moment, VertexId> = graph.steps.iter().copied().zip((0..).map(VertexId)).collect();
    let uses = graph.by_user();
    let mut explains = vec![0; steps.len()];
    for (user, step) in steps.iter().enumerate() {
        let Some(&start) = vertices.get(step) else { continue };
        let depended = depended_on(&uses, start);
        for (other, step) in steps.iter().enumerate() {
            let is_depended_on = vertices.get(step).is_some_and(|vertex| depended.contains(vertex));
            explains[other] += usize::from(other != user && is_depended_on);
        }
    }
    Ok(explains)
}

type ByUser = [Vec<execution::dependence::graph::Dependence>];

/// All that a step depends on.
fn depended_on(uses: &ByUser, start: VertexId) -> HashSet<VertexId> {
    let mut seen = HashSet::new();
    let mut open = vec![start];
    while let Some(vertex) = open.pop() {
        for edge in &uses[vertex.0 as usize] {
            if seen.insert(edge.from) {
                open.push(edge.from);
            }
        }
    }
    seen
}
