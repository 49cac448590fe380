//! One look along the whole run: how often each site was executed, and the how many-th execution chosen steps were.

use std::collections::{BTreeSet, HashMap};

use execution::Run;
use program::{FunctionKey, Op};
use replay::{Observed, Observer, ReplayError, Step};

#[derive(Default)]
pub struct Seen {
    /// By function, then by instruction.
    pub counts: HashMap<FunctionKey, Vec<u64>>,
    /// Of the steps that were asked for: which execution of its site it was, from 1.
    pub executions: HashMap<Step, u64>,
    /// The step that each clock asked for belongs to, and what it branched on or stored.
    pub at_clock: HashMap<u64, (Step, u64)>,
}

/// Looks for these steps, and for whatever can be intervened on at these clocks.
pub fn observe(run: &Run<'_>, steps: &BTreeSet<Step>, clocks: &BTreeSet<u64>) -> Result<Seen, ReplayError> {
    let mut wanted: Vec<u64> = steps.iter().map(|step| step.clock).chain(clocks.iter().copied()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let watchers = run.forwards(|_, _| Watcher {
        steps,
        clocks,
        wanted: &wanted,
        next: None,
        current: None,
        seen: Seen::default(),
    })?;
    let mut all = Seen::default();
    for watcher in watchers {
        let Seen { counts, executions, at_clock } = watcher.seen;
        for (step, within) in executions {
            let before = all.counts.get(&step.site.function).map_or(0, |counts| counts[step.site.instruction.index()]);
            all.executions.insert(step, before + within);
        }
        for (function, counts) in counts {
            let sum = all.counts.entry(function).or_insert_with(|| vec![0; counts.len()]);
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        all.at_clock.extend(at_clock);
    }
    // An instruction that ends the run, by a crash, is not told of.
    if let Some(end) = run.end() {
        let length = run.functions.function(end.site.function).instructions.len();
        all.counts.entry(end.site.function).or_insert_with(|| vec![0; length])[end.site.instruction.index()] += 1;
    }
    Ok(all)
}

struct Watcher<'a> {
    steps: &'a BTreeSet<Step>,
    clocks: &'a BTreeSet<u64>,
    /// Clocks at which something is looked for, in order.
    wanted: &'a [u64],
    /// The first of these that is not over; unknown at the beginning.
    next: Option<usize>,
    /// The function of the latest step, by where it is: most have the same as the one before.
    current: Option<(usize, FunctionKey)>,
    seen: Seen,
}

impl Observer for Watcher<'_> {
    fn step(&mut self, step: &Observed<'_>) {
        let function = std::ptr::from_ref(step.function()).addr();
        let key = match self.current {
            Some((last, key)) if last == function => key,
            _ => step.step().site.function,
        };
        self.current = Some((function, key));
        let length = step.function().instructions.len();
        let counts = self.seen.counts.entry(key).or_insert_with(|| vec![0; length]);
        let count = &mut counts[step.id().index()];
        *count += 1;
        let count = *count;
        let mut next = self.next.unwrap_or_else(|| self.wanted.partition_point(|clock| *clock < step.clock));
        while self.wanted.get(next).is_some_and(|clock| *clock < step.clock) {
            next += 1;
        }
        self.next = Some(next);
        if self.wanted.get(next) == Some(&step.clock) {
            self.look(step, count);
        }
    }
}

impl Watcher<'_> {
    fn look(&mut self, step: &Observed<'_>, count: u64) {
        let at = step.step();
        if self.steps.contains(&at) {
            self.seen.executions.insert(at, count);
        }
        let operand = match &step.instruction().op {
            Op::Branch { condition, .. } => condition,
            Op::Switch { value, .. } | Op::Store { value, .. } => value,
            _ => return,
        };
        if self.clocks.contains(&step.clock) {
            let value = step.went_on_with(operand).first().copied().unwrap_or(0);
            self.seen.at_clock.entry(step.clock).or_insert((at, value));
        }
    }
}
