//! What could be tried next: changes of known runs, and which of them is the most promising.
//!
//! Where it is nearness that counts (`near`), what has been tried tells what to expect. A path that is turned behind the fault
//! has executed the fault and fails still; one that is turned before it may pass. So the place where turns at a condition of
//! the given path begin to fail is searched for as in a sorted list: the last of them, and then the middle of what is not
//! known. Otherwise tests are made of the kind that there are fewer of, failing or passing, the most similar first.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use experiment::Input;
use program::Site;
use symbolic::{Turn, Way};

use super::Selection;
use super::path::{Met, Turning, Went, similarity};
use super::similarity::{Compared, Similarity, Standard};

/// A change of a run that nobody has tried.
pub(super) struct Candidate {
    pub run: usize,
    pub change: Change,
    /// The highest to any failing run.
    likeness: Similarity,
    /// In the order in which they were found.
    order: u64,
    /// An input that does it, if a solver was asked for it.
    pub input: Option<Input>,
}

/// What is changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// One condition goes another way; all before it go theirs.
    Turn(Turning),
    /// All conditions go their ways, but the symbol of this number has another value.
    Vary { symbol: usize },
}

/// What changes have in common that are tried in turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Manner {
    Turned(Met),
    Varied,
}

impl Change {
    fn manner(&self) -> Manner {
        match self {
            Change::Turn(turning) => Manner::Turned(turning.met),
            Change::Vary { .. } => Manner::Varied,
        }
    }
}

/// A recorded run.
pub(super) struct Known {
    pub input: Arc<Input>,
    path: Vec<Met>,
    /// Conditions of its path, with those that are no facts of the program's.
    conditions: usize,
    fails: bool,
}

/// A run as it is added.
pub(super) struct Added<'a> {
    pub input: Arc<Input>,
    pub path: Vec<Met>,
    pub conditions: usize,
    /// In the way that is asked about.
    pub fails: bool,
    pub turns: &'a [Turning],
    /// The first condition that may be turned: those before were turned in the run that it was made from.
    pub from: usize,
    /// Symbols that may have other values.
    pub symbols: Vec<usize>,
}

/// Where turns of the given path that are alike begin to fail: positions, as far as known.
#[derive(Clone, Copy, Default, Debug)]
struct Border {
    last_passing: Option<usize>,
    first_failing: Option<usize>,
}

/// What is expected of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Failing,
    Passing,
    /// So far from where it is best to ask.
    Unknown(usize),
}

impl Border {
    fn learn(&mut self, position: usize, fails: bool) {
        if fails {
            self.first_failing = Some(self.first_failing.map_or(position, |known| known.min(position)));
        } else {
            self.last_passing = Some(self.last_passing.map_or(position, |known| known.max(position)));
        }
    }

    fn expected(self, position: usize) -> Expected {
        let last_passing = self.last_passing.map_or(0, |last| last + 1);
        match self.first_failing {
            // They need not be in order: what passes so late tells more than what fails before it.
            _ if position < last_passing => Expected::Passing,
            Some(first) if position >= first => Expected::Failing,
            Some(first) => Expected::Unknown(position.abs_diff(usize::midpoint(last_passing, first))),
            None => Expected::Unknown(usize::MAX - position),
        }
    }
}

pub(super) struct Candidates {
    selection: Selection,
    pub runs: Vec<Known>,
    pub open: Vec<Candidate>,
    standards: Vec<Standard<Met>>,
    failing_inputs: Vec<Arc<Input>>,
    covered: HashSet<(Site, Way)>,
    tried: HashMap<Manner, u32>,
    /// The failing run whose turns are searched.
    given: usize,
    borders: HashMap<Manner, Border>,
    /// Tests that fail and that pass, the given one among them.
    verdicts: (u32, u32),
    count: u64,
    /// Turns that were left out, since the same run has many like them.
    pub alike: u64,
}

/// Turns of one run at one way of one site: loops make thousands.
const MOST_ALIKE: usize = 24;
/// The same where the place among them is searched for where they begin to fail.
const MOST_SEARCHED: usize = 1 << 10;
/// Failing runs that others are compared with.
const MOST_STANDARDS: usize = 16;

/// What decides who comes first: whether it is wanted now, how often the like was tried, how far it is from where it is best
/// to ask, likeness, and the order.
type Promise = (bool, Reverse<u32>, Reverse<usize>, Similarity, Reverse<u64>);

impl Candidates {
    pub fn new(selection: Selection) -> Candidates {
        Candidates {
            selection,
            runs: Vec::new(),
            open: Vec::new(),
            standards: Vec::new(),
            failing_inputs: Vec::new(),
            covered: HashSet::new(),
            tried: HashMap::new(),
            given: 0,
            borders: HashMap::new(),
            verdicts: (0, 0),
            count: 0,
            alike: 0,
        }
    }

    /// Notes where control went.
    pub fn cover(&mut self, taken: &HashSet<(Site, Way)>) {
        self.covered.extend(taken.iter().copied());
    }

    /// Adds a run with its changes.
    pub fn add(&mut self, added: Added<'_>) -> usize {
        let Added { input, path, conditions, fails, turns, from, symbols } = added;
        let run = self.runs.len();
        let mut chosen: Vec<&Turning> = turns.iter().filter(|turning| turning.turn.condition >= from).collect();
        self.thin_out(&mut chosen);
        let of_turns = self.likeness_of(&path, &chosen);
        let of_path = self.standards.iter().map(|standard| standard.whole(&path)).max().unwrap_or(Similarity::NONE);
        for (turning, likeness) in chosen.into_iter().zip(of_turns) {
            self.push(run, Change::Turn(*turning), likeness);
        }
        for symbol in symbols {
            self.push(run, Change::Vary { symbol }, of_path);
        }
        self.runs.push(Known { input, path, conditions, fails });
        run
    }

    fn push(&mut self, run: usize, change: Change, likeness: Similarity) {
        self.count += 1;
        self.open.push(Candidate { run, change, likeness, order: self.count, input: None });
    }

    /// Of many that are alike, the latest are the most similar to the run; where it is new ways that count, the first do.
    fn thin_out(&mut self, turns: &mut Vec<&Turning>) {
        let mut counts: HashMap<Met, usize> = HashMap::new();
        let before = turns.len();
        // The given one, and a smaller one made of it.
        let is_searched = self.selection == Selection::Near && self.runs.len() <= 1;
        let most = if is_searched { MOST_SEARCHED } else { MOST_ALIKE };
        let mut is_one_of_few = |turning: &&Turning| {
            let count = counts.entry(turning.met).or_default();
            *count += 1;
            *count <= most
        };
        if self.selection.is_by_likeness() {
            let mut kept: Vec<&Turning> = turns.drain(..).rev().filter(is_one_of_few).collect();
            kept.reverse();
            *turns = kept;
        } else {
            turns.retain(|turning| is_one_of_few(turning));
        }
        self.alike += (before - turns.len()) as u64;
    }

    fn likeness_of(&self, path: &[Met], turns: &[&Turning]) -> Vec<Similarity> {
        let turns: Vec<(usize, Met)> = turns.iter().map(|turning| (turning.position, turning.met)).collect();
        let mut best = vec![Similarity::NONE; turns.len()];
        for standard in &self.standards {
            for (best, found) in best.iter_mut().zip(standard.turned(path, &turns)) {
                *best = (*best).max(found);
            }
        }
        best
    }

    /// A run fails in the way that is asked about: what is similar to it is similar to the failure.
    pub fn compare_with(&mut self, input: &Arc<Input>, path: &[Met]) {
        match self.selection {
            Selection::Near | Selection::PathConstraints(_) if self.standards.len() < MOST_STANDARDS => {
                let compared = match self.selection {
                    Selection::PathConstraints(compared) => compared,
                    _ => Compared::Subset,
                };
                let standard = Standard::new(path, compared);
                self.compare_open(&standard);
                self.standards.push(standard);
            }
            Selection::Inputs if self.failing_inputs.len() < MOST_STANDARDS => {
                for candidate in &mut self.open {
                    if let Some(found) = &candidate.input {
                        candidate.likeness = candidate.likeness.max(similarity(found, input));
                    }
                }
                self.failing_inputs.push(input.clone());
            }
            Selection::Near
            | Selection::PathConstraints(_)
            | Selection::Inputs
            | Selection::Coverage
            | Selection::Base => {}
        }
    }

    fn compare_open(&mut self, standard: &Standard<Met>) {
        let mut by_run: HashMap<usize, Vec<(Turning, &mut Candidate)>> = HashMap::new();
        for candidate in &mut self.open {
            match candidate.change {
                Change::Turn(turning) => by_run.entry(candidate.run).or_default().push((turning, candidate)),
                Change::Vary { .. } => {
                    let found = standard.whole(&self.runs[candidate.run].path);
                    candidate.likeness = candidate.likeness.max(found);
                }
            }
        }
        for (run, mut candidates) in by_run {
            candidates.sort_by_key(|(turning, _)| turning.position);
            let turns: Vec<(usize, Met)> = candidates.iter().map(|(one, _)| (one.position, one.met)).collect();
            for ((_, candidate), found) in candidates.into_iter().zip(standard.turned(&self.runs[run].path, &turns)) {
                candidate.likeness = candidate.likeness.max(found);
            }
        }
    }

    fn promise(&self, candidate: &Candidate) -> Promise {
        let order = Reverse(candidate.order);
        let tried = self.tried.get(&candidate.change.manner()).copied().unwrap_or(0);
        match self.selection {
            Selection::PathConstraints(_) | Selection::Inputs => {
                (true, Reverse(tried), Reverse(0), candidate.likeness, order)
            }
            Selection::Near => {
                let (failing, passing) = self.verdicts;
                let wanted = if failing > passing { Expected::Passing } else { Expected::Failing };
                let (is_wanted, far) = match self.expected(candidate) {
                    Some(Expected::Unknown(far)) => (true, far),
                    Some(known) => (known == wanted, usize::MAX),
                    None => (true, usize::MAX),
                };
                (is_wanted, Reverse(tried), Reverse(far), candidate.likeness, order)
            }
            Selection::Coverage | Selection::Base => {
                let is_new = match candidate.change {
                    Change::Turn(Turning { met: Met { site, went: Went::To(way) }, .. }) => {
                        !self.covered.contains(&(site, way))
                    }
                    Change::Turn(_) | Change::Vary { .. } => false,
                };
                (is_new, Reverse(0), Reverse(0), Similarity::NONE, order)
            }
        }
    }

    /// What is expected of a candidate; none: nothing in particular.
    fn expected(&self, candidate: &Candidate) -> Option<Expected> {
        let Change::Turn(turning) = candidate.change else { return None };
        Some(match (candidate.run, self.runs[candidate.run].fails) {
            (run, true) if run == self.given => {
                let border = self.borders.get(&candidate.change.manner()).copied().unwrap_or_default();
                border.expected(turning.position)
            }
            (_, true) => Expected::Failing,
            (_, false) => Expected::Passing,
        })
    }

    /// A candidate was tried.
    pub fn learn(&mut self, run: usize, change: Change, fails: bool) {
        if let Change::Turn(turning) = change
            && run == self.given
        {
            self.borders.entry(change.manner()).or_default().learn(turning.position, fails);
        }
    }

    /// From now on it is the turns of the run added last that are searched.
    pub fn search_last(&mut self) {
        self.given = self.runs.len().saturating_sub(1);
        self.borders.clear();
    }

    /// A test was counted.
    pub fn counted(&mut self, fails: bool) {
        if fails {
            self.verdicts.0 += 1;
        } else {
            self.verdicts.1 += 1;
        }
    }

    /// The position of the most promising among those that are open.
    pub fn best(&self) -> Option<usize> {
        (0..self.open.len()).max_by_key(|at| self.promise(&self.open[*at]))
    }

    /// Takes a candidate out that is tried.
    pub fn take(&mut self, at: usize) -> Candidate {
        let candidate = self.open.swap_remove(at);
        *self.tried.entry(candidate.change.manner()).or_default() += 1;
        candidate
    }

    /// The first condition of a changed run's path that may be turned.
    pub fn from(&self, run: usize, change: Change) -> usize {
        match change {
            Change::Turn(Turning { turn: Turn { condition, .. }, .. }) => condition + 1,
            Change::Vary { .. } => self.runs[run].conditions,
        }
    }

    /// Positions of the most promising of a run for which nobody has asked a solver yet, the best first.
    pub fn best_unsolved(&self, run: usize, most: usize) -> Vec<usize> {
        let of_run = |at: &usize| self.open[*at].run == run && self.open[*at].input.is_none();
        let mut all: Vec<usize> = (0..self.open.len()).filter(of_run).collect();
        all.sort_by_key(|at| Reverse(self.promise(&self.open[*at])));
        all.truncate(most);
        all
    }

    /// A solver has found an input for a candidate.
    pub fn solved(&mut self, at: usize, input: Input) {
        let likeness = self.failing_inputs.iter().map(|failing| similarity(&input, failing)).max();
        let candidate = &mut self.open[at];
        candidate.likeness = candidate.likeness.max(likeness.unwrap_or(Similarity::NONE));
        candidate.input = Some(input);
    }

    /// Takes those at these positions out, for good.
    pub fn remove(&mut self, mut positions: Vec<usize>) {
        positions.sort_unstable();
        for at in positions.into_iter().rev() {
            self.open.swap_remove(at);
        }
    }
}

impl Selection {
    /// As `--select` has it.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Near => "near",
            Selection::PathConstraints(Compared::Subset) => "pcs",
            Selection::PathConstraints(Compared::Subsequence) => "pcs, subsequence",
            Selection::Inputs => "is",
            Selection::Coverage => "coverage",
            Selection::Base => "base",
        }
    }

    fn is_by_likeness(self) -> bool {
        matches!(self, Selection::Near | Selection::PathConstraints(_) | Selection::Inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_where_turns_begin_to_fail_is_halved_in() {
        const BEHIND: usize = 37;
        let (mut border, mut open, mut asked) = (Border::default(), (0..1000).collect::<Vec<usize>>(), Vec::new());
        loop {
            let distance = |position: &usize| match border.expected(*position) {
                Expected::Unknown(far) => Some(far),
                Expected::Failing | Expected::Passing => None,
            };
            let Some(next) = open.iter().copied().filter(|one| distance(one).is_some()).min_by_key(distance) else {
                break;
            };
            open.retain(|one| *one != next);
            asked.push(next);
            border.learn(next, next >= BEHIND);
        }
        assert_eq!(asked[..3], [999, 499, 249]);
        assert!(asked.len() <= 12, "{asked:?}");
        assert_eq!((border.last_passing, border.first_failing), (Some(BEHIND - 1), Some(BEHIND)));
    }
}
