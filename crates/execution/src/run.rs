//! A recorded run, cut into windows that can be examined one by one, in any order, by several threads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use abi::StreamId;
use budget::Budget;
use program::potential::Potential;
use program::{FunctionKey, Site};
use replay::{
    Checkpoint, Image, Observer, ReplayError, Step, Summary, replay_window, replay_window_inlined,
    replay_with_checkpoints,
};

use crate::allocations::{Allocations, Noting};
use crate::functions::Functions;
use crate::trace::{Trace, Tracer};

/// Ticks in a window; the trace of one takes some megabytes.
const WINDOW: u64 = 1 << 18;
/// A longer run has longer windows: each checkpoint keeps the pages written since the one before.
const MOST_WINDOWS: u64 = 256;

pub struct Run<'r> {
    pub functions: Functions<'r>,
    pub stream: StreamId,
    /// How the replay ended.
    pub summary: Summary,
    /// What it allocated.
    pub allocations: Allocations,
    checkpoints: Vec<Checkpoint>,
}

/// A window of a run: between two checkpoints, or the run's ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Window(pub usize);

impl<'r> Run<'r> {
    /// Replays the run once, quickly, leaving checkpoints.
    pub fn new(image: &'r Image<'r>, stream: StreamId) -> Result<Run<'r>, ReplayError> {
        let last = image.recording.stream(stream).and_then(|s| s.last).map_or(0, |last| last.clock);
        let interval = WINDOW.max(last / MOST_WINDOWS);
        Run::with_windows(image, stream, interval)
    }

    /// With windows of about `interval` ticks.
    pub fn with_windows(image: &'r Image<'r>, stream: StreamId, interval: u64) -> Result<Run<'r>, ReplayError> {
        let (summary, checkpoints, noting) = replay_with_checkpoints(image, stream, interval, Noting::default())?;
        Ok(Run { functions: Functions::new(image), stream, summary, allocations: noting.finish(), checkpoints })
    }

    pub fn image(&self) -> &'r Image<'r> {
        self.functions.image()
    }

    /// What could have been defined where: facts about the program's text, for potential dependences.
    pub fn potential(&self) -> Result<Potential<'r>, ReplayError> {
        self.potential_within(&self.image().budget)
    }

    /// The same, given up when this budget is spent: of a large program it takes long.
    pub fn potential_within(&self, budget: &Budget) -> Result<Potential<'r>, ReplayError> {
        let count = self.image().recording.modules().len();
        let modules =
            (0..count).map(|module| self.image().module(module).map(|m| &**m)).collect::<Result<Vec<_>, _>>()?;
        Ok(Potential::of(&modules, budget)?)
    }

    pub fn last_window(&self) -> Window {
        Window(self.checkpoints.len())
    }

    /// The window in which the clock has this value for the last time.
    pub fn window_at(&self, clock: u64) -> Window {
        Window(self.checkpoints.partition_point(|checkpoint| checkpoint.clock < clock))
    }

    /// The clock when a window begins; `None` for the first.
    pub fn begins_at(&self, window: Window) -> Option<u64> {
        self.start(window).map(|checkpoint| checkpoint.clock)
    }

    fn start(&self, window: Window) -> Option<&Checkpoint> {
        window.0.checked_sub(1).map(|before| &self.checkpoints[before])
    }

    /// The functions on the stack at the end of a window, outermost first; see [`Checkpoint::stack`].
    pub fn stack_after(&self, window: Window) -> Vec<(Site, bool)> {
        match self.checkpoints.get(window.0) {
            Some(end) => end.stack().collect(),
            None => {
                // Signal handlers are not in the traces.
                let sites = self.summary.stack.iter().copied();
                let all = sites.zip(self.summary.entered_from_outside.iter().copied());
                all.skip(self.summary.in_handlers).collect::<Vec<_>>().into_iter().rev().collect()
            }
        }
    }

    /// The instruction the run ended at, if it did not return from its first function.
    pub fn end(&self) -> Option<Step> {
        let stack = self.stack_after(self.last_window());
        let &(site, _) = stack.last()?;
        Some(Step { clock: self.summary.clock, depth: stack.len() as u32, site })
    }

    /// The functions on the stack where a window begins, outermost first; see [`Checkpoint::stack`].
    pub fn stack_before(&self, window: Window) -> Vec<(Site, bool)> {
        self.start(window).into_iter().flat_map(|checkpoint| checkpoint.stack()).collect()
    }

    /// Replays from the beginning of a window to the end of the run, with an interpreter of its own for this observer.
    pub fn replay_from<O: Observer>(&self, window: Window, observer: O) -> Result<(Summary, O), ReplayError> {
        replay_window_inlined(self.image(), self.stream, self.start(window), None, observer)
    }

    /// These steps, by the windows they are in.
    pub fn by_window(&self, steps: &BTreeSet<Step>) -> Vec<(Window, BTreeSet<Step>)> {
        let mut all = Vec::new();
        let mut rest = steps.iter().copied().peekable();
        while let Some(first) = rest.peek() {
            let window = self.window_at(first.clock);
            let mut within = BTreeSet::new();
            while let Some(step) = rest.next_if(|step| self.window_at(step.clock) == window) {
                within.insert(step);
            }
            all.push((window, within));
        }
        all
    }

    /// Replays a window with an observer.
    pub fn replay<O: Observer>(&self, window: Window, observer: O) -> Result<O, ReplayError> {
        let (from, to) = (self.start(window), self.checkpoints.get(window.0));
        let (_, observer) = replay_window(self.image(), self.stream, from, to, observer)?;
        Ok(observer)
    }

    pub fn trace(&self, window: Window) -> Result<Trace, ReplayError> {
        let start = self.start(window);
        let stack = start.into_iter().flat_map(|checkpoint| checkpoint.stack());
        let tracer = Tracer::new(&self.functions, stack, start.map_or(0, |checkpoint| checkpoint.clock));
        let to = self.checkpoints.get(window.0);
        let (_, tracer) = replay_window_inlined(self.image(), self.stream, start, to, tracer)?;
        Ok(tracer.finish())
    }

    /// Replays all windows, several at a time, each with an observer of its own, made from the functions on the stack
    /// when it begins (outermost first). The observers come back in the order of the windows.
    pub fn forwards<O: Observer + Send>(
        &self,
        make: impl Fn(Window, Vec<FunctionKey>) -> O + Sync,
    ) -> Result<Vec<O>, ReplayError> {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let count = self.checkpoints.len() + 1;
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, O)>, ReplayError> {
            let mut done = Vec::new();
            loop {
                let window = next.fetch_add(1, Ordering::Relaxed);
                if window >= count {
                    return Ok(done);
                }
                let stack = self.start(Window(window)).into_iter().flat_map(|checkpoint| checkpoint.stack());
                let stack = stack.map(|(site, _)| site.function).collect();
                done.push((window, self.replay(Window(window), make(Window(window), stack))?));
            }
        };
        let mut done = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..cores.min(count)).map(|_| scope.spawn(work)).collect();
            let mut all = Vec::new();
            for worker in workers {
                match worker.join() {
                    Ok(done) => all.extend(done?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok::<_, ReplayError>(all)
        })?;
        done.sort_by_key(|(window, _)| *window);
        Ok(done.into_iter().map(|(_, observer)| observer).collect())
    }

    /// Gives `visit` the traces of `last` and of all windows before it, backwards, until it breaks off. Traces are
    /// made ahead by as many threads as there are cores; only so many exist at a time.
    pub fn backwards<E: From<ReplayError>>(
        &self,
        last: Window,
        mut visit: impl FnMut(Window, &Trace) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let workers = cores.min(last.0 + 1);
        if workers < 2 {
            for window in (0..=last.0).rev().map(Window) {
                if visit(window, &self.trace(window)?)?.is_break() {
                    break;
                }
            }
            return Ok(());
        }
        let (taken, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(workers);
            for _ in 0..workers {
                let (sender, taken, is_over) = (sender.clone(), &taken, &is_over);
                scope.spawn(move || {
                    loop {
                        let turn = taken.fetch_add(1, Ordering::Relaxed);
                        if turn > last.0 || is_over.load(Ordering::Relaxed) {
                            return;
                        }
                        // Nobody listens any more: the walk is over.
                        if sender.send((turn, self.trace(Window(last.0 - turn)))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut walk = || -> Result<(), E> {
                for turn in 0..=last.0 {
                    let trace = loop {
                        if let Some(trace) = early.remove(&turn) {
                            break trace;
                        }
                        match receiver.recv() {
                            Ok((other, trace)) => early.insert(other, trace),
                            // Every worker has gone without sending this turn's, which none does.
                            Err(_) => return Ok(()),
                        };
                    };
                    if visit(Window(last.0 - turn), &trace?)?.is_break() {
                        return Ok(());
                    }
                }
                Ok(())
            };
            let result = walk();
            is_over.store(true, Ordering::Relaxed);
            drop(receiver);
            result
        })
    }
}
