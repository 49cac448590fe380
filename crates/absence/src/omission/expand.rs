//! The demand-driven search (algorithm 2): prune the slice, look for implicit dependences of what is left, add them, prune
//! again, until nothing changes.

use std::collections::HashSet;

use execution::predicates::{Predicate, predicates};
use experiment::{Change, Intervention};
use failure::Failure;
use failure::output::{Outputs, Target};
use replay::Step;

use super::ask::Testimony;
use super::candidates::{candidates, others};
use super::deciding::{Deciding, deciding};
use super::instead::{Changed, Instead, instead};
use super::left_alone::{LeftAlone, left_alone};
use super::order::Set;
use super::search::{Search, State};
use super::switched::Shown;
use crate::effect::{Effect, Righted};
use crate::missing::{Executed, Missing, Sought, missing};
use crate::outcome::{Candidate, Outcomes};
use crate::outputs::{OutputPlace, Silence, Writing, writings};
use crate::pruning::{ImplicitEdge, Profile, Pruned};
use subject::asking::Witness;
use subject::trying::order::site_by_site;
use subject::{Subject, TechniqueError};

/// What the search has found.
pub struct Expanded {
    /// The final set (the paper's *IPS*).
    pub pruned: Pruned,
    /// Implicit dependences that were shown; strong ones only, if there are any.
    pub proven: Vec<Proven>,
    /// How many steps the failure depends on explicitly, and how many of them are not surely right.
    pub explicit: (usize, usize),
    pub candidates: usize,
    pub experiments: u64,
    /// Runs made when the search was over: to see what ran instead, and which values were old.
    pub further: u64,
    /// Of the experiments, runs that were recorded and compared.
    pub verifications: u64,
    /// Runs whose recordings do not replay.
    pub departed: u64,
    pub is_over: bool,
    /// Steps that somebody called right, and wrong.
    pub said: (usize, usize),
    /// Conditions further back that make the run right as well.
    pub deciding: Vec<Deciding>,
    pub left_alone: Vec<LeftAlone>,
    pub instead: Vec<Instead>,
    pub missing: Missing,
    pub outcomes: Outcomes,
}

impl Expanded {
    pub fn set(&self) -> Set<'_> {
        let Expanded { pruned, proven, deciding, left_alone, instead, missing, outcomes, .. } = self;
        Set { pruned, proven, deciding, left_alone, instead, missing, outcomes }
    }
}

/// An implicit dependence, with the experiment that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    pub predicate: Predicate,
    pub experiment: Vec<Intervention>,
    pub user: Step,
    /// If the use is a place in the output.
    pub place: Option<OutputPlace>,
    pub shown: Shown,
    pub effect: Effect,
}

impl Proven {
    fn edge(&self) -> ImplicitEdge {
        ImplicitEdge { predicate: self.predicate.at, user: self.user }
    }

    pub fn is_strong(&self) -> bool {
        self.effect.is_strong()
    }

    pub fn passes(&self) -> bool {
        self.effect.righted == Righted::All
    }

    /// Whether all its executions had to go this way.
    pub fn is_throughout(&self) -> bool {
        self.experiment.iter().any(|one| matches!(one.change, Change::Edit(_)))
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

/// `witness`: whom to ask what is right, if there is somebody.
pub fn expand(subject: &Subject<'_, '_>, witness: Option<&dyn Witness>) -> Result<Option<Expanded>, TechniqueError> {
    let Some(potential) = subject.potential()? else { return Ok(None) };
    let found = predicates(subject.run, MOST_PREDICATES)?;
    let outputs = Outputs::of(subject.run)?;
    let all = writings(subject.run, &outputs)?;
    let right_bytes = right_bytes(subject);
    let is_right = |writing: &&Writing| writing.first + writing.length <= right_bytes;
    let mut right: Vec<Writing> = all.iter().filter(is_right).cloned().collect();
    right.drain(..right.len().saturating_sub(MOST_RIGHT));
    let short = short(subject, &mut right, right_bytes);
    let search = Search {
        subject: *subject,
        potential,
        predicates: found.steps.into_iter().map(|predicate| (predicate.at, predicate)).collect(),
        silence: silence(subject, &outputs, &all),
        right,
        short,
    };
    let mut said = Testimony::default();
    let mut profile = Profile::default();
    let Some(mut set) = search.pruned(&[], &said.benign, &profile)? else { return Ok(None) };
    if !subject.tests.is_empty() {
        profile = Profile::of(subject, &set)?;
        set = search.pruned(&[], &said.benign, &profile)?.unwrap_or(set);
    }
    let explicit = (set.count(subject, &set.whole), set.count(subject, &set.distance.keys().copied().collect()));
    let mut state = State::default();
    let (mut turns, mut is_desperate) = (0, false);
    let mut open;
    loop {
        let edges: Vec<ImplicitEdge> = state.proven.iter().map(Proven::edge).collect();
        if let Some(witness) = witness {
            let again = |benign: &HashSet<Step>| search.pruned(&edges, benign, &profile);
            set = said.gather(subject, witness, set, again)?;
        }
        open = candidates(&search, &set, &edges, &said.corrupted)?;
        open.truncate(MOST_CANDIDATES);
        let mut added = search.turn(&mut state, &open, turns)?;
        if !added && !is_desperate && !state.has_passing() && witness.is_none() && !search.subject.is_over() {
            is_desperate = true;
            let mut others = others(&search, &set);
            others.truncate(MOST_CANDIDATES);
            added = search.anything(&mut state, &others)?;
        }
        if !(added || said.is_going_on) || search.subject.is_over() {
            break;
        }
        turns += 1;
        let edges: Vec<ImplicitEdge> = state.proven.iter().map(Proven::edge).collect();
        set = search.pruned(&edges, &said.benign, &profile)?.unwrap_or(set);
    }
    let deciding = deciding(&search, &mut state, &set)?;
    let left_alone = left_alone(&search.subject, &set, &state.proven, &deciding)?;
    let executed = Executed { predicates: &search.predicates, written: &all, open: &open };
    let sought = Sought { set: &set, executed, silence: search.silence, benign: &said.benign };
    let missing = missing(&search.subject, &sought, || wider(&search, &state, &open, &said.benign, &profile))?;
    let mut further = missing.runs;
    let of_proven = state.proven.iter().map(|one| (one.predicate.at, &one.experiment, one.effect));
    let of_deciding = deciding.iter().map(|one| (one.predicate.at, &one.experiment, one.effect));
    let changed = of_proven.chain(of_deciding);
    let changed =
        changed.map(|(condition, experiment, effect)| Changed { condition, experiment: experiment.clone(), effect });
    let looked = instead(&search.subject, changed.collect())?;
    further += looked.runs;
    state.departed += looked.departed;
    Ok(Some(Expanded {
        deciding,
        left_alone,
        instead: looked.found,
        missing,
        outcomes: Outcomes::of(&search.predicates),
        pruned: set,
        proven: state.proven,
        explicit,
        candidates: state.candidates,
        experiments: state.experiments,
        further,
        verifications: state.verifications,
        departed: state.departed,
        is_over: search.subject.is_over(),
        said: (said.benign.len(), said.corrupted.len()),
    }))
}

/// Conditions that are taken in for their values.
const MOST_CHANGING: usize = 8;

/// The set with conditions in it that bring about another output where it went wrong, though not the right one: what they used
/// may be old. `None` if there are no such conditions.
fn wider(
    search: &Search<'_, '_>,
    state: &State,
    open: &[Candidate],
    benign: &HashSet<Step>,
    profile: &Profile,
) -> Result<Option<Pruned>, TechniqueError> {
    let Some(user) = search.silence.map(|silence| silence.place.user()).filter(|_| !state.has_passing()) else {
        return Ok(None);
    };
    let is_changing = |one: &&Candidate| state.effect(one).is_some_and(|effect| effect.righted == Righted::Changed);
    let changing = site_by_site(open.iter().filter(is_changing).collect(), |one| one.predicate.at);
    let edge = |one: &Candidate| ImplicitEdge { predicate: one.predicate.at, user };
    let mut edges: Vec<ImplicitEdge> = changing.into_iter().map(edge).take(MOST_CHANGING).collect();
    if edges.is_empty() {
        return Ok(None);
    }
    edges.extend(state.proven.iter().map(Proven::edge));
    search.pruned(&edges, benign, profile)
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

/// The last of the calls whose output is right, if the output goes wrong just behind it in the middle of a line: it may have
/// written too little. Then it is not right.
fn short(subject: &Subject<'_, '_>, right: &mut Vec<Writing>, right_bytes: u64) -> Option<Writing> {
    let last = right.last().filter(|last| last.first + last.length == right_bytes)?;
    let output = &subject.lab.baseline().ran.output;
    // A call that wrote nothing may stand at the very beginning.
    let before = (last.first + last.length).checked_sub(1)?;
    let is_in_line = output.get(before as usize).is_some_and(|byte| *byte != b'\n');
    right.pop_if(|_| is_in_line)
}

/// Where the output went wrong, if that is the failure and the oracle knows what is right.
fn silence(subject: &Subject<'_, '_>, outputs: &Outputs, all: &[Writing]) -> Option<Silence> {
    let (Failure::WrongByte { byte, found, .. }, Some(_)) = (&subject.question.failure, &subject.lab.oracle().output)
    else {
        return None;
    };
    let since = |byte: u64| {
        let mut calls = outputs.calls().iter().filter(|call| call.target == Target::Output);
        calls.rfind(|call| call.first + call.length <= byte).map_or(0, |call| call.at.clock)
    };
    match found {
        Some(_) => {
            let wrong = all.iter().find(|one| (one.first..one.first + one.length).contains(byte));
            let wrong = wrong.map(|wrong| (wrong.at, wrong.first));
            let writer = || outputs.writer(Target::Output, *byte).map(|writer| (writer.at, writer.first));
            let (at, first) = wrong.or_else(writer)?;
            let place = OutputPlace::Of(at);
            Some(Silence { place, since: since(first), until: at.clock, is_sure: first == *byte })
        }
        None => {
            let end = subject.question.criterion.step(subject.run)?;
            Some(Silence { place: OutputPlace::End(end), since: since(*byte), until: u64::MAX, is_sure: true })
        }
    }
}
