//! The search: the most promising turn of a known path becomes an input, that becomes a test, and its path has turns again.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use experiment::shrink::{Judge, Progress, ShrinkError, shrink};
use experiment::{End, Input, LabError, Oracle, Outcome};
use spectrum::Group;
use symbolic::{Shadowed, Symbol, Turned, Turner};

use super::candidates::{Added, Candidates, Change};
use super::path::met;
use super::run::{Attempt, CrashSite, Performed, perform, symbols_again};
use super::settled::Settling;
use super::{Ended, Generated, Means, OtherFailure, Pending, Selection, Test, Verdict};
use crate::exploring::Reading;
use subject::TechniqueError;

/// Turns that a solver is asked about in a row: they share what it has learned of the run's path.
const AT_A_TIME: usize = 4;
/// Tests to choose from for whoever asks a person.
const MOST_PENDING: usize = 40;
/// How long the failing input is made smaller.
const LONGEST_SHRINKING: Duration = Duration::from_secs(5);
/// Bytes of one input that are given other values on the same path.
const MOST_VARIED: usize = 24;
/// Runs whose symbols are kept; those of others are made once more.
const MOST_KEPT: usize = 6;

pub(super) struct Search<'a> {
    means: &'a Means<'a>,
    reading: Reading,
    candidates: Candidates,
    kept: Vec<(usize, Shadowed)>,
    asked: HashSet<blake3::Hash>,
    paths: HashSet<(u64, u64)>,
    /// Of the failing run.
    end: End,
    crashed: Option<CrashSite>,
    settling: Settling,
    pub generated: Generated,
    /// Tests that a person must judge.
    pub pending: Vec<Pending>,
}

impl<'a> Search<'a> {
    pub fn new(means: &'a Means<'a>, reading: Reading) -> Search<'a> {
        Search {
            candidates: Candidates::new(means.options.selection),
            means,
            reading,
            kept: Vec::new(),
            asked: HashSet::new(),
            paths: HashSet::new(),
            end: means.lab.baseline().ran.end,
            crashed: None,
            settling: Settling::default(),
            generated: Generated::new(means.options.selection),
            pending: Vec::new(),
        }
    }

    /// Makes tests until it is enough. Tests that nobody could judge yet are in `pending`.
    pub fn go(&mut self, mut each: impl FnMut(&Generated) -> ControlFlow<()>) -> Result<Ended, TechniqueError> {
        let first = Arc::new(self.reading.first(self.means.lab)?);
        self.failing(&first)?;
        if each(&self.generated).is_break() {
            return Ok(Ended::Stopped);
        }
        if self.means.options.selection == Selection::Near
            && let Some(smaller) = smaller(self.means, &mut self.generated.shrinking)?
            && self.asked.insert(smaller.hash())
        {
            let known = self.candidates.runs.len();
            self.test(Arc::new(smaller), None)?;
            if self.candidates.runs.len() > known && self.generated.tests.last().is_some_and(Test::fails) {
                self.candidates.search_last();
            }
            if each(&self.generated).is_break() {
                return Ok(Ended::Stopped);
            }
        }
        if self.means.options.selection == Selection::Base {
            let empty = emptied(&first);
            if self.asked.insert(empty.hash()) {
                self.test(Arc::new(empty), None)?;
                if each(&self.generated).is_break() {
                    return Ok(Ended::Stopped);
                }
            }
        }
        loop {
            if self.generated.made() >= self.means.options.most || self.pending.len() >= MOST_PENDING {
                return Ok(Ended::Enough);
            }
            if self.means.options.until_settled && self.generated.settled.is_some() {
                return Ok(Ended::Settled);
            }
            if self.means.budget.is_over() {
                return Ok(Ended::Spent);
            }
            let Some((input, run, change)) = self.next()? else {
                return Ok(if self.means.budget.is_over() { Ended::Spent } else { Ended::Exhausted });
            };
            self.test(Arc::new(input), Some((run, change)))?;
            self.means.progress.tried("tests", self.generated.made(), self.means.options.most);
            if each(&self.generated).is_break() {
                return Ok(Ended::Stopped);
            }
        }
    }

    /// The failing run: the test that all others are compared with.
    fn failing(&mut self, first: &Arc<Input>) -> Result<(), TechniqueError> {
        self.asked.insert(first.hash());
        let performed = match perform(self.means.lab, &self.reading, first, self.means.budget)? {
            Attempt::Performed(performed) => performed,
            Attempt::Failed => {
                return Err(TechniqueError::Lab(experiment::LabError::Io(std::io::Error::other(
                    "the failing run cannot be recorded and replayed once more",
                ))));
            }
        };
        self.crashed.clone_from(&performed.crashed);
        let performed = *performed;
        let verdict = Verdict::Fails;
        let expands = self.means.options.selection != Selection::Base;
        self.counted(first, performed, verdict, expands.then_some(0));
        Ok(())
    }

    /// The most promising input, and how it was made: of which run, and by what change.
    fn next(&mut self) -> Result<Option<(Input, usize, Change)>, TechniqueError> {
        loop {
            if self.means.budget.is_over() {
                return Ok(None);
            }
            if self.means.options.selection == Selection::Inputs {
                // Only an input can be compared.
                self.solve_all()?;
            }
            let Some(best) = self.candidates.best() else { return Ok(None) };
            if self.candidates.open[best].input.is_none() {
                let run = self.candidates.open[best].run;
                let some = self.candidates.best_unsolved(run, AT_A_TIME);
                self.solve(run, some)?;
                continue;
            }
            let chosen = self.candidates.take(best);
            if let Some(input) = chosen.input.filter(|input| self.asked.insert(input.hash())) {
                return Ok(Some((input, chosen.run, chosen.change)));
            }
        }
    }

    fn solve_all(&mut self) -> Result<(), TechniqueError> {
        while let Some(unsolved) = self.candidates.open.iter().find(|one| one.input.is_none()) {
            if self.means.budget.is_over() {
                return Ok(());
            }
            let run = unsolved.run;
            let all = self.candidates.best_unsolved(run, usize::MAX);
            self.solve(run, all)?;
        }
        Ok(())
    }

    /// Asks for inputs of these candidates of a run. Those that have none are taken out.
    fn solve(&mut self, run: usize, positions: Vec<usize>) -> Result<(), TechniqueError> {
        let Means { lab, budget, .. } = *self.means;
        let input = self.candidates.runs[run].input.clone();
        let shadowed = match self.kept.iter().position(|(known, _)| *known == run) {
            Some(at) => self.kept.remove(at).1,
            None => symbols_again(lab, &self.reading, &input, budget)?,
        };
        let mut turner = Turner::new(&shadowed, self.reading.question);
        let mut gone = Vec::new();
        for at in positions {
            if budget.is_over() {
                break;
            }
            let stop = || budget.is_over();
            let turned = match self.candidates.open[at].change {
                Change::Turn(turning) => turner.turn(turning.turn, &stop),
                Change::Vary { symbol } => turner.vary(symbol, &stop),
            };
            match turned {
                Turned::To(found) => {
                    let changed = self.reading.given(&input, &found.inputs);
                    if self.asked.contains(&changed.hash()) {
                        gone.push(at);
                    } else {
                        self.candidates.solved(at, changed);
                    }
                }
                Turned::Never(_) => gone.push(at),
                Turned::Unknown(_) => {
                    self.generated.unknown += 1;
                    gone.push(at);
                }
            }
        }
        drop(turner);
        self.candidates.remove(gone);
        self.keep(run, shadowed);
        Ok(())
    }

    fn keep(&mut self, run: usize, shadowed: Shadowed) {
        self.kept.push((run, shadowed));
        if self.kept.len() > MOST_KEPT {
            self.kept.remove(0);
        }
    }

    /// Runs an input as a test. `made`: of which run, and by what change.
    fn test(&mut self, input: Arc<Input>, made: Option<(usize, Change)>) -> Result<(), TechniqueError> {
        let performed = match perform(self.means.lab, &self.reading, &input, self.means.budget)? {
            Attempt::Performed(performed) => *performed,
            Attempt::Failed => {
                self.generated.not_run += 1;
                return Ok(());
            }
        };
        let verdict = self.verdict(&performed);
        let fails = verdict.fails();
        if let (Some((run, change)), Some(fails)) = (made, fails) {
            self.candidates.learn(run, change, fails);
        }
        let from = made.map_or(0, |(run, change)| self.candidates.from(run, change));
        self.counted(&input, performed, verdict, Some(from));
        Ok(())
    }

    /// A test fails only if it fails in the same way.
    fn verdict(&self, performed: &Performed) -> Verdict {
        let is_same = !matches!(self.end, End::Killed(_)) || performed.crashed == self.crashed;
        match performed.outcome {
            Outcome::Passes => Verdict::Passes,
            Outcome::FailsSame if is_same => Verdict::Fails,
            Outcome::FailsSame | Outcome::FailsLater | Outcome::FailsOtherwise | Outcome::Crashes | Outcome::Hangs => {
                Verdict::FailsOtherwise
            }
            Outcome::CannotTell if self.means.options.asks => Verdict::Pending,
            Outcome::CannotTell | Outcome::NeverReached | Outcome::Refused => Verdict::Undecided,
        }
    }

    /// Counts a test; `from`: the first condition of its path that may be turned, if it is.
    fn counted(&mut self, input: &Arc<Input>, performed: Performed, verdict: Verdict, from: Option<usize>) {
        let Performed { ran, crashed, did, shadowed, path, lost, .. } = performed;
        self.candidates.cover(&shadowed.taken);
        for place in lost {
            *self.generated.lost.entry(place).or_default() += 1;
        }
        self.generated.beyond += shadowed.path.beyond;
        let (conditions, turns) = met(&shadowed.path);
        if verdict == Verdict::Fails {
            self.candidates.compare_with(input, &conditions);
        }
        if let Some(fails) = verdict.fails() {
            self.candidates.counted(fails);
        }
        if let (Some(from), true) = (from, self.paths.insert(path)) {
            // Values that do not matter for the path are varied near the failure only.
            let symbols = if verdict == Verdict::Fails { varied(&shadowed) } else { Vec::new() };
            let run = self.candidates.add(Added {
                input: input.clone(),
                path: conditions,
                conditions: shadowed.path.conditions.len(),
                fails: verdict == Verdict::Fails,
                turns: &turns,
                from,
                symbols,
            });
            self.keep(run, shadowed);
        }
        let number = self.generated.tests.len();
        if verdict == Verdict::FailsOtherwise {
            let location = crashed.and_then(|site| site.location);
            OtherFailure::note(&mut self.generated.others, ran.end, location, number);
        }
        match verdict {
            Verdict::Fails => self.generated.measured.add(Group::Failing, did),
            Verdict::Passes | Verdict::FailsOtherwise => self.generated.measured.add(Group::Passing, did),
            Verdict::Pending => self.pending.push(Pending { test: number, did }),
            Verdict::Undecided => {}
        }
        self.generated.seconds = self.means.budget.elapsed().as_secs_f64();
        let seconds = self.generated.seconds;
        self.generated.tests.push(Test { input: input.clone(), ran, verdict, seconds });
        self.generated.alike = self.candidates.alike;
        if matches!(verdict, Verdict::Fails | Verdict::Passes | Verdict::FailsOtherwise) {
            self.settling.counted(&self.generated.measured);
            if self.generated.settled.is_none() && self.settling.is_settled(&self.generated.measured) {
                self.generated.settled = Some(number);
            }
        }
    }
}

/// Bytes of the input that may have another value: some of all that were read, evenly spread.
fn varied(shadowed: &Shadowed) -> Vec<usize> {
    let numbers = (0..).map_while(|number| Some((number, shadowed.symbols.origin(number)?)));
    let bytes: Vec<usize> =
        numbers.filter(|(_, origin)| matches!(origin, Symbol::Byte { .. })).map(|(n, _)| n).collect();
    bytes.iter().copied().step_by(bytes.len().div_ceil(MOST_VARIED).max(1)).collect()
}

/// The failing input without what does not matter for the failure: what comes before and after it in the input neither has
/// to be solved for nor fails in place of it. None if nothing can be left out, or nobody can judge that.
fn smaller(means: &Means<'_>, runs: &mut u64) -> Result<Option<Input>, TechniqueError> {
    let oracle = means.lab.oracle();
    let judge = Judge {
        // What a reference does on the failing input is no measure for others.
        status: oracle.status.filter(|_| oracle.reference.is_none()),
        reference: oracle.reference.clone(),
        oracle: Oracle { check: oracle.check.clone(), ..Oracle::default() },
    };
    let part = means.budget.part((means.budget.left() / 4).min(LONGEST_SHRINKING));
    let mut each = |_: Progress<'_>| if part.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    match shrink(means.lab, &judge, &[], &mut each) {
        Ok(shrunk) => {
            *runs = shrunk.runs;
            Ok(Some(shrunk.smallest).filter(|smallest| *smallest != shrunk.original))
        }
        Err(ShrinkError::Lab(LabError::Spent(_)) | ShrinkError::NeedsJudge | ShrinkError::NotShown) => Ok(None),
        Err(ShrinkError::Lab(error)) => Err(error.into()),
        Err(ShrinkError::Reference(error)) => Err(LabError::Reference(error).into()),
    }
}

/// As many arguments, but with nothing in them: a search can make them longer, but not more.
fn emptied(input: &Input) -> Input {
    let mut empty = input.clone();
    empty.stdin.clear();
    for argument in &mut empty.arguments {
        argument.clear();
    }
    for content in empty.files.values_mut() {
        content.clear();
    }
    empty
}
