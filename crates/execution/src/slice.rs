//! Backward slices: every step that a wish depends on, counted by site.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use abi::InstructionId;
use budget::Budget;
use program::FunctionKey;
use replay::{ReplayError, Step};

use crate::criterion::Criterion;
use crate::dependence::{Demand, Follow, Mark, Root, Slot, Source, Walk, WalkError};
use crate::functions::Functions;
use crate::run::{Run, Window};

/// How often each site of a function is in a slice.
pub type Counts = HashMap<FunctionKey, Vec<u32>>;

#[derive(Debug, thiserror::Error)]
pub enum SliceError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Walk(#[from] WalkError),
}

/// The steps a criterion depends on, and its own.
#[derive(Default, Debug)]
pub struct Slice {
    pub counts: Counts,
    /// How many steps there are.
    pub steps: u64,
    /// The latest steps, if they were asked for.
    pub listed: Vec<Step>,
    /// Bytes of memory whose contents came from before the run, or from nobody seen.
    pub initial: u64,
    pub unseen: u64,
    /// Outside functions of which nothing is known, and how often what they did mattered.
    pub unknown: HashMap<String, u64>,
    /// More happened before this clock that was not looked at.
    pub cut: Option<u64>,
}

/// How far back from its criterion a walk goes, in ticks of the clock; it ends at the border of a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach(pub u64);

impl Reach {
    pub const ALL: Reach = Reach(u64::MAX);
}

impl Slice {
    pub fn contains(&self, function: FunctionKey, instruction: InstructionId) -> bool {
        self.counts.get(&function).is_some_and(|counts| counts[instruction.index()] > 0)
    }

    /// How many of the steps are not in twins of library functions.
    pub fn own_steps(&self, functions: &Functions<'_>) -> u64 {
        let own = self.counts.iter().filter(|(function, _)| !functions.is_twin(**function));
        own.flat_map(|(_, counts)| counts).map(|&count| u64::from(count)).sum()
    }
}

/// Counts; whoever wants a place is the slice.
#[derive(Default)]
struct Counter {
    counts: Vec<Vec<u32>>,
    slice: Slice,
    list: usize,
}

const SLICE: Mark = Mark(1);

impl Counter {
    fn count(&mut self, at: Step, slot: Slot) {
        let slot = slot.0 as usize;
        if self.counts.len() <= slot {
            self.counts.resize_with(slot + 1, Vec::new);
        }
        let counts = &mut self.counts[slot];
        if counts.len() <= at.site.instruction.index() {
            counts.resize(at.site.instruction.index() + 1, 0);
        }
        counts[at.site.instruction.index()] += 1;
        self.slice.steps += 1;
        if self.slice.listed.len() < self.list {
            self.slice.listed.push(at);
        }
    }
}

impl Demand for Counter {
    fn pass(&mut self, at: Step, slot: Slot, _: Mark) -> Mark {
        self.count(at, slot);
        SLICE
    }

    fn meet(&mut self, at: Step, slot: Slot, _: Mark, _: Mark) -> Mark {
        self.count(at, slot);
        SLICE
    }

    fn merge(&mut self, a: Mark, _: Mark) -> Mark {
        a
    }

    fn end(&mut self, source: Source, _: Mark) {
        match source {
            Source::Initial => self.slice.initial += 1,
            Source::Unseen => self.slice.unseen += 1,
            Source::Start => {}
        }
    }

    fn unknown(&mut self, _: Step, name: &str) {
        *self.slice.unknown.entry(name.to_owned()).or_default() += 1;
    }
}

/// A walk back over a run, as it is asked for: where it begins, how far it goes, and how long it may take.
#[derive(Clone)]
pub struct Request<'a> {
    criterion: Option<&'a Criterion>,
    roots: Vec<Root>,
    choices: HashSet<Step>,
    reach: Reach,
    since: Option<u64>,
    /// `None`: that of the run's image.
    budget: Option<&'a Budget>,
}

impl<'a> Request<'a> {
    /// From a criterion to the beginning of the run, or to where nothing is wanted any more.
    pub fn of(criterion: &'a Criterion) -> Request<'a> {
        let (criterion, roots, choices) = (Some(criterion), Vec::new(), HashSet::new());
        Request { criterion, roots, choices, reach: Reach::ALL, since: None, budget: None }
    }

    /// From these steps only.
    pub fn of_roots(roots: Vec<Root>) -> Request<'a> {
        Request { criterion: None, roots, choices: HashSet::new(), reach: Reach::ALL, since: None, budget: None }
    }

    /// From these steps as well.
    pub fn and(self, roots: Vec<Root>) -> Request<'a> {
        Request { roots, ..self }
    }

    pub fn within(self, reach: Reach) -> Request<'a> {
        Request { reach, ..self }
    }

    /// From these choices as well, wanted like the criterion: they decided about something that is no value of the program's.
    pub fn and_choices(self, choices: HashSet<Step>) -> Request<'a> {
        Request { choices, ..self }
    }

    /// No further back than to the window that has this clock.
    pub fn since(self, clock: u64) -> Request<'a> {
        Request { since: Some(clock), ..self }
    }

    /// Only as long as there is time: see [`Walk::cut`].
    pub fn budget(self, budget: &'a Budget) -> Request<'a> {
        Request { budget: Some(budget), ..self }
    }

    /// Every step that is met, counted. `list`: how many steps to list, from the latest on.
    pub fn slice(self, run: &Run<'_>, follow: Follow<'_>, list: usize) -> Result<Slice, SliceError> {
        let criterion = self.criterion;
        let counter = Counter { list, ..Counter::default() };
        let walk = self.walk(run, Walk::new(&run.functions, follow, counter), |_| SLICE)?;
        let (keys, mut counter, cut) = (walk.keys, walk.demand, walk.cut);
        let mut slice = std::mem::take(&mut counter.slice);
        slice.cut = cut;
        for (key, mut counts) in keys.into_iter().zip(counter.counts) {
            counts.resize(run.functions.function(key).instructions.len(), 0);
            slice.counts.insert(key, counts);
        }
        // A step does not depend on itself, but whoever asks about it looks for it.
        if let Some(at) = criterion.and_then(|criterion| criterion.step(run)) {
            let count = run.functions.function(at.site.function).instructions.len();
            let counts = slice.counts.entry(at.site.function).or_insert_with(|| vec![0; count]);
            counts[at.site.instruction.index()] += 1;
            slice.steps += 1;
            if list > 0 {
                slice.listed.insert(0, at);
                slice.listed.truncate(list);
            }
        }
        Ok(slice)
    }

    /// Takes a walk. `mark` tells who wants what the criterion names.
    pub fn walk<'f, D: Demand>(
        self,
        run: &'f Run<'_>,
        mut walk: Walk<'f, D>,
        mut mark: impl FnMut(&mut D) -> Mark,
    ) -> Result<Walk<'f, D>, SliceError> {
        let Request { criterion, mut roots, choices, reach, since, budget } = self;
        let latest = roots.iter().map(|root| root.at.clock).max().unwrap_or(0);
        let (last, clock) = match criterion {
            Some(Criterion::End { .. }) => (run.last_window(), run.summary.clock),
            Some(Criterion::Step { at, .. }) => (run.window_at(at.clock.max(latest)), at.clock),
            None => (run.window_at(latest), latest),
        };
        let earliest = since.unwrap_or_else(|| clock.saturating_sub(reach.0));
        walk.begin(run.stack_after(last).into_iter());
        if let Some(criterion) = criterion {
            let root = mark(&mut walk.demand);
            walk.want_choices(choices, root);
            match criterion {
                Criterion::End { wishes } => walk.want_at_top(wishes, root),
                Criterion::Step { at, wishes, or } => {
                    roots.push(Root { at: *at, wishes: wishes.clone(), mark: root });
                    roots.extend(or.iter().map(|(at, wishes)| Root { at: *at, wishes: wishes.clone(), mark: root }));
                }
            }
        }
        walk.set_roots(roots);
        back(run, last, &mut walk, earliest, budget.unwrap_or(&run.image().budget))?;
        Ok(walk)
    }
}

/// Walks over windows from `last` on, no further than to one that begins at `earliest` or before. Zero: to the beginning.
/// Without time for more it ends where it is. Then `cut` of the walk is the clock at which it was left.
fn back<'f, D: Demand>(
    run: &'f Run<'_>,
    last: Window,
    walk: &mut Walk<'f, D>,
    earliest: u64,
    budget: &Budget,
) -> Result<(), SliceError> {
    walk.budget = budget.clone();
    let mut cut = None;
    // Where the walk is, once it has begun.
    let mut at = None;
    let walked = run.backwards(last, |window, trace| -> Result<_, SliceError> {
        if walk.window(trace)?.is_break() {
            cut = Some(walk.clock());
            return Ok(ControlFlow::Break(()));
        }
        if walk.is_over() {
            return Ok(ControlFlow::Break(()));
        }
        at = run.begins_at(window);
        let is_enough = walk.demand.is_full() || budget.is_over();
        cut = at.filter(|&clock| clock <= earliest || is_enough);
        Ok(if cut.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    match walked {
        // What was found until then is right.
        Err(SliceError::Replay(ReplayError::Spent(_))) if at.is_some() => cut = at,
        other => other?,
    }
    if cut.is_none() {
        walk.finish();
    }
    walk.cut = cut;
    Ok(())
}
