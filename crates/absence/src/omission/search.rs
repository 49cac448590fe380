//! One turn of the search: candidates are tried from outside, and what is worth it is recorded and looked at.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use execution::predicates::Predicate;
use experiment::{Intervention, Outcome};
use nesting::index::{Index, indices_of};
use program::potential::Potential;
use replay::Step;

use super::expand::Proven;
use super::nested::nested;
use super::switched::{Inquiry, Seen, Shown, verify};
use super::throughout::throughout;
use crate::effect::{Effect, Righted, effect};
use crate::outcome::{ByStep, Candidate};
use crate::outputs::{OutputPlace, Silence, Writing};
use crate::pruning::{ImplicitEdge, Known, Profile, Pruned, pruned};
use subject::{Effort, Subject, TechniqueError};

/// Runs of one turn that are looked at for what is right in part.
const MOST_UNCLEAR: usize = 500;
/// The same of uses that are likelier than those of which another run makes all right; and of these, runs that are recorded.
const MOST_NEARER: usize = 24;
const MOST_NEARER_RECORDED: usize = 4;
/// Dependences on executions of one place that make right in part what was wrong. More of them say the same.
const MOST_OF_PLACE: usize = 3;

/// Turns without a strong dependence.
fn most_plain(effort: Effort) -> usize {
    match effort {
        Effort::Everything => 50,
        Effort::UntilSettled => 8,
    }
}

/// Runs that are recorded in one turn.
fn most_recorded(effort: Effort) -> usize {
    match effort {
        Effort::Everything => 200,
        Effort::UntilSettled => 40,
    }
}

/// What stays the same during a search.
pub struct Search<'a, 'r> {
    pub subject: Subject<'a, 'r>,
    pub potential: &'a Potential<'a>,
    pub predicates: ByStep,
    pub right: Vec<Writing>,
    /// A call that may have written too little.
    pub short: Option<Writing>,
    pub silence: Option<Silence>,
}

/// What is known so far.
#[derive(Default)]
pub struct State {
    pub proven: Vec<Proven>,
    /// What experiments did, as seen from outside; nothing of runs that did not end, or not do as they were told.
    outcomes: HashMap<Vec<Intervention>, Option<Effect>>,
    /// Experiments that have been looked at closely, each with the uses it was asked about.
    looked_at: HashMap<Vec<Intervention>, HashSet<Step>>,
    /// Experiments whose nested predicates have been looked at.
    pub looked_into: HashSet<Vec<Intervention>>,
    pub candidates: usize,
    pub experiments: u64,
    pub verifications: u64,
    /// Runs whose recordings do not replay.
    pub departed: u64,
}

impl State {
    pub fn effect(&self, candidate: &Candidate) -> Option<Effect> {
        self.outcomes.get(&candidate.experiment()).copied().flatten()
    }

    fn is_known(&self, candidate: &Candidate) -> bool {
        self.outcomes.contains_key(&candidate.experiment())
    }

    fn has_strong(&self) -> bool {
        self.proven.iter().any(Proven::is_strong)
    }

    /// Whether enough is known of a place.
    fn is_familiar(&self, place: Step) -> bool {
        let site = |at: Step| at.site;
        let known = self.proven.iter().filter(|one| !one.passes() && site(one.predicate.at) == site(place));
        let executions: HashSet<Step> = known.map(|one| one.predicate.at).collect();
        executions.len() >= MOST_OF_PLACE
    }

    pub fn has_passing(&self) -> bool {
        self.proven.iter().any(Proven::passes)
    }
}

/// Which dependences are added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// All that are shown.
    Any,
    /// Those where what a use found was made because of the predicate.
    Direct,
}

impl Search<'_, '_> {
    /// What the failure depends on, without what is surely right.
    pub fn pruned(
        &self,
        edges: &[ImplicitEdge],
        benign: &HashSet<Step>,
        profile: &Profile,
    ) -> Result<Option<Pruned>, TechniqueError> {
        pruned(&self.subject, Known { right: &self.right, short: self.short.as_ref(), edges, benign, profile })
    }

    /// One turn; whether it added anything.
    pub fn turn(&self, state: &mut State, open: &[Candidate], turns: usize) -> Result<bool, TechniqueError> {
        let before = state.proven.len();
        let indices = self.indices(open)?;
        let mut rest = most_recorded(self.subject.effort);
        self.try_outcomes(state, open)?;
        let mut tried: Vec<&Candidate> = open.iter().collect();
        let throughout = throughout(self, open);
        let has_passing = |state: &State| open.iter().any(|one| state.effect(one) == Some(Effect::ALL));
        if !has_passing(state) && !state.has_passing() && !self.subject.is_over() {
            // What one execution of a condition cannot bring about, all of them may.
            self.try_outcomes(state, &throughout)?;
            tried.extend(&throughout);
        }
        self.look_at_strong(state, &tried, &indices, Righted::Byte, &mut rest)?;
        let open: Vec<&Candidate> = open.iter().filter(|one| state.effect(one).is_some()).collect();
        if !state.has_strong() && turns == 0 {
            for &candidate in &open {
                if rest == 0 || self.subject.is_over() || state.has_strong() {
                    break;
                }
                rest -= usize::from(nested(self, state, candidate, &indices)?);
            }
        }
        if state.has_strong() {
            // They override the others.
            let plain = state.proven.iter().any(|one| !one.is_strong());
            state.proven.retain(Proven::is_strong);
            return Ok(state.proven.len() > before || plain);
        }
        if turns < most_plain(self.subject.effort) {
            // What was spent on looking into others is not taken from these.
            self.look_at_plain(state, &open, &indices, &mut most_recorded(self.subject.effort))?;
        }
        Ok(state.proven.len() > before)
    }

    /// The last resort: any condition that makes the run right and that the failure turns out to depend on.
    pub fn anything(&self, state: &mut State, open: &[Candidate]) -> Result<bool, TechniqueError> {
        let before = state.proven.len();
        let indices = self.indices(open)?;
        self.try_outcomes(state, open)?;
        let mut tried: Vec<&Candidate> = open.iter().collect();
        let throughout = throughout(self, open);
        if tried.iter().all(|one| state.effect(one) != Some(Effect::ALL)) {
            self.try_outcomes(state, &throughout)?;
            tried.extend(&throughout);
        }
        let mut rest = most_recorded(self.subject.effort);
        self.look_at_strong(state, &tried, &indices, Righted::Word, &mut rest)?;
        let is_added = state.proven.len() > before;
        if is_added {
            state.proven.retain(Proven::is_strong);
        }
        Ok(is_added)
    }

    /// Candidates that make most right of what was wrong first, if it is as much as this.
    fn look_at_strong(
        &self,
        state: &mut State,
        tried: &[&Candidate],
        indices: &HashMap<Step, Index>,
        least: Righted,
        rest: &mut usize,
    ) -> Result<(), TechniqueError> {
        let strong = tried.iter().filter_map(|one| Some((state.effect(one)?, *one)));
        let strong: Vec<(Effect, &Candidate)> = strong.filter(|(effect, _)| effect.righted <= least).collect();
        let best = strong.iter().map(|(effect, _)| effect.righted).min();
        let is_best = |(effect, _): &(Effect, &Candidate)| Some(effect.righted) == best;
        let mut nearer: Vec<(Effect, &Candidate)> = strong.iter().copied().take_while(|one| !is_best(one)).collect();
        let mut strong: Vec<(Effect, &Candidate)> = strong.into_iter().filter(is_best).collect();
        strong.sort_by_key(|(effect, _)| *effect);
        nearer.sort_by_key(|(effect, _)| *effect);
        nearer.truncate(MOST_NEARER_RECORDED);
        for (effect, candidate) in strong.into_iter().chain(nearer) {
            if *rest == 0 || self.subject.is_over() {
                break;
            }
            if effect.righted > Righted::All && state.is_familiar(candidate.predicate.at) {
                continue;
            }
            *rest -= usize::from(self.look(state, candidate, indices, Wanted::Any)?);
        }
        Ok(())
    }

    /// All of one use, the best for which there is something. Reversals that bring about another output where it went wrong
    /// are looked at first: the failure surely depends on them.
    fn look_at_plain(
        &self,
        state: &mut State,
        open: &[&Candidate],
        indices: &HashMap<Step, Index>,
        rest: &mut usize,
    ) -> Result<(), TechniqueError> {
        let before = state.proven.len();
        let mut best: Option<Step> = None;
        let is_changing =
            |one: &&&Candidate| state.effect(one).is_some_and(|effect| effect.righted == Righted::Changed);
        let (changing, others): (Vec<&Candidate>, Vec<&Candidate>) = open.iter().partition(is_changing);
        for candidate in changing.into_iter().chain(others) {
            let user = candidate.users.first().copied();
            if *rest == 0 || self.subject.is_over() || (best.is_some() && best != user) {
                break;
            }
            *rest -= usize::from(self.look(state, candidate, indices, Wanted::Direct)?);
            if state.proven.len() > before {
                best = best.or(user);
            }
        }
        Ok(())
    }

    /// Which experiments make the wrong output right; looked at from outside, so that many can be made.
    pub fn try_outcomes(&self, state: &mut State, open: &[Candidate]) -> Result<(), TechniqueError> {
        let subject = &self.subject;
        let fresh: Vec<Vec<Intervention>> =
            open.iter().filter(|one| !state.is_known(one)).map(Candidate::experiment).collect();
        state.candidates += fresh.len();
        let mut unclear = Vec::new();
        let mut done = 0;
        let tried = subject.lab.try_all(&fresh, |position, outcome| {
            done += 1;
            subject.progress.tried("conditions that skipped something", done, fresh.len());
            let effect = match outcome {
                Outcome::Passes => Some(Effect::ALL),
                Outcome::FailsSame | Outcome::CannotTell => Some(Effect::NONE),
                Outcome::Hangs | Outcome::NeverReached | Outcome::Refused => None,
                Outcome::FailsLater | Outcome::FailsOtherwise | Outcome::Crashes => {
                    // It is right in part, perhaps.
                    unclear.push(position);
                    Some(Effect::NONE)
                }
            };
            state.outcomes.insert(fresh[position].clone(), effect);
            if subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        state.experiments += tried.runs as u64;
        unclear.sort_unstable();
        // Where another one makes all right, what is right in part says little, unless it concerns a likelier use.
        let is_all = |one: &Vec<Intervention>| state.outcomes.get(one) == Some(&Some(Effect::ALL));
        if let Some(first) = fresh.iter().position(is_all) {
            unclear.retain(|position| *position < first);
            unclear.truncate(MOST_NEARER);
        } else if state.outcomes.values().any(|effect| *effect == Some(Effect::ALL)) {
            return Ok(());
        }
        for position in unclear.into_iter().take(MOST_UNCLEAR) {
            if subject.is_over() {
                break;
            }
            state.experiments += 1;
            let effect = effect(subject, &subject.lab.run(&fresh[position])?);
            state.outcomes.insert(fresh[position].clone(), Some(effect));
        }
        Ok(())
    }

    /// The indices of all uses, and of where the failure shows.
    fn indices(&self, open: &[Candidate]) -> Result<HashMap<Step, Index>, TechniqueError> {
        let end = self.silence.map(|silence| silence.place).and_then(|place| match place {
            OutputPlace::End(user) => Some(user),
            OutputPlace::Of(_) => None,
        });
        let all = open.iter().flat_map(|one| one.users.iter().copied()).chain(self.failure());
        let uses = all.filter(|user| Some(*user) != end).collect();
        Ok(indices_of(self.subject.run, &uses)?)
    }

    /// The step where the failure shows: the use that all the others are for.
    pub fn failure(&self) -> Option<Step> {
        self.subject.question.criterion.step(self.subject.run)
    }

    /// What to ask a switched run of the uses of a candidate.
    pub fn inquiry<'i>(
        &self,
        candidate: &Candidate,
        experiment: &'i [Intervention],
        uses: &'i HashMap<Step, Index>,
    ) -> Inquiry<'i> {
        let place = self.silence.map(|silence| silence.place).filter(|place| candidate.users.contains(&place.user()));
        Inquiry { predicate: candidate.predicate.at, experiment, uses, place }
    }

    /// The place in the output that a use stands for, if it does.
    pub fn place_of(&self, user: Step) -> Option<OutputPlace> {
        self.silence.map(|silence| silence.place).filter(|place| place.user() == user)
    }

    /// Records the run and adds what it shows. Whether a run was made.
    fn look(
        &self,
        state: &mut State,
        candidate: &Candidate,
        indices: &HashMap<Step, Index>,
        wanted: Wanted,
    ) -> Result<bool, TechniqueError> {
        let experiment = candidate.experiment();
        let looked_at = state.looked_at.entry(experiment.clone()).or_default();
        // What a dependence was added for may bring new uses.
        let fresh: Vec<Step> = candidate.users.iter().copied().filter(|user| looked_at.insert(*user)).collect();
        if fresh.is_empty() {
            return Ok(false);
        }
        let mut uses = of_users(&fresh, indices);
        uses.extend(self.failure().and_then(|failure| Some((failure, indices.get(&failure)?.clone()))));
        state.experiments += 1;
        state.verifications += 1;
        let found = match verify(&self.subject, &self.inquiry(candidate, &experiment, &uses))? {
            Seen::Yes(found) => found,
            Seen::Disobeyed => return Ok(true),
            Seen::Departed => {
                state.departed += 1;
                return Ok(true);
            }
        };
        let is_wanted = |user: &Step| {
            let shown = found.uses.get(user)?;
            let is_it = if wanted == Wanted::Any { shown.is_dependence() } else { shown.is_direct() };
            is_it.then(|| (*user, shown.clone()))
        };
        let mut dependent: Vec<_> = fresh.iter().filter_map(is_wanted).collect();
        if dependent.is_empty() && found.effect.is_strong() {
            // It does not bear on what it could have defined, but on the failure. A step that crashed was never executed to its
            // end, so there is nothing to compare it with.
            let failure = self.failure().filter(|failure| !indices.contains_key(failure));
            dependent.extend(failure.map(|failure| (failure, Shown::Righted)));
            dependent.extend(self.failure().as_ref().and_then(is_wanted));
        }
        for (user, shown) in dependent {
            for predicate in self.told(candidate) {
                state.proven.push(Proven {
                    predicate,
                    experiment: experiment.clone(),
                    user,
                    place: self.place_of(user),
                    shown: shown.clone(),
                    effect: found.effect,
                });
            }
        }
        Ok(true)
    }

    /// The executions that a candidate is about.
    fn told(&self, candidate: &Candidate) -> Vec<Predicate> {
        match candidate.executions.is_empty() {
            true => vec![candidate.predicate],
            false => candidate.executions.iter().filter_map(|at| self.predicates.get(at)).copied().collect(),
        }
    }
}

/// The indices of these uses.
pub fn of_users(users: &[Step], indices: &HashMap<Step, Index>) -> HashMap<Step, Index> {
    users.iter().filter_map(|user| Some((*user, indices.get(user)?.clone()))).collect()
}
