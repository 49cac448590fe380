//! Worker threads, each with a fork server of its own.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use budget::Budget;
use recording::plan::Plan;

use crate::case::Case;
use crate::core::{cores, stay_on};
use crate::outcome::Ran;
use crate::sandbox::{Readable, Walls};
use crate::server::{RunLimits, Server, ServerError};

/// Runs one worker makes in a row.
pub struct Batch {
    /// Each with the number its outcome is told by.
    pub plans: Vec<(usize, Plan)>,
    pub limits: RunLimits,
    /// The runs have this clock in common: up to there they are all the same.
    pub begins_late: Option<u64>,
}

impl Batch {
    /// One run from the beginning.
    pub fn of(plan: Plan, limits: RunLimits) -> Batch {
        Batch { plans: vec![(0, plan)], limits, begins_late: None }
    }
}

struct Job {
    batch: Batch,
    results: Sender<(usize, Result<Ran, ServerError>)>,
}

#[derive(Default)]
struct Queue {
    jobs: Mutex<(VecDeque<Job>, IsClosed)>,
    changed: Condvar,
}

type IsClosed = bool;

pub struct Workers {
    queue: Arc<Queue>,
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
                    work(&Start { case, walls, readable }, &queue);
                })
            })
            .collect();
        Workers { queue, threads }
    }

    /// Makes the one run of a batch.
    pub fn one(&self, batch: Batch, budget: &Budget) -> Result<Ran, ServerError> {
        let mut result = Err(ServerError::Gone);
        self.all(std::iter::once(batch), budget, |_, ran| {
            result = ran;
            ControlFlow::Continue(())
        });
        result
    }

    /// Gives out batches and tells of runs as they are done, until all are, `each` breaks off, or the budget is spent; what
    /// was begun then is not waited for.
    pub fn all(
        &self,
        batches: impl Iterator<Item = Batch>,
        budget: &Budget,
        mut each: impl FnMut(usize, Result<Ran, ServerError>) -> ControlFlow<()>,
    ) {
        let (results, done): (Sender<_>, Receiver<_>) = channel();
        {
            let mut jobs = self.queue.lock();
            jobs.0.extend(batches.map(|batch| Job { batch, results: results.clone() }));
        }
        drop(results);
        self.queue.changed.notify_all();
        loop {
            let is_enough = match done.recv_timeout(INTERVAL) {
                Ok((number, ran)) => each(number, ran).is_break(),
                Err(RecvTimeoutError::Timeout) => budget.spent().is_some(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if is_enough {
                // Nobody listens any more: workers notice at their next run.
                self.queue.lock().0.clear();
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

/// What servers are started with.
struct Start {
    case: Case,
    walls: Walls,
    readable: Arc<Readable>,
}

fn work(start: &Start, queue: &Queue) {
    let mut server: Option<Server> = None;
    while let Some(Job { batch, results }) = queue.next() {
        for (number, plan) in &batch.plans {
            let ran = run(start, &mut server, plan, &batch);
            // A run may have taken its server with it.
            if ran.is_err() || server.as_ref().is_some_and(|server| !server.is_usable()) {
                server = None;
            }
            if results.send((*number, ran)).is_err() {
                break;
            }
        }
        if let Some(at_work) = &mut server
            && at_work.leave_checkpoint(&batch.limits).is_err()
        {
            server = None;
        }
    }
}

fn run(start: &Start, server: &mut Option<Server>, plan: &Plan, batch: &Batch) -> Result<Ran, ServerError> {
    let at_work = match server {
        Some(server) => server,
        None => {
            let Start { case, walls, readable } = start;
            server.insert(Server::start(case, *walls, readable, batch.limits.forks, plan.steady)?)
        }
    };
    if let Some(clock) = batch.begins_late
        && !at_work.has_tried_checkpoint(clock)
    {
        at_work.go_to_checkpoint(clock, &batch.limits)?;
    }
    at_work.run(plan, &batch.limits)
}
