//! Predicates that could have let another definition reach a use of the slice (the paper's *PD(u)*), in the order of their
//! uses.
//!
//! Static facts say which definitions there could have been; conditions (i) to (iii) of definition 1 are those of the run.
//! The place in the output is a use as well: what did not write, though it could have, decided on it. So options that
//! should have printed something are found, which the paper does not speak of.

use std::collections::{HashMap, HashSet};

use execution::Run;
use execution::dependence::{Follow, Root, Walk, Wish};
use execution::predicates::Predicate;
use execution::slice::Request;
use failure::WritingCode;
use program::{Edge, Site};
use replay::Step;

use super::search::Search;
use super::waiting::Waiting;
use crate::outcome::{ByStep, Candidate, taken};
use crate::outputs::Silence;
use crate::pruning::{ImplicitEdge, Pruned};
use subject::trying::order::site_by_site;
use subject::trying::other_ways::other_ways;
use subject::{Subject, TechniqueError};

/// Uses asked about, at most.
const MOST_USES: usize = 20_000;

/// `corrupted`: statements that somebody called wrong.
pub fn candidates(
    search: &Search<'_, '_>,
    pruned: &Pruned,
    edges: &[ImplicitEdge],
    corrupted: &HashSet<Step>,
) -> Result<Vec<Candidate>, TechniqueError> {
    let subject = &search.subject;
    let mut uses = pruned.uses(subject);
    // What was called wrong is what is to be explained.
    let behind: HashSet<Step> = corrupted.iter().flat_map(|statement| pruned.behind(*statement)).collect();
    uses.sort_by_key(|user| !behind.contains(user));
    uses.truncate(MOST_USES);
    let waiting = waiting(search, edges, &uses)?;
    // Each use with its rank; the place in the output comes before them all.
    let mut users: HashMap<Step, Vec<(u32, Step)>> = HashMap::new();
    for (predicate, ranks) in waiting.found() {
        // It is among what the failure depends on already.
        if !pruned.contains(predicate) {
            users.entry(predicate).or_default().extend(ranks.iter().map(|&rank| (rank + 1, uses[rank as usize])));
        }
    }
    if let Some(silence) = search.silence {
        for predicate in silent(subject, &search.predicates, silence) {
            let rank = if silence.is_sure { 0 } else { u32::MAX };
            users.entry(predicate).or_default().push((rank, silence.place.user()));
        }
    }
    let mut found: Vec<(u32, Candidate)> = Vec::new();
    for (at, mut users) in users {
        let Some(&predicate) = search.predicates.get(&at) else { continue };
        users.sort_unstable();
        users.dedup();
        let best = users.first().map_or(u32::MAX, |(rank, _)| *rank);
        let users: Vec<Step> = users.into_iter().map(|(_, user)| user).collect();
        for change in other_ways(subject.run, &predicate) {
            found.push((best, Candidate { predicate, change, users: users.clone(), executions: Vec::new() }));
        }
    }
    // Of those for the same use, the latest first.
    found.sort_by_key(|(best, candidate)| (*best, std::cmp::Reverse(candidate.predicate.at)));
    Ok(in_turn(found.into_iter().map(|(_, candidate)| candidate).collect()))
}

/// All predicates that are not among what the failure depends on: those of each place in turn, the latest first. Each may
/// bear on the failure itself.
pub fn others(search: &Search<'_, '_>, pruned: &Pruned) -> Vec<Candidate> {
    let subject = &search.subject;
    let failure = subject.question.criterion.step(subject.run);
    let users: Vec<Step> = search.silence.map(|silence| silence.place.user()).into_iter().chain(failure).collect();
    let until = failure.map_or(u64::MAX, |failure| failure.clock);
    let all = search.predicates.values().filter(|one| one.at.clock < until && !pruned.contains(one.at));
    let mut all: Vec<&Predicate> = all.collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.at));
    let mut found = Vec::new();
    for &predicate in site_by_site(all, |one| one.at) {
        for change in other_ways(subject.run, &predicate) {
            found.push(Candidate { predicate, change, users: users.clone(), executions: Vec::new() });
        }
    }
    found
}

/// Executions of one place that come before those of others for less likely uses.
const MOST_OF_PLACE: usize = 24;

/// Keeps the order, but lets no place of many executions keep all others waiting.
fn in_turn(all: Vec<Candidate>) -> Vec<Candidate> {
    let mut seen: HashMap<Site, HashSet<Step>> = HashMap::new();
    let (first, later): (Vec<Candidate>, Vec<Candidate>) = all.into_iter().partition(|one| {
        let at = one.predicate.at;
        let seen = seen.entry(at.site).or_default();
        seen.insert(at);
        seen.len() <= MOST_OF_PLACE
    });
    first.into_iter().chain(site_by_site(later, |one| one.predicate.at)).collect()
}

/// Walks back from the failure, and notes what uses potentially depend on.
fn waiting(search: &Search<'_, '_>, edges: &[ImplicitEdge], uses: &[Step]) -> Result<Waiting, TechniqueError> {
    let subject = &search.subject;
    let run = subject.run;
    let waiting = Waiting::new(uses);
    let mark = waiting.root();
    let mut roots: Vec<Root> = Vec::new();
    let whole = vec![Wish::Operands, Wish::Execution];
    roots.extend(search.short.iter().map(|short| Root { at: short.at, wishes: whole.clone(), mark }));
    for edge in edges {
        if roots.iter().all(|root| root.at != edge.predicate) {
            roots.push(Root { at: edge.predicate, wishes: whole.clone(), mark });
        }
    }
    let walk = Walk::new(&run.functions, Follow::Relevant(search.potential), waiting);
    let criterion = &subject.question.criterion;
    Ok(Request::of(criterion).and(roots).budget(subject.budget).walk(run, walk, |_| mark)?.demand)
}

/// Predicates that went by code that writes, while nothing was written.
fn silent(subject: &Subject<'_, '_>, predicates: &ByStep, silence: Silence) -> Vec<Step> {
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
    let shape = run.functions.shape(at.site.function);
    let from = shape.block_of(at.site.instruction);
    let Some(taken) = taken(run, predicate) else { return false };
    let others = shape.cfg.successors(from).iter().filter(|&&to| to != taken);
    let mut edges = others.map(|&to| Edge { from, to });
    edges.any(|edge| writing.far_behind(run, at.site.function, edge))
}
