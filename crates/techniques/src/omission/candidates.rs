//! Predicates that could have let another definition reach a use of the slice (the paper's *PD(u)*), in the order of their
//! uses.
//!
//! Static facts say which definitions there could have been; conditions (i) to (iii) of definition 1 are those of the run.
//! The place in the output is a use as well: what did not write, though it could have, decided on it. So options that
//! should have printed something are found, which the paper does not speak of.

use std::collections::{HashMap, HashSet};

use execution::Run;
use execution::dependence::flow::FlowBuilder;
use execution::dependence::{Follow, Moment, Root, Walk, Wish};
use execution::failure::WritingCode;
use execution::predicates::Predicate;
use execution::slice::walk_back_from;
use experiment::{Change, Intervention};
use program::potential::Potential;
use program::{Edge, Op};

use super::pruned::{ImplicitEdge, Pruned};
use super::switched::OutputPlace;
use crate::other_ways::other_ways;
use crate::{Subject, TechniqueError};

/// A predicate, another way it could have gone, and the uses that may depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub predicate: Predicate,
    pub change: Change,
    /// The likeliest to be wrong first.
    pub users: Vec<Moment>,
}

impl Candidate {
    pub fn experiment(&self) -> Vec<Intervention> {
        vec![Intervention { clock: self.predicate.at.clock, change: self.change.clone() }]
    }
}

/// The predicates of the failing run.
pub type ByStep = HashMap<Moment, Predicate>;

/// Uses asked about, at most: each is compared with all others that wait for the same definition.
const MOST_USES: usize = 20_000;
/// Steps of the walk, which remembers nothing else.
const MOST_STEPS: usize = 2_000_000;

/// Where the output went wrong, and since when nothing had been written.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    pub place: OutputPlace,
    pub since: u64,
    pub until: u64,
}

/// `corrupted`: statements that somebody called wrong.
pub fn candidates(
    subject: &Subject<'_, '_>,
    potential: &Potential<'_>,
    predicates: &ByStep,
    pruned: &Pruned,
    edges: &[ImplicitEdge],
    silence: Option<Silence>,
    corrupted: &HashSet<Moment>,
) -> Result<Vec<Candidate>, TechniqueError> {
    let mut uses = pruned.uses(subject);
    // What was called wrong is what is to be explained.
    let behind: HashSet<Moment> = corrupted.iter().flat_map(|statement| pruned.behind(*statement)).collect();
    uses.sort_by_key(|user| !behind.contains(user));
    uses.truncate(MOST_USES);
    let rank: HashMap<Moment, usize> = uses.iter().copied().zip(1..).collect();
    let mut users: HashMap<Moment, Vec<(usize, Moment)>> = HashMap::new();
    for (predicate, user) in could(subject, potential, edges, uses.into_iter().collect())? {
        // It is among what the failure depends on already.
        if !pruned.contains(predicate) {
            users.entry(predicate).or_default().push((rank[&user], user));
        }
    }
    if let Some(silence) = silence {
        for predicate in silent(subject, predicates, silence) {
            users.entry(predicate).or_default().push((0, silence.place.user()));
        }
    }
    let mut found: Vec<(usize, Candidate)> = Vec::new();
    for (at, mut users) in users {
        let Some(&predicate) = predicates.get(&at) else { continue };
        users.sort_unstable();
        users.dedup();
        let best = users.first().map_or(usize::MAX, |(rank, _)| *rank);
        let users: Vec<Moment> = users.into_iter().map(|(_, user)| user).collect();
        for change in other_ways(subject.run, &predicate) {
            found.push((best, Candidate { predicate, change, users: users.clone() }));
        }
    }
    // Of those for the same use, the latest first.
    found.sort_by_key(|(best, candidate)| (*best, std::cmp::Reverse(candidate.predicate.at)));
    Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
}

/// Pairs of a predicate and a use that potentially depends on it.
fn could(
    subject: &Subject<'_, '_>,
    potential: &Potential<'_>,
    edges: &[ImplicitEdge],
    uses: HashSet<Moment>,
) -> Result<HashSet<(Moment, Moment)>, TechniqueError> {
    let run = subject.run;
    let criterion = &subject.question.criterion;
    let mut builder = FlowBuilder::new(MOST_STEPS, uses);
    let Some(end) = criterion.step(run).map(|end| builder.root(end)) else { return Ok(HashSet::new()) };
    let mut roots: Vec<Root> = Vec::new();
    for edge in edges {
        let mark = builder.root(edge.predicate);
        if roots.iter().all(|root| root.at != edge.predicate) {
            roots.push(Root { at: edge.predicate, wishes: vec![Wish::Operands, Wish::Execution], mark });
        }
    }
    let walk = Walk::new(&run.functions, Follow::Relevant(potential), builder);
    let flow = walk_back_from(run, criterion, roots, walk, |_| end)?.demand.flow;
    Ok(flow.could.into_iter().map(|could| (could.predicate, could.user)).collect())
}

/// Predicates that went by code that writes, while nothing was written.
fn silent(subject: &Subject<'_, '_>, predicates: &ByStep, silence: Silence) -> Vec<Moment> {
    let run = subject.run;
    let mut writing = WritingCode::default();
    let mut found = Vec::new();
    for predicate in predicates.values().filter(|one| (silence.since..=silence.until).contains(&one.at.clock)) {
        if went_by_writing(run, &mut writing, predicate) {
            found.push(predicate.at);
        }
    }
    found
}

/// Whether another way of a predicate leads to code that writes.
pub fn went_by_writing(run: &Run<'_>, writing: &mut WritingCode, predicate: &Predicate) -> bool {
    let at = predicate.at;
    let function = run.functions.function(at.function);
    let shape = run.functions.shape(at.function);
    let from = shape.block_of(at.instruction);
    let taken = match &function.instruction(at.instruction).op {
        Op::Branch { then, otherwise, .. } => {
            if predicate.value != 0 {
                *then
            } else {
                *otherwise
            }
        }
        Op::Switch { default, cases, .. } => {
            cases.iter().find(|(value, _)| *value == predicate.value).map_or(*default, |(_, to)| *to)
        }
        _ => return false,
    };
    let others = shape.cfg.successors(from).iter().filter(|&&to| to != taken);
    let mut edges = others.map(|&to| Edge { from, to });
    edges.any(|edge| writing.far_behind(run, at.function, edge))
}
