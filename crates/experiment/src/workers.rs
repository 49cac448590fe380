//! Worker threads, each with fork servers of its own.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use budget::Budget;
use recording::plan::Plan;

use crate::case::Case;
use crate::core::{cores, stay_on};
use crate::input::Input;
use crate::outcome::{Ran, Right};
use crate::reference::{Reference, ReferenceError};
use crate::sandbox::{Readable, Walls};
use crate::server::{RunLimits, ServerError};
use crate::servers::Servers;

/// A run that is wanted.
pub struct Wanted {
    /// It is told by this.
    pub number: usize,
    /// `None`: what the case has.
    pub input: Option<Arc<Input>>,
    pub plan: Plan,
}

/// Runs one worker makes in a row.
pub struct Batch {
    pub wanted: Vec<Wanted>,
    pub limits: RunLimits,
    /// The runs have this clock in common: up to there they are all the same.
    pub begins_late: Option<u64>,
    /// A program that is run on the same inputs, to know what is right.
    pub reference: Option<Arc<Reference>>,
}

/// A run that was made.
pub struct Done {
    pub ran: Result<Ran, ServerError>,
    /// What the reference did, if there is one.
    pub right: Option<Result<Arc<Right>, ReferenceError>>,
}

impl Batch {
    /// One run from the beginning.
    pub fn of(plan: Plan, limits: RunLimits) -> Batch {
        Batch::of_one(None, plan, limits)
    }

    /// One run from the beginning, on this input.
    pub fn of_one(input: Option<Arc<Input>>, plan: Plan, limits: RunLimits) -> Batch {
        Batch { wanted: vec![Wanted { number: 0, input, plan }], limits, begins_late: None, reference: None }
    }
}

struct Job {
    batch: Batch,
    /// Whose it is.
    asked_by: u64,
    results: Sender<(usize, Done)>,
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<(VecDeque<Job>, IsClosed)>,
    changed: Condvar,
}

type IsClosed = bool;

pub struct Workers {
    queue: Arc<Queue>,
    /// How often they were asked.
    asked: AtomicU64,
    threads: Vec<JoinHandle<()>>,
}

/// How late it is noticed that there is no more time.
const INTERVAL: Duration = Duration::from_millis(20);

impl Workers {
    /// `count` of them; zero: one for each core.
    pub fn start(case: &Case, walls: Walls, readable: &Arc<Readable>, count: usize) -> Workers {
        let cores = cores();
        let queue = Arc::new(Queue::default());
        // Two labs at work at the same time should not both begin with the first core.
        let first = std::process::id() as usize;
        let threads = (0..if count == 0 { cores.len().max(1) } else { count })
            .map(|number| {
                let (case, readable, queue) = (case.clone(), readable.clone(), queue.clone());
                let core = cores.get((first + number) % cores.len().max(1)).copied();
                std::thread::spawn(move || {
                    if let Some(core) = core {
                        stay_on(core);
                    }
                    work(Servers::new(case, walls, readable), &queue);
                })
            })
            .collect();
        Workers { queue, asked: AtomicU64::new(0), threads }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.threads.len()
    }

    /// Makes the one run of a batch.
    pub fn one(&self, batch: Batch, budget: &Budget) -> Result<Ran, ServerError> {
        let mut result = Err(ServerError::Gone);
        self.all(std::iter::once(batch), budget, |_, done| {
            result = done.ran;
            ControlFlow::Continue(())
        });
        result
    }

    /// Gives out batches and tells of runs as they are done, until all are, `each` breaks off, or the budget is spent; what
    /// was begun then is not waited for. Several may ask at the same time.
    pub fn all(
        &self,
        batches: impl Iterator<Item = Batch>,
        budget: &Budget,
        mut each: impl FnMut(usize, Done) -> ControlFlow<()>,
    ) {
        let (results, all_done): (Sender<_>, Receiver<_>) = channel();
        let asked_by = self.asked.fetch_add(1, Ordering::Relaxed);
        {
            let mut jobs = self.queue.lock();
            jobs.0.extend(batches.map(|batch| Job { batch, asked_by, results: results.clone() }));
        }
        drop(results);
        self.queue.changed.notify_all();
        loop {
            let is_enough = match all_done.recv_timeout(INTERVAL) {
                Ok((number, done)) => each(number, done).is_break(),
                Err(RecvTimeoutError::Timeout) => budget.spent().is_some(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if is_enough {
                // Nobody listens any more: workers notice at their next run.
                self.queue.lock().0.retain(|job| job.asked_by != asked_by);
                return;
            }
        }
    }
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, (VecDeque<Job>, IsClosed)> {
        self.jobs.lock().expect("nobody panics holding it")
    }

    /// The next job; `None` when there will be none.
    fn next(&self) -> Option<Job> {
        let mut jobs = self.lock();
        loop {
            if let Some(job) = jobs.0.pop_front() {
                return Some(job);
            }
            if jobs.1 {
                return None;
            }
            jobs = self.changed.wait(jobs).expect("nobody panics holding it");
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let mut jobs = self.queue.lock();
        jobs.0.clear();
        jobs.1 = true;
        drop(jobs);
        self.queue.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A worker that panicked has been told of by the panic itself.
            let _ = thread.join();
        }
    }
}

fn work(mut servers: Servers, queue: &Queue) {
    while let Some(Job { batch, results, .. }) = queue.next() {
        for wanted in &batch.wanted {
            let ran = match &wanted.input {
                None => servers.run(&wanted.plan, batch.begins_late, &batch.limits),
                Some(input) => servers.run_input(input, &wanted.plan, &batch.limits),
            };
            let right = batch.reference.as_ref().zip(wanted.input.as_ref());
            let right = right.map(|(reference, input)| reference.right(input));
            if results.send((wanted.number, Done { ran, right })).is_err() {
                break;
            }
        }
        servers.leave_checkpoint(&batch.limits);
    }
}
