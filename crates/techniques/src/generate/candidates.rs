//! What could be tried next: turns of known paths, and which of them is the most promising.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use experiment::Input;
use program::Site;
use symbolic::{Turn, Way};

use super::Selection;
use super::path::{Met, Turning, Went, similarity};
use super::similarity::{Compared, Similarity, Standard};

/// A turn of a run's path that nobody has tried.
pub(super) struct Candidate {
    pub run: usize,
    pub turn: Turn,
    position: usize,
    met: Met,
    /// The highest to any failing run.
    likeness: Similarity,
    /// In the order in which they were found.
    order: u64,
    /// An input that goes this way, if a solver was asked for it.
    pub input: Option<Input>,
}

/// A recorded run.
pub(super) struct Known {
    pub input: Arc<Input>,
    path: Vec<Met>,
}

pub(super) struct Candidates {
    selection: Selection,
    pub runs: Vec<Known>,
    pub open: Vec<Candidate>,
    standards: Vec<Standard<Met>>,
    failing_inputs: Vec<Arc<Input>>,
    covered: HashSet<(Site, Way)>,
    count: u64,
    /// Turns that were left out, since the same run has many like them.
    pub alike: u64,
}

/// Turns of one run at one way of one site: loops make thousands.
const MOST_ALIKE: usize = 24;
/// Failing runs that others are compared with.
const MOST_STANDARDS: usize = 16;

/// What decides who comes first: that a way is new, likeness, and the order.
type Promise = (bool, Similarity, Reverse<u64>);

impl Candidates {
    pub fn new(selection: Selection) -> Candidates {
        Candidates {
            selection,
            runs: Vec::new(),
            open: Vec::new(),
            standards: Vec::new(),
            failing_inputs: Vec::new(),
            covered: HashSet::new(),
            count: 0,
            alike: 0,
        }
    }

    /// Notes where control went.
    pub fn cover(&mut self, taken: &HashSet<(Site, Way)>) {
        self.covered.extend(taken.iter().copied());
    }

    /// Adds a run with its turns. Those at conditions before the one it was made by were turns of the run it was made from.
    pub fn add(&mut self, input: Arc<Input>, path: Vec<Met>, turns: &[Turning], from: usize) -> usize {
        let run = self.runs.len();
        let mut chosen: Vec<&Turning> = turns.iter().filter(|turning| turning.turn.condition >= from).collect();
        self.thin_out(&mut chosen);
        let likeness = self.likeness_of(&path, &chosen);
        for (turning, likeness) in chosen.into_iter().zip(likeness) {
            self.count += 1;
            let Turning { turn, position, met } = *turning;
            let order = self.count;
            self.open.push(Candidate { run, turn, position, met, likeness, order, input: None });
        }
        self.runs.push(Known { input, path });
        run
    }

    /// Of many that are alike, the latest are the most similar to the run; where it is new ways that count, the first do.
    fn thin_out(&mut self, turns: &mut Vec<&Turning>) {
        let mut counts: HashMap<Met, usize> = HashMap::new();
        let before = turns.len();
        let is_one_of_few = |turning: &&Turning| {
            let count = counts.entry(turning.met).or_default();
            *count += 1;
            *count <= MOST_ALIKE
        };
        if self.selection.is_by_likeness() {
            let mut kept: Vec<&Turning> = turns.drain(..).rev().filter(is_one_of_few).collect();
            kept.reverse();
            *turns = kept;
        } else {
            let mut is_one_of_few = is_one_of_few;
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
            Selection::PathConstraints(compared) if self.standards.len() < MOST_STANDARDS => {
                self.compare_with_path(&Standard::new(path, compared));
                self.standards.push(Standard::new(path, compared));
            }
            Selection::Inputs if self.failing_inputs.len() < MOST_STANDARDS => {
                for candidate in &mut self.open {
                    if let Some(found) = &candidate.input {
                        candidate.likeness = candidate.likeness.max(similarity(found, input));
                    }
                }
                self.failing_inputs.push(input.clone());
            }
            Selection::PathConstraints(_) | Selection::Inputs | Selection::Coverage | Selection::Base => {}
        }
    }

    fn compare_with_path(&mut self, standard: &Standard<Met>) {
        let mut by_run: HashMap<usize, Vec<&mut Candidate>> = HashMap::new();
        for candidate in &mut self.open {
            by_run.entry(candidate.run).or_default().push(candidate);
        }
        for (run, mut candidates) in by_run {
            candidates.sort_by_key(|candidate| candidate.position);
            let turns: Vec<(usize, Met)> = candidates.iter().map(|one| (one.position, one.met)).collect();
            for (candidate, found) in candidates.into_iter().zip(standard.turned(&self.runs[run].path, &turns)) {
                candidate.likeness = candidate.likeness.max(found);
            }
        }
    }

    fn promise(&self, candidate: &Candidate) -> Promise {
        let order = Reverse(candidate.order);
        match self.selection {
            Selection::PathConstraints(_) | Selection::Inputs => (false, candidate.likeness, order),
            Selection::Coverage | Selection::Base => {
                let is_new = match candidate.met.went {
                    Went::To(way) => !self.covered.contains(&(candidate.met.site, way)),
                    Went::Held | Went::Failed => false,
                };
                (is_new, Similarity::NONE, order)
            }
        }
    }

    /// The position of the most promising among those that are open.
    pub fn best(&self) -> Option<usize> {
        (0..self.open.len()).max_by_key(|at| self.promise(&self.open[*at]))
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
            Selection::PathConstraints(Compared::Subset) => "pcs",
            Selection::PathConstraints(Compared::Subsequence) => "pcs, subsequence",
            Selection::Inputs => "is",
            Selection::Coverage => "coverage",
            Selection::Base => "base",
        }
    }

    fn is_by_likeness(self) -> bool {
        matches!(self, Selection::PathConstraints(_) | Selection::Inputs)
    }
}
