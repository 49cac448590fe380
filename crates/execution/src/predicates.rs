//! The predicates of a run: every branching step of the program's own code, with the way it went.

use std::collections::{BTreeSet, HashMap};

use program::{Op, Site};
use replay::{Observed, Observer, ReplayError, Step};

use crate::functions::Functions;
use crate::run::{Run, Window};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    pub at: Step,
    /// What it branched on: 0 or 1, or a switch's value.
    pub value: u64,
    /// The how many-th execution of its site this is, from 1.
    pub occurrence: u64,
}

#[derive(Default, Debug)]
pub struct Predicates {
    /// In the order of execution.
    pub steps: Vec<Predicate>,
    /// How many there are.
    pub total: u64,
}

/// The latest `most` predicates. Code of library twins and signal handlers is left out.
pub fn predicates(run: &Run<'_>, most: usize) -> Result<Predicates, ReplayError> {
    choose(run, Choice::Latest(most))
}

/// The first `most` predicates from this clock on.
pub fn predicates_since(run: &Run<'_>, clock: u64, most: usize) -> Result<Predicates, ReplayError> {
    choose(run, Choice::Since(clock, most))
}

/// Those of the steps that are predicates, in the order of execution.
pub fn predicates_at(run: &Run<'_>, steps: &BTreeSet<Step>) -> Result<Vec<Predicate>, ReplayError> {
    let seen = || Wanted { steps, occurrences: steps.iter().map(|step| (step.site, 0)).collect(), found: Vec::new() };
    let watchers = run.forwards(|_, _| Watcher { functions: &run.functions, seen: seen() })?;
    let (mut all, mut before): (Vec<Predicate>, HashMap<Site, u64>) = Default::default();
    for Watcher { seen: Wanted { occurrences, found, .. }, .. } in watchers {
        let earlier = |site: &Site| before.get(site).copied().unwrap_or(0);
        all.extend(
            found.into_iter().map(|one| Predicate { occurrence: one.occurrence + earlier(&one.at.site), ..one }),
        );
        for (site, count) in occurrences {
            *before.entry(site).or_default() += count;
        }
    }
    Ok(all)
}

/// Counts executions of the sites of some steps.
struct Wanted<'s> {
    steps: &'s BTreeSet<Step>,
    occurrences: HashMap<Site, u64>,
    found: Vec<Predicate>,
}

impl See for Wanted<'_> {
    fn see(&mut self, at: Step, value: u64) {
        let Some(occurrence) = self.occurrences.get_mut(&at.site) else { return };
        *occurrence += 1;
        if self.steps.contains(&at) {
            self.found.push(Predicate { at, value, occurrence: *occurrence });
        }
    }
}

enum Choice {
    Latest(usize),
    Since(u64, usize),
}

fn choose(run: &Run<'_>, choice: Choice) -> Result<Predicates, ReplayError> {
    let counters = run.forwards(|_, _| Watcher { functions: &run.functions, seen: Count::default() })?;
    let total = counters.iter().map(|counter| counter.seen.total).sum();
    // How often each site has been executed when a window begins.
    let mut before = vec![HashMap::new()];
    for counter in &counters {
        let mut now: HashMap<_, u64> = before.last().cloned().unwrap_or_default();
        for (&site, count) in &counter.seen.by_site {
            *now.entry(site).or_default() += count;
        }
        before.push(now);
    }
    let mut look = |window: usize| -> Result<Vec<Predicate>, ReplayError> {
        let seen = List { occurrences: std::mem::take(&mut before[window]), steps: Vec::new() };
        Ok(run.replay(Window(window), Watcher { functions: &run.functions, seen })?.seen.steps)
    };
    let mut steps = Vec::new();
    match choice {
        Choice::Latest(most) => {
            let mut windows = Vec::new();
            let mut count = 0;
            for window in (0..counters.len()).rev() {
                if count >= most {
                    break;
                }
                let list = look(window)?;
                count += list.len();
                windows.push(list);
            }
            steps.extend(windows.into_iter().rev().flatten());
            steps.drain(..steps.len().saturating_sub(most));
        }
        Choice::Since(clock, most) => {
            for window in run.window_at(clock).0..counters.len() {
                if steps.len() >= most {
                    break;
                }
                steps.extend(look(window)?.into_iter().filter(|predicate| predicate.at.clock >= clock));
            }
            steps.truncate(most);
        }
    }
    Ok(Predicates { steps, total })
}

trait See {
    fn see(&mut self, at: Step, value: u64);
}

#[derive(Default)]
struct Count {
    by_site: HashMap<Site, u64>,
    total: u64,
}

impl See for Count {
    fn see(&mut self, at: Step, _: u64) {
        *self.by_site.entry(at.site).or_default() += 1;
        self.total += 1;
    }
}

struct List {
    occurrences: HashMap<Site, u64>,
    steps: Vec<Predicate>,
}

impl See for List {
    fn see(&mut self, at: Step, value: u64) {
        let occurrence = self.occurrences.entry(at.site).or_default();
        *occurrence += 1;
        self.steps.push(Predicate { at, value, occurrence: *occurrence });
    }
}

struct Watcher<'a, 'r, S> {
    functions: &'a Functions<'r>,
    seen: S,
}

impl<S: See> Observer for Watcher<'_, '_, S> {
    fn step(&mut self, step: &Observed<'_>) {
        let value = match &step.instruction().op {
            Op::Branch { condition, .. } => step.went_on_with(condition),
            Op::Switch { value, .. } => step.went_on_with(value),
            _ => return,
        };
        let Some(&value) = value.first() else { return };
        let at = step.step();
        if !self.functions.is_twin(at.site.function) {
            self.seen.see(at, value);
        }
    }
}
