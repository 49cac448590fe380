//! The core algorithm (algorithm 4 of the paper): cut, examine, narrow, until nothing is left to cut.

use std::collections::HashMap;

use findings::Limit;
use graph::{VertexId, has_narrow};
use replay::Step;

use super::combinations::Combinations;
use super::examine::Examiner;
use super::explore::Conditions;
use super::goal::{Decisions, Goal};
use super::judge::Proof;
use super::member::{Member, members, members_at};
use super::person::Said;
use super::states::States;
use super::strategy::Habit;
use super::{Manner, Procedures, path};
use subject::asking::Verdict;
use subject::place::location;
use subject::{Effort, Fineness, Repair, Subject, TechniqueError};

/// Members of a cut that are examined; of a wider one, the latest.
const MOST_MEMBERS: usize = 400;

/// Combinations of several members that are examined in a turn.
fn most_combinations(effort: Effort) -> usize {
    match effort {
        Effort::Everything => 500,
        Effort::UntilSettled => 60,
    }
}

/// One turn: a cut, and what came of examining it.
pub struct Turn {
    /// In the order of execution.
    pub members: Vec<Examined>,
    /// Combinations that are polluted, by their members' places; each with what shows it.
    pub polluted: Vec<(Vec<usize>, Proof)>,
    pub went: Went,
}

pub struct Examined {
    pub member: Member,
    /// What the run hinged on from its value on, if it was made a symbol alone.
    pub hinged: Conditions,
    /// A person called it right.
    pub is_benign: bool,
}

/// Where the search went after a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Went {
    /// Towards the entry: something is polluted.
    Before,
    /// Towards the failure: nothing is.
    Behind,
}

/// A polluted member, and what shows it.
#[derive(Clone)]
pub struct Cause {
    pub member: Member,
    pub proof: Proof,
    /// Others that have to be changed with it.
    pub with: Vec<Step>,
}

pub struct Searched {
    pub turns: Vec<Turn>,
    /// Polluted, and nothing before them is.
    pub causes: Vec<Cause>,
    /// Polluted in an earlier turn: on the way from a cause to the failure.
    pub passed: Vec<Cause>,
    pub states: Search,
    pub limits: Vec<Limit>,
    /// How far the vertices of causes are from each other and from the failure, in steps of the program's own.
    far: HashMap<(VertexId, VertexId), u32>,
}

impl Searched {
    /// How far one vertex is from another; none if it does not lead there.
    pub fn far(&self, from: VertexId, to: VertexId) -> Option<u32> {
        self.far.get(&(from, to)).copied()
    }
}

/// What the search took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Search {
    /// Steps of the whole graph.
    pub steps: u64,
    /// States that were changed.
    pub altered: u64,
    pub combinations: u64,
    pub runs: u64,
    /// States that a person called right, and wrong.
    pub said: (u64, u64),
}

/// One turn with these steps of the failing run for a cut. The goal is that all of `wanted`, which are conditions, are reversed; or
/// else that the failure does not occur.
pub fn turn(subject: &Subject<'_, '_>, steps: &[Step], wanted: &[Step]) -> Result<Turn, TechniqueError> {
    let states = States::of(subject, Procedures::Inside)?;
    let mut all = Progress::new(subject, Manner::default(), &states)?;
    let members = |steps: &[Step]| members_at(subject, &steps.iter().map(|step| (*step, VertexId(0))).collect());
    if !wanted.is_empty() {
        let wanted = members(wanted)?;
        all.goal = Goal::Decisions(Decisions::of(subject, vec![wanted.iter().collect()])?);
    }
    all.turn(members(steps)?)
}

pub fn search(subject: &Subject<'_, '_>, manner: Manner<'_>) -> Result<Searched, TechniqueError> {
    let states = States::of(subject, manner.procedures)?;
    let mut all = Progress::new(subject, manner, &states)?;
    let mut domain = states.domain();
    let (mut turns, mut heads, mut last, mut passed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut habit = Habit::default();
    while !subject.is_over() {
        let Some(chosen) = manner.strategy.choose(subject, &states, &domain, &mut habit)? else { break };
        let mut turn = all.turn(members(subject, &states, &chosen.vertices)?)?;
        all.show(&turn);
        if turn.polluted.is_empty() {
            turns.push(turn);
            domain = chosen.if_clean;
            continue;
        }
        turn.went = Went::Before;
        let best = turn.polluted.iter().map(|(_, proof)| proof.repair).min().unwrap_or(Repair::First);
        turn.polluted.retain(|(_, proof)| proof.repair == best);
        all.examiner.judge.least = best;
        passed.append(&mut last);
        let (mut open, mut places) = (Vec::new(), Vec::new());
        for place in all.polluted_places(&turn) {
            let cause = cause(&turn, place);
            if has_narrow(
                &states.whole.graph,
                &domain.before(&states.whole.graph, &[cause.member.vertex]),
                &states.narrow,
            ) {
                places.push(place);
                open.push(cause);
            } else {
                heads.push(cause);
            }
        }
        all.goal = all.next_goal(&turn, &places)?;
        let ends: Vec<VertexId> = open.iter().map(|cause| cause.member.vertex).collect();
        domain = domain.before(&states.whole.graph, &ends);
        last = open;
        turns.push(turn);
        if ends.is_empty() {
            break;
        }
    }
    // The last turn's come first: they are farthest from the failure.
    let mut causes = last;
    causes.extend(heads.into_iter().rev());
    let Progress { examiner, said, mut search, mut limits, skipped, .. } = all;
    search.runs = examiner.judge.runs;
    search.said = said.counts();
    if examiner.judge.departed > 0 {
        limits.push(Limit::NotReplayed { runs: examiner.judge.departed });
    }
    if skipped > 0 {
        limits.push(Limit::CombinationsLeftOut { examined: search.combinations });
    }
    let far = distances(&states, &causes, &passed);
    Ok(Searched { turns, causes, passed, states: search, limits, far })
}

/// Stations of the way from the first cause to the failure that are looked at.
const MOST_STATIONS: usize = 24;

fn distances(states: &States, causes: &[Cause], passed: &[Cause]) -> HashMap<(VertexId, VertexId), u32> {
    let Some(first) = causes.first() else { return HashMap::new() };
    let passed = passed.iter().rev().take(MOST_STATIONS).map(|cause| cause.member.vertex);
    let stations: Vec<VertexId> = std::iter::once(first.member.vertex).chain(passed).collect();
    let mut all = HashMap::new();
    for &to in stations.iter().chain([&VertexId(0)]) {
        let far = states.distances(&[to]);
        let reaching = stations.iter().filter(|from| **from != to && far[from.index()] != u32::MAX);
        all.extend(reaching.map(|from| ((*from, to), far[from.index()])));
    }
    all
}

fn cause(turn: &Turn, place: usize) -> Cause {
    let of = turn.polluted.iter().find(|(combination, _)| combination.contains(&place));
    let (combination, proof) = of.expect("it is a member of a polluted combination");
    let others = combination.iter().filter(|other| **other != place);
    let with = others.map(|other| turn.members[*other].member.at).collect();
    Cause { member: turn.members[place].member.clone(), proof: proof.clone(), with }
}

struct Progress<'e, 'a, 'r, 'w> {
    subject: &'e Subject<'a, 'r>,
    manner: Manner<'w>,
    examiner: Examiner<'e, 'a, 'r>,
    goal: Goal,
    said: Said,
    search: Search,
    limits: Vec<Limit>,
    /// Combinations that there was no time for.
    skipped: usize,
}

impl<'e, 'a, 'r, 'w> Progress<'e, 'a, 'r, 'w> {
    fn new(
        subject: &'e Subject<'a, 'r>,
        manner: Manner<'w>,
        states: &'e States,
    ) -> Result<Progress<'e, 'a, 'r, 'w>, TechniqueError> {
        let property = path::property(subject, subject.run, subject.question, &subject.lab.baseline().ran)?;
        Ok(Progress {
            subject,
            manner,
            examiner: Examiner::new(subject, property)?,
            goal: Goal::Failure,
            said: Said::default(),
            search: Search { steps: states.whole.steps() as u64, ..Search::default() },
            limits: states.limits.clone(),
            skipped: 0,
        })
    }

    fn turn(&mut self, mut found: Vec<Member>) -> Result<Turn, TechniqueError> {
        if found.len() > MOST_MEMBERS {
            self.skipped += found.len() - MOST_MEMBERS;
            found.drain(..found.len() - MOST_MEMBERS);
        }
        self.search.altered += found.len() as u64;
        let examined = |member| Examined { member, hinged: Conditions::new(), is_benign: false };
        let mut turn =
            Turn { members: found.into_iter().map(examined).collect(), polluted: Vec::new(), went: Went::Behind };
        let mut combinations = Combinations::of(turn.members.len());
        let (mut tried, mut several, mut benign) = (0, 0, Vec::new());
        loop {
            let left_out: Vec<Vec<usize>> =
                turn.polluted.iter().map(|(of, _)| of.clone()).chain(benign.clone()).collect();
            let Some(combination) = combinations.next(&left_out) else { break };
            several += usize::from(combination.len() > 1);
            if self.subject.is_over() || several > most_combinations(self.subject.effort) {
                self.skipped += 1;
                break;
            }
            self.search.combinations += 1;
            tried += 1;
            self.subject.progress.tried("combinations of states altered", tried, tried.max(turn.members.len()));
            let of: Vec<&Member> = combination.iter().map(|at| &turn.members[*at].member).collect();
            let found = self.examiner.examine(&of, &self.goal)?;
            if let [at] = combination[..] {
                turn.members[at].hinged = found.hinged;
            }
            let Some(proof) = found.proof else { continue };
            let right = self.called_right(&turn, &combination)?;
            for at in &right {
                turn.members[*at].is_benign = true;
                benign.push(vec![*at]);
            }
            if right.is_empty() {
                let first = &turn.members[combination[0]].member;
                let fineness = if first.is_decision() { Fineness::Decided } else { Fineness::Crude };
                self.subject.note("frontier", first.at, Some(proof.repair), fineness);
                turn.polluted.push((combination, proof));
            }
        }
        Ok(turn)
    }

    fn show(&self, turn: &Turn) {
        let Some(watcher) = self.manner.watcher else { return };
        let places = self.polluted_places(turn);
        let shown = |(at, examined): (usize, &Examined)| {
            Some((location(self.subject.run, examined.member.at)?, places.contains(&at)))
        };
        watcher.turn(&turn.members.iter().enumerate().filter_map(shown).collect::<Vec<_>>());
    }

    /// Members of a combination that a person calls right.
    fn called_right(&mut self, turn: &Turn, combination: &[usize]) -> Result<Vec<usize>, TechniqueError> {
        let mut right = Vec::new();
        let Some(witness) = self.manner.witness else { return Ok(right) };
        for &at in combination {
            let left = turn.members.len() - at;
            let verdict = self.said.about(self.subject, witness, turn.members[at].member.at, left)?;
            if verdict == Verdict::Benign {
                right.push(at);
            }
        }
        Ok(right)
    }

    /// Members of polluted combinations, each once.
    fn polluted_places(&self, turn: &Turn) -> Vec<usize> {
        let mut places: Vec<usize> = turn.polluted.iter().flat_map(|(combination, _)| combination).copied().collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// If conditions alone are left to explain, what would have reversed them.
    fn next_goal(&mut self, turn: &Turn, left: &[usize]) -> Result<Goal, TechniqueError> {
        let is_left = |(combination, _): &&(Vec<usize>, Proof)| combination.iter().all(|at| left.contains(at));
        let members = |combination: &[usize]| -> Vec<&Member> {
            combination.iter().map(|at| &turn.members[*at].member).collect()
        };
        let ways: Vec<Vec<&Member>> =
            turn.polluted.iter().filter(is_left).map(|(combination, _)| members(combination)).collect();
        let are_decisions = left.iter().all(|at| turn.members[*at].member.is_decision());
        if are_decisions && !ways.is_empty() {
            return Ok(Goal::Decisions(Decisions::of(self.subject, ways)?));
        }
        Ok(Goal::Failure)
    }
}
