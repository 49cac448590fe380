//! The index of a step, and the step of an index.
//!
//! A run is followed once, leaving the nesting at the beginning of each window. After that the index of any step takes the
//! replay of one window, and so does finding the step that has an index: indices are in the order of execution, so the
//! window is found by comparing.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;

use abi::{BlockId, InstructionId};
use program::Site;
use replay::{ReplayError, Step};

use crate::region::{Kind, Level, Nesting, Observe, Regions};
use execution::{Run, Window};

/// The name of a step by nesting: see `region`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index {
    /// Outermost first; the last is the step itself.
    levels: Vec<Level>,
}

impl Index {
    /// That of an instruction that executes now. None before a function's first block.
    pub fn of(nesting: &Nesting, instruction: InstructionId) -> Option<Index> {
        let mut levels = nesting.levels().to_vec();
        levels.push(nesting.step(instruction)?);
        Some(Index { levels })
    }

    pub fn levels(&self) -> &[Level] {
        &self.levels
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, level) in self.levels.iter().enumerate() {
            let separator = if position == 0 { "" } else { " / " };
            write!(f, "{separator}{level}")?;
        }
        Ok(())
    }
}

/// What has the index of a step in another run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Match {
    Partner(Step),
    /// Nothing: the runs agree on so many levels of the index, and then not.
    Missing {
        agreed: usize,
        why: Missing,
    },
}

/// Why a run has no step of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The branch of the next level went to this block, or is followed by nothing that depends on it.
    OtherOutcome(Option<BlockId>),
    /// The loop of the next level had only so many turns.
    FewerTurns(u32),
    /// The region ended, or the run did, without coming there.
    NotReached,
}

/// A run with the nesting at the beginning of each window.
pub struct Indices<'f, 'r> {
    run: &'f Run<'r>,
    /// What comes before and after the beginning of each window, and the state there.
    windows: Vec<(Vec<Level>, Regions<'f, 'r, ()>)>,
}

impl<'f, 'r> Indices<'f, 'r> {
    pub fn of(run: &'f Run<'r>) -> Result<Indices<'f, 'r>, ReplayError> {
        let mut regions = Regions::new(&run.functions, ());
        let mut windows = Vec::new();
        for window in (0..=run.last_window().0).map(Window) {
            windows.push((regions.boundary(), regions.snapshot(())));
            regions = run.replay(window, regions)?;
        }
        Ok(Indices { run, windows })
    }

    /// The index of a step; none if the run has no such step.
    pub fn index_of(&self, at: Step) -> Result<Option<Index>, ReplayError> {
        // A window may begin with the clock the one before ended with.
        let (first, last) = (self.run.window_at(at.clock), self.run.window_at(at.clock + 1));
        for window in (first.0..=last.0).map(Window) {
            let named = Naming { wanted: at, found: None };
            if let Some(index) = self.replay(window, named)?.found {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// The step of this run that has an index (algorithm 1 of Zhang et al.). The paper walks outwards from the switched
    /// predicate and then inwards, sibling by sibling; with indices that are in order, one pass over a window's steps
    /// does the same, and needs no predicate to start from.
    pub fn partner(&self, index: &Index) -> Result<Match, ReplayError> {
        let mut seek = Seek::new(index);
        // The last window before which the index has surely not been.
        let after = self.windows.partition_point(|(boundary, _)| boundary[..] <= *index.levels());
        let first = after.saturating_sub(1);
        for window in (first..self.windows.len()).map(Window) {
            seek = self.replay(window, seek)?;
            if seek.is_over {
                break;
            }
        }
        Ok(seek.result())
    }

    fn replay<V: Observe>(&self, window: Window, visitor: V) -> Result<V, ReplayError> {
        let observer = self.windows[window.0].1.snapshot(visitor);
        Ok(self.run.replay(window, observer)?.visitor)
    }
}

/// The indices of many steps, in one pass over the run. Steps that it has not have none.
pub fn indices_of(run: &Run<'_>, steps: &HashSet<Step>) -> Result<HashMap<Step, Index>, ReplayError> {
    let last = steps.iter().map(|step| step.clock).max().unwrap_or(0);
    let mut regions = Regions::new(&run.functions, NamingMany { wanted: steps, found: HashMap::new() });
    // A window may begin with the clock the one before ended with.
    for window in (0..=run.window_at(last + 1).0).map(Window) {
        regions = run.replay(window, regions)?;
    }
    Ok(regions.visitor.found)
}

/// The steps of this run that have these indices, in one pass over it; the indices are those of `indices_of`.
pub fn partners_of(run: &Run<'_>, indices: &HashMap<Step, Index>) -> Result<HashMap<Step, Step>, ReplayError> {
    let mut wanted: HashMap<_, Vec<_>> = HashMap::new();
    for (step, index) in indices {
        wanted.entry(step.site).or_default().push((index, *step));
    }
    let seeking = SeekingMany { wanted, rest: indices.len(), found: HashMap::new() };
    let mut regions = Regions::new(&run.functions, seeking);
    for window in (0..=run.last_window().0).map(Window) {
        regions = run.replay(window, regions)?;
        if regions.visitor.rest == 0 {
            break;
        }
    }
    Ok(regions.visitor.found)
}

struct NamingMany<'a> {
    wanted: &'a HashSet<Step>,
    found: HashMap<Step, Index>,
}

impl Observe for NamingMany<'_> {
    const EVERY_STEP: bool = true;

    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        if self.wanted.contains(&at) && !nesting.is_of_handler() {
            self.found.extend(Index::of(nesting, at.site.instruction).map(|index| (at, index)));
        }
    }
}

struct SeekingMany<'a> {
    /// By site: indices, and whose they are in the other run.
    wanted: HashMap<Site, Vec<(&'a Index, Step)>>,
    rest: usize,
    found: HashMap<Step, Step>,
}

impl Observe for SeekingMany<'_> {
    const EVERY_STEP: bool = true;

    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        let Some(wanted) = self.wanted.get(&at.site) else { return };
        let Some(step) = nesting.step(at.site.instruction).filter(|_| !nesting.is_of_handler()) else { return };
        let levels = nesting.levels();
        let is_it =
            |index: &Index| index.levels.split_last().is_some_and(|(last, outer)| *last == step && outer == levels);
        if let Some((_, whose)) = wanted.iter().find(|(index, _)| is_it(index)) {
            self.rest -= usize::from(self.found.insert(*whose, at).is_none());
        }
    }
}

/// Waits for a step and takes its index.
struct Naming {
    wanted: Step,
    found: Option<Index>,
}

impl Observe for Naming {
    const EVERY_STEP: bool = true;

    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        if at == self.wanted && !nesting.is_of_handler() {
            self.found = Index::of(nesting, at.site.instruction);
        }
    }
}

/// Waits for the step that has an index.
struct Seek<'a> {
    wanted: &'a [Level],
    found: Option<Step>,
    is_over: bool,
    agreed: usize,
    why: Missing,
}

impl<'a> Seek<'a> {
    fn new(index: &'a Index) -> Seek<'a> {
        Seek { wanted: index.levels(), found: None, is_over: false, agreed: 0, why: Missing::NotReached }
    }

    fn result(self) -> Match {
        match self.found {
            Some(at) => Match::Partner(at),
            None => Match::Missing { agreed: self.agreed, why: self.why },
        }
    }

    /// What the run did where the index has its next level.
    fn note(&mut self, agreed: usize, instead: Level) {
        if agreed > self.agreed {
            self.agreed = agreed;
            self.why = Missing::NotReached;
        }
        let Some(wanted) = self.wanted.get(agreed).filter(|_| agreed == self.agreed) else { return };
        let same_place = (wanted.position, wanted.place) == (instead.position, instead.place);
        match (wanted.kind, instead.kind) {
            (Kind::Turn(_), Kind::Turn(turn)) if same_place => self.why = Missing::FewerTurns(turn),
            (Kind::Outcome(_), Kind::Outcome(to)) if same_place => self.why = Missing::OtherOutcome(Some(to)),
            (Kind::Outcome(_), Kind::Step) if same_place => self.why = Missing::OtherOutcome(None),
            _ => {}
        }
    }
}

impl Observe for Seek<'_> {
    const EVERY_STEP: bool = true;

    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        if self.is_over || nesting.is_of_handler() {
            return;
        }
        let Some(step) = nesting.step(at.site.instruction) else { return };
        let path = || nesting.levels().iter().copied().chain([step]);
        let agreed = path().zip(self.wanted).take_while(|(a, b)| a == *b).count();
        match path().nth(agreed) {
            None if agreed == self.wanted.len() => {
                self.found = Some(at);
                self.is_over = true;
            }
            None => {}
            Some(instead) => {
                let order = self.wanted.get(agreed).map_or(Ordering::Greater, |wanted| instead.cmp(wanted));
                if order == Ordering::Less || agreed >= self.agreed {
                    self.note(agreed, instead);
                }
                self.is_over = order == Ordering::Greater;
            }
        }
    }
}
