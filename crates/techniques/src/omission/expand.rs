//! The demand-driven search (algorithm 2): prune the slice, look for implicit dependences of what is left, add them, prune
//! again, until nothing changes.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use execution::dependence::Moment;
use execution::failure::Failure;
use execution::index::{Index, indices_of};
use execution::output::{Outputs, Target};
use execution::predicates::{Predicate, predicates};
use experiment::{Intervention, Outcome};
use program::potential::Potential;

use super::ask::{Testimony, Witness};
use super::candidates::{ByStep, Candidate, Silence, candidates};
use super::nested::nested;
use super::outputs::{Writing, writings};
use super::profile::Profile;
use super::pruned::{ImplicitEdge, Pruned, pruned};
use super::switched::{Inquiry, OutputPlace, Shown, is_as_expected, verify};
use crate::{Effort, Subject, TechniqueError};

/// What the search has found.
pub struct Expanded {
    /// The final set (the paper's *IPS*).
    pub pruned: Pruned,
    /// Implicit dependences that were shown; strong ones only, if there are any.
    pub proven: Vec<Proven>,
    /// How many steps the failure depends on explicitly, and how many of them are not surely right.
    pub explicit: (usize, usize),
    /// How many steps the final set has.
    pub left: usize,
    pub candidates: usize,
    pub experiments: u64,
    pub is_over: bool,
    /// Steps that somebody called right, and wrong.
    pub said: (usize, usize),
}

/// An implicit dependence, with the experiment that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    pub predicate: Predicate,
    pub experiment: Vec<Intervention>,
    pub user: Moment,
    /// If the use is a place in the output.
    pub place: Option<OutputPlace>,
    pub shown: Shown,
    pub is_strong: bool,
    pub passes: bool,
}

impl Proven {
    fn edge(&self) -> ImplicitEdge {
        ImplicitEdge { predicate: self.predicate.at, user: self.user }
    }

    /// Whether a second predicate had to be switched with it.
    pub fn is_nested(&self) -> bool {
        self.experiment.len() > 1
    }
}

/// Correct outputs looked at: the latest.
const MOST_RIGHT: usize = 128;
/// Predicates looked at; the latest of a long run.
const MOST_PREDICATES: usize = 1_000_000;
/// Candidates of one turn of the search, the likeliest first.
const MOST_CANDIDATES: usize = 2000;
/// Runs of one turn that are looked at for what is right in part.
const MOST_UNCLEAR: usize = 500;

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
    pub potential: Potential<'r>,
    pub predicates: ByStep,
    pub right: Vec<Writing>,
    pub silence: Option<Silence>,
}

/// `witness`: whom to ask what is right, if there is somebody.
pub fn expand(subject: &Subject<'_, '_>, witness: Option<&dyn Witness>) -> Result<Option<Expanded>, TechniqueError> {
    let found = predicates(subject.run, MOST_PREDICATES)?;
    let outputs = Outputs::of(subject.run)?;
    let all = writings(subject.run, &outputs)?;
    let right_bytes = right_bytes(subject);
    let is_right = |writing: &&Writing| writing.first + writing.length <= right_bytes;
    let mut right: Vec<Writing> = all.iter().filter(is_right).cloned().collect();
    right.drain(..right.len().saturating_sub(MOST_RIGHT));
    let mut search = Search {
        subject: *subject,
        potential: subject.run.potential()?,
        predicates: found.steps.into_iter().map(|predicate| (predicate.at, predicate)).collect(),
        silence: silence(subject, &outputs, &all),
        right,
    };
    let mut said = Testimony::default();
    let mut profile = Profile::default();
    let Some(mut set) = pruned(subject, &search.right, &[], &said.benign, &profile)? else { return Ok(None) };
    if !subject.tests.is_empty() {
        profile = Profile::of(subject, &set)?;
        set = pruned(subject, &search.right, &[], &said.benign, &profile)?.unwrap_or(set);
    }
    let explicit = (set.count(subject, &set.whole), set.count(subject, &set.distance.keys().copied().collect()));
    let mut state = State::default();
    let mut turns = 0;
    loop {
        let edges: Vec<ImplicitEdge> = state.proven.iter().map(Proven::edge).collect();
        if let Some(witness) = witness {
            let again = |benign: &HashSet<Moment>| pruned(subject, &search.right, &edges, benign, &profile);
            set = said.gather(subject, witness, set, again)?;
            // Time that somebody takes to think is not taken from the search.
            search.subject.deadline = subject.deadline + said.waited;
        }
        let Search { potential, predicates, silence, .. } = &search;
        let mut open = candidates(subject, potential, predicates, &set, &edges, *silence, &said.corrupted)?;
        open.truncate(MOST_CANDIDATES);
        state.candidates += open.iter().filter(|one| !state.outcomes.contains_key(&one.experiment())).count();
        let added = search.turn(&mut state, &open, turns)?;
        if !(added || said.is_going_on) || search.subject.is_over() {
            break;
        }
        turns += 1;
        let edges: Vec<ImplicitEdge> = state.proven.iter().map(Proven::edge).collect();
        set = pruned(subject, &search.right, &edges, &said.benign, &profile)?.unwrap_or(set);
    }
    Ok(Some(Expanded {
        left: set.count(subject, &set.distance.keys().copied().collect()),
        pruned: set,
        proven: state.proven,
        explicit,
        candidates: state.candidates,
        experiments: state.experiments,
        is_over: search.subject.is_over(),
        said: (said.benign.len(), said.corrupted.len()),
    }))
}

/// How many bytes of the output are known to be right.
fn right_bytes(subject: &Subject<'_, '_>) -> u64 {
    match (&subject.question.failure, &subject.lab.oracle().output) {
        (Failure::WrongByte { byte, .. }, Some(_)) => *byte,
        (_, Some(expected)) => {
            let output = &subject.lab.baseline().ran.output;
            output.iter().zip(expected).take_while(|(a, b)| a == b).count() as u64
        }
        _ => 0,
    }
}

/// Where the output went wrong, if that is the failure and the oracle knows what is right.
fn silence(subject: &Subject<'_, '_>, outputs: &Outputs, all: &[Writing]) -> Option<Silence> {
    let (Failure::WrongByte { byte, found, .. }, Some(_)) = (&subject.question.failure, &subject.lab.oracle().output)
    else {
        return None;
    };
    let mut before =
        outputs.calls().iter().filter(|call| call.target == Target::Output && call.first + call.length <= *byte);
    let since = before.next_back().map_or(0, |call| call.at.clock);
    match found {
        Some(_) => {
            let wrong = all.iter().find(|one| (one.first..one.first + one.length).contains(byte))?;
            // What is wrong in the middle of what a call wrote was not left out before it.
            (wrong.first == *byte).then_some(Silence { place: OutputPlace::Of(wrong.at), since, until: wrong.at.clock })
        }
        None => {
            let end = subject.question.criterion.step(subject.run)?;
            Some(Silence { place: OutputPlace::End(end), since, until: u64::MAX })
        }
    }
}

/// What is known so far.
#[derive(Default)]
pub struct State {
    pub proven: Vec<Proven>,
    /// What experiments did, as seen from outside.
    outcomes: HashMap<Vec<Intervention>, Effect>,
    /// Experiments that have been looked at closely.
    looked_at: HashSet<Vec<Intervention>>,
    /// Experiments whose nested predicates have been looked at.
    pub looked_into: HashSet<Vec<Intervention>>,
    candidates: usize,
    pub experiments: u64,
}

/// What an experiment did to the failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// What was wrong first came out right.
    Right,
    Wrong,
    /// The run did not end, or not do as it was told: it shows nothing.
    Nothing,
}

impl Search<'_, '_> {
    /// One turn; whether it added anything.
    fn turn(&self, state: &mut State, open: &[Candidate], turns: usize) -> Result<bool, TechniqueError> {
        self.try_outcomes(state, open)?;
        let is_strong = |state: &State, one: &Candidate| state.outcomes.get(&one.experiment()) == Some(&Effect::Right);
        let indices = self.indices(open)?;
        let before = state.proven.len();
        let mut rest = most_recorded(self.subject.effort);
        for candidate in open.iter().filter(|one| is_strong(state, one)).cloned().collect::<Vec<_>>() {
            if rest == 0 || self.subject.is_over() {
                break;
            }
            rest -= usize::from(self.look(state, &candidate, &indices)?);
        }
        let has_strong = |state: &State| state.proven.iter().any(|one| one.is_strong);
        let is_telling = |state: &State, one: &Candidate| {
            state.outcomes.get(&one.experiment()).is_some_and(|effect| *effect != Effect::Nothing)
        };
        let open: Vec<&Candidate> = open.iter().filter(|one| is_telling(state, one)).collect();
        if !has_strong(state) && turns == 0 {
            for &candidate in &open {
                if rest == 0 || self.subject.is_over() || has_strong(state) {
                    break;
                }
                rest -= usize::from(nested(self, state, candidate, &indices)?);
            }
        }
        if has_strong(state) {
            // They override the others.
            let plain = state.proven.iter().any(|one| !one.is_strong);
            state.proven.retain(|one| one.is_strong);
            return Ok(state.proven.len() > before || plain);
        }
        if turns < most_plain(self.subject.effort) {
            let mut best: Option<Moment> = None;
            for &candidate in &open {
                // All of one use, the best for which there is something.
                let user = candidate.users.first().copied();
                if rest == 0 || self.subject.is_over() || (best.is_some() && best != user) {
                    break;
                }
                rest -= usize::from(self.look(state, candidate, &indices)?);
                if state.proven.len() > before {
                    best = best.or(user);
                }
            }
        }
        Ok(state.proven.len() > before)
    }

    /// Which experiments make the wrong output right; looked at from outside, so that many can be made.
    fn try_outcomes(&self, state: &mut State, open: &[Candidate]) -> Result<(), TechniqueError> {
        let subject = &self.subject;
        let fresh: Vec<Vec<Intervention>> =
            open.iter().map(Candidate::experiment).filter(|one| !state.outcomes.contains_key(one)).collect();
        let mut unclear = Vec::new();
        let mut done = 0;
        let tried = subject.lab.try_all(&fresh, |position, outcome| {
            done += 1;
            subject.progress.tried("conditions that kept something from happening", done, fresh.len());
            let effect = match outcome {
                Outcome::Passes => Effect::Right,
                Outcome::FailsSame | Outcome::CannotTell => Effect::Wrong,
                Outcome::Hangs | Outcome::NeverReached | Outcome::Refused => Effect::Nothing,
                Outcome::FailsLater | Outcome::FailsOtherwise | Outcome::Crashes => {
                    // It is right in part, perhaps.
                    unclear.push(position);
                    Effect::Wrong
                }
            };
            state.outcomes.insert(fresh[position].clone(), effect);
            if subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        state.experiments += tried.runs as u64;
        unclear.sort_unstable();
        // Where another one makes all right, what is right in part says little.
        if state.outcomes.values().any(|effect| *effect == Effect::Right) {
            return Ok(());
        }
        for position in unclear.into_iter().take(MOST_UNCLEAR) {
            if subject.is_over() {
                break;
            }
            state.experiments += 1;
            if is_as_expected(subject, &subject.lab.run(&fresh[position])?) {
                state.outcomes.insert(fresh[position].clone(), Effect::Right);
            }
        }
        Ok(())
    }

    /// The indices of all uses.
    fn indices(&self, open: &[Candidate]) -> Result<HashMap<Moment, Index>, TechniqueError> {
        let end = self.silence.map(|silence| silence.place).and_then(|place| match place {
            OutputPlace::End(user) => Some(user),
            OutputPlace::Of(_) => None,
        });
        let uses = open.iter().flat_map(|one| one.users.iter().copied()).filter(|user| Some(*user) != end).collect();
        Ok(indices_of(self.subject.run, &uses)?)
    }

    /// What to ask a switched run of the uses of a candidate.
    pub fn inquiry<'i>(
        &self,
        candidate: &Candidate,
        experiment: &'i [Intervention],
        uses: &'i HashMap<Moment, Index>,
    ) -> Inquiry<'i> {
        let place = self.silence.map(|silence| silence.place).filter(|place| candidate.users.contains(&place.user()));
        Inquiry { predicate: candidate.predicate.at, experiment, uses, place }
    }

    /// The place in the output that a use stands for, if it does.
    pub fn place_of(&self, user: Moment) -> Option<OutputPlace> {
        self.silence.map(|silence| silence.place).filter(|place| place.user() == user)
    }

    /// Records the run and adds what it shows. Whether a run was made.
    fn look(
        &self,
        state: &mut State,
        candidate: &Candidate,
        indices: &HashMap<Moment, Index>,
    ) -> Result<bool, TechniqueError> {
        let experiment = candidate.experiment();
        if !state.looked_at.insert(experiment.clone()) {
            return Ok(false);
        }
        let uses = of_users(candidate, indices);
        state.experiments += 1;
        let Some(found) = verify(&self.subject, &self.inquiry(candidate, &experiment, &uses))? else { return Ok(true) };
        for &user in &candidate.users {
            let Some(shown) = found.uses.get(&user).filter(|shown| shown.is_dependence()) else { continue };
            state.proven.push(Proven {
                predicate: candidate.predicate,
                experiment: experiment.clone(),
                user,
                place: self.place_of(user),
                shown: shown.clone(),
                is_strong: found.is_strong,
                passes: found.passes,
            });
        }
        Ok(true)
    }
}

/// The indices of a candidate's uses.
pub fn of_users(candidate: &Candidate, indices: &HashMap<Moment, Index>) -> HashMap<Moment, Index> {
    candidate.users.iter().filter_map(|user| Some((*user, indices.get(user)?.clone()))).collect()
}
