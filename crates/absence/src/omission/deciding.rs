//! Conditions further back: those that the failure depends on by way of an omitted one, and that make as much right when
//! they are reversed. What was wrong came by them, too.

use std::cmp::Reverse;
use std::collections::HashSet;

use execution::predicates::Predicate;
use experiment::Intervention;
use replay::Step;

use super::search::{Search, State};
use super::throughout::throughout;
use crate::effect::Effect;
use crate::outcome::Candidate;
use crate::pruning::Pruned;
use subject::TechniqueError;
use subject::trying::order::site_by_site;
use subject::trying::other_ways::other_ways;

/// A condition, and the experiment that made something right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deciding {
    pub predicate: Predicate,
    pub experiment: Vec<Intervention>,
    pub effect: Effect,
}

/// Omitted conditions whose way is looked at.
const MOST_CONDITIONS: usize = 3;
/// Reversals that are tried.
const MOST_TRIED: usize = 64;
/// Conditions that are told.
const MOST_TOLD: usize = 6;

/// Those that make most right first, then the nearest to the omitted conditions. Where there are none of these, the nearest to
/// the failure, and to the call that wrote too little.
pub fn deciding(search: &Search<'_, '_>, state: &mut State, set: &Pruned) -> Result<Vec<Deciding>, TechniqueError> {
    let mut strong: Vec<(Effect, Reverse<Step>)> =
        state.proven.iter().filter(|one| one.is_strong()).map(|one| (one.effect, Reverse(one.predicate.at))).collect();
    strong.sort_unstable();
    strong.dedup();
    let least = strong.first().map_or(Effect::LEAST_WORD, |(effect, _)| *effect);
    let mut from: Vec<Step> = strong.into_iter().map(|(_, Reverse(at))| at).take(MOST_CONDITIONS).collect();
    if from.is_empty() {
        from.extend(search.failure());
        from.extend(search.short.as_ref().map(|short| short.at));
    }
    let near = before(search, state, set, &from);
    search.try_outcomes(state, &near)?;
    let mut tried: Vec<&Candidate> = near.iter().collect();
    let throughout = throughout(search, &near);
    if near.iter().all(|one| state.effect(one) != Some(Effect::ALL)) && !search.subject.is_over() {
        search.try_outcomes(state, &throughout)?;
        tried.extend(&throughout);
    }
    let mut found: Vec<Deciding> = Vec::new();
    for candidate in tried {
        let Some(effect) = state.effect(candidate).filter(|effect| *effect <= least) else { continue };
        let at = candidate.executions.first().unwrap_or(&candidate.predicate.at);
        let Some(&predicate) = search.predicates.get(at) else { continue };
        found.push(Deciding { predicate, experiment: candidate.experiment(), effect });
    }
    found.sort_by_key(|one| one.effect);
    found.truncate(MOST_TOLD);
    Ok(found)
}

/// Conditions that these depend on, the nearest first; of each place in turn.
fn before(search: &Search<'_, '_>, state: &State, set: &Pruned, from: &[Step]) -> Vec<Candidate> {
    let subject = &search.subject;
    let mut near: Vec<(u32, Predicate)> = Vec::new();
    let mut known: HashSet<Step> = state.proven.iter().map(|one| one.predicate.at).collect();
    for &at in from {
        for (step, away) in set.upstream(subject, at) {
            if let Some(predicate) = search.predicates.get(&step).filter(|_| known.insert(step)) {
                near.push((away, *predicate));
            }
        }
    }
    near.sort_by_key(|(away, predicate)| (*away, Reverse(predicate.at)));
    let near = site_by_site(near.into_iter().map(|(_, predicate)| predicate).collect(), |one: &Predicate| one.at);
    let mut found = Vec::new();
    for predicate in near {
        let ways = other_ways(subject.run, &predicate).into_iter();
        let of = |change| Candidate { predicate, change, users: Vec::new(), executions: Vec::new() };
        found.extend(ways.map(of));
    }
    found.truncate(MOST_TRIED);
    found
}
