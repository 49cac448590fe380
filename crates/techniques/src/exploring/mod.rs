//! New inputs for a program, one path each, found by solving what the paths of known runs hinged on.
//!
//! In: a lab, whose case is the first input. Out: inputs with what they reached, and why there are no more.
//! Deliberately absent: what inputs are wanted for. A closure scores them; who asks decides when to stop.
//!
//! The search is generational: a recorded run is replayed with symbols for its input; each condition of its path is turned,
//! with all before it kept; the inputs that a solver finds are run, many at a time; the most promising of them are recorded,
//! and turned in their place, at conditions behind the one that they were made by. A run shows whether it went the way that
//! was predicted.

mod given;
mod recorded;
mod tally;

use std::collections::{BinaryHeap, HashSet};
use std::ops::ControlFlow;

use budget::Budget;
use experiment::{End, Input, Lab, Outcome, Shown, Trial};
use program::Site;
use replay::ReplayError;
use symbolic::{Turn, Turned, Turner, Way};

use crate::error::TechniqueError;
pub use recorded::Reading;
use recorded::{Recorded, record};
pub use tally::Tally;

/// An input that was found, and what it led to.
#[derive(Clone, Debug)]
pub struct Kept {
    pub input: Input,
    /// The run that it was made from; none for the first.
    pub parent: Option<usize>,
    pub end: End,
    pub outcome: Outcome,
    /// Ways of branches that no earlier run had gone.
    pub new_ways: usize,
}

/// What has been found so far.
#[derive(Default)]
pub struct Exploration {
    pub kept: Vec<Kept>,
    pub tally: Tally,
    /// Every way that control went in a recorded run.
    pub covered: HashSet<(Site, Way)>,
    /// Of these, how many the first run went.
    pub covered_first: usize,
    /// There is no condition left to turn.
    pub is_exhausted: bool,
}

/// An input that was run, but not recorded.
struct Waiting {
    score: (u8, i64),
    input: Input,
    end: End,
    outcome: Outcome,
    origin: Option<Origin>,
}

/// How an input was made.
#[derive(Clone, Copy)]
struct Origin {
    parent: usize,
    turn: Turn,
    at: replay::Step,
    way: Way,
    given_up: usize,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.score == other.score
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> std::cmp::Ordering {
        self.score.cmp(&other.score)
    }
}

/// Inputs that are run at a time.
const BATCH: usize = 64;
/// Inputs that wait; of more, those of which the least is hoped are forgotten.
const MOST_WAITING: usize = 1 << 14;
/// Turns of one run at one way of one site: loops make thousands.
const MOST_ALIKE: usize = 24;

/// Explores until `each`, which hears of every input that was run, or of a recorded one that is kept, breaks off; or until
/// the budget is over; or until nothing is left to turn.
pub fn explore(
    lab: &Lab,
    reading: &Reading,
    budget: &Budget,
    mut each: impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
) -> Result<Exploration, TechniqueError> {
    let mut search = Search {
        lab,
        budget,
        reading,
        found: Exploration::default(),
        waiting: BinaryHeap::new(),
        paths: HashSet::new(),
        asked: HashSet::new(),
        signatures: HashSet::new(),
        count: 0,
    };
    let first = reading.first(lab)?;
    let ran = &lab.baseline().ran;
    let outcome = lab.judge_input(&first, &[], ran)?;
    search.asked.insert(first.hash());
    search.waiting.push(Waiting { score: (u8::MAX, 0), input: first, end: ran.end, outcome, origin: None });
    while let Some(waiting) = search.waiting.pop() {
        if budget.is_over() {
            return Ok(search.found);
        }
        if search.follow(waiting, &mut each)?.is_break() {
            return Ok(search.found);
        }
    }
    search.found.is_exhausted = true;
    Ok(search.found)
}

struct Search<'a> {
    lab: &'a Lab,
    budget: &'a Budget,
    reading: &'a Reading,
    found: Exploration,
    waiting: BinaryHeap<Waiting>,
    /// Paths of recorded runs: clock and hash at the end.
    paths: HashSet<(u64, u64)>,
    /// Inputs that were run.
    asked: HashSet<blake3::Hash>,
    /// What runs looked like from outside.
    signatures: HashSet<blake3::Hash>,
    count: i64,
}

impl Search<'_> {
    /// Records a run and turns its path.
    fn follow(
        &mut self,
        waiting: Waiting,
        each: &mut impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TechniqueError> {
        let asked = waiting.origin.map(|origin| origin.at);
        self.found.tally.recorded += 1;
        let recorded = match record(self.lab, &waiting.input, self.reading, asked, self.budget) {
            Err(TechniqueError::Replay(ReplayError::Departed { .. })) if waiting.origin.is_some() => {
                self.found.tally.departed += 1;
                return Ok(ControlFlow::Continue(()));
            }
            other => other?,
        };
        let Recorded { shadowed, path, .. } = &recorded;
        self.found.tally.add_lost(&recorded);
        if let Some(origin) = waiting.origin {
            let came = match origin.way {
                Way::Elsewhere => None,
                way => Some(shadowed.ways.get(&origin.at) == Some(&way)),
            };
            self.found.tally.predicted(came, origin.given_up == 0 && recorded.is_exact());
        }
        if !self.paths.insert(*path) {
            self.found.tally.duplicates += 1;
            return Ok(ControlFlow::Continue(()));
        }
        let before = self.found.covered.len();
        self.found.covered.extend(shadowed.taken.iter().copied());
        let new_ways = self.found.covered.len() - before;
        if waiting.origin.is_none() {
            self.found.covered_first = new_ways;
        }
        let number = self.found.kept.len();
        let kept = Kept {
            input: waiting.input.clone(),
            parent: waiting.origin.map(|origin| origin.parent),
            end: waiting.end,
            outcome: waiting.outcome,
            new_ways,
        };
        self.found.kept.push(kept.clone());
        if each(&self.found, Some(&kept)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let from = waiting.origin.map_or(0, |origin| origin.turn.condition + 1);
        self.turn_all(&recorded, &waiting.input, number, from, each)
    }

    fn turn_all(
        &mut self,
        recorded: &Recorded,
        input: &Input,
        parent: usize,
        from: usize,
        each: &mut impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TechniqueError> {
        let mut turner = Turner::new(&recorded.shadowed, self.reading.question);
        let mut alike = std::collections::HashMap::new();
        let turns: Vec<Turn> = turner.turns(from).collect();
        // Ways that nobody has gone come first.
        let is_known = |turner: &Turner<'_>, turn: &Turn| {
            let Some((condition, other)) = turner.at(*turn) else { return true };
            other.way == Way::Elsewhere || self.found.covered.contains(&(condition.at.site, other.way))
        };
        let (known, new): (Vec<Turn>, Vec<Turn>) = turns.into_iter().partition(|turn| is_known(&turner, turn));
        let mut batch = Vec::new();
        let budget = self.budget;
        for (turn, is_new) in
            new.into_iter().map(|turn| (turn, true)).chain(known.into_iter().map(|turn| (turn, false)))
        {
            if budget.is_over() {
                break;
            }
            let Some((condition, other)) = turner.at(turn) else { continue };
            let count = alike.entry((condition.at.site, other.way)).or_insert(0);
            *count += 1;
            if *count > MOST_ALIKE {
                self.found.tally.alike += 1;
                continue;
            }
            match turner.turn(turn, &|| budget.is_over()) {
                Turned::To(found) => {
                    let changed = self.reading.given(input, &found.inputs);
                    if !self.asked.insert(changed.hash()) {
                        self.found.tally.repeated += 1;
                        continue;
                    }
                    let origin = Origin { parent, turn, at: condition.at, way: other.way, given_up: found.given_up };
                    batch.push((changed, origin, is_new));
                    if batch.len() == BATCH && self.run(&mut batch, each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Turned::Never(_) => self.found.tally.never += 1,
                Turned::Unknown(_) => self.found.tally.unknown += 1,
            }
        }
        self.found.tally.add_questions(turner.statistics());
        self.run(&mut batch, each)
    }

    /// Runs inputs, to see what is to be hoped of them.
    fn run(
        &mut self,
        batch: &mut Vec<(Input, Origin, bool)>,
        each: &mut impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TechniqueError> {
        let trials: Vec<Trial> = batch.iter().map(|(input, _, _)| Trial::from(input.clone())).collect();
        let mut shown: Vec<Option<Shown>> = trials.iter().map(|_| None).collect();
        self.lab.try_inputs(&trials, |position, one| {
            shown[position] = Some(one);
            ControlFlow::Continue(())
        })?;
        let mut flow = ControlFlow::Continue(());
        for ((input, origin, is_new), shown) in batch.drain(..).zip(shown) {
            let Some(Shown { outcome, ran: Some(ran) }) = shown else { continue };
            self.found.tally.runs += 1;
            self.found.tally.ended(ran.end, outcome);
            let mut hasher = blake3::Hasher::new();
            hasher.update(format!("{:?}", ran.end).as_bytes()).update(&ran.output).update(&ran.error);
            let looks_new = self.signatures.insert(hasher.finalize());
            self.count -= 1;
            let is_wrong = !matches!(outcome, Outcome::Passes | Outcome::CannotTell | Outcome::Refused);
            let score = (4 * u8::from(is_wrong && looks_new) + 2 * u8::from(is_new) + u8::from(looks_new), self.count);
            self.waiting.push(Waiting { score, input, end: ran.end, outcome, origin: Some(origin) });
        }
        if self.waiting.len() > 2 * MOST_WAITING {
            let mut all = std::mem::take(&mut self.waiting).into_sorted_vec();
            self.found.tally.forgotten += (all.len() - MOST_WAITING) as u64;
            self.waiting = all.split_off(all.len() - MOST_WAITING).into();
        }
        if each(&self.found, None).is_break() {
            flow = ControlFlow::Break(());
        }
        Ok(flow)
    }
}
