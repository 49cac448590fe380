//! The lab: a case that fails, ready to be run again with changes, on all cores.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use budget::Budget;
use recording::plan::{Intervention, Locals, Plan, Steady};

use crate::case::Case;
use crate::error::LabError;
use crate::limits::Limits;
use crate::oracle::{Oracle, Verdict};
use crate::outcome::{End, Outcome, Ran};
use crate::recorded_run::{Recordings, Surroundings, record_run};
use crate::reference::Reference;
use crate::remembered::Remembered;
use crate::sandbox::{Noting, Readable, Walls};
use crate::server::{RunLimits, ServerError};
use crate::whole_run::Extent;
use crate::workers::{Batch, Wanted, Workers};

/// The failing run, unchanged.
pub struct Baseline {
    pub recording: PathBuf,
    pub ran: Ran,
    /// The clock of its first thread at the end.
    pub clock: u64,
}

pub struct Lab {
    pub(crate) case: Case,
    pub(crate) oracle: Oracle,
    pub(crate) walls: Walls,
    /// What changed runs may read.
    pub(crate) readable: Arc<Readable>,
    /// What the failing run would have changed outside the sandbox.
    pub(crate) blocked: Vec<PathBuf>,
    /// What the sandbox refused to changed runs, with the number of these runs.
    pub(crate) refused: Mutex<BTreeMap<Refusal, usize>>,
    pub(crate) limits: Limits,
    pub(crate) run_limits: RunLimits,
    /// Ticks a run may take.
    pub(crate) budget: u64,
    pub(crate) steady: Steady,
    pub(crate) baseline: Baseline,
    /// How much of the failing run was recorded.
    pub(crate) extent: Extent,
    /// What all its runs may take together.
    pub(crate) spending: Budget,
    /// Where the first line that is wrong in the failing run's output ends in the expected one.
    pub(crate) first_wrong_ends: Option<usize>,
    pub(crate) workers: Workers,
    /// What is right on other inputs.
    pub(crate) reference: Option<Arc<Reference>>,
    pub(crate) known: Mutex<HashMap<Vec<Intervention>, Outcome>>,
    /// What is known from earlier, and for later.
    pub(crate) remembered: Mutex<Option<Remembered>>,
    /// Holds recordings until the lab closes.
    pub(crate) recordings: Recordings,
}

/// Why a run showed nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refusal {
    /// It took its fork server with it.
    Lost,
    /// The system call of this name.
    Call(String),
    /// To read this file, or to change it.
    File(PathBuf),
    /// The program does not start on this input, for this reason.
    Start(String),
}

/// How a series of experiments went.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tried {
    /// Outcomes that were told.
    pub count: usize,
    /// Of these, runs that were made; the others were known.
    pub runs: usize,
}

impl Lab {
    pub fn case(&self) -> &Case {
        &self.case
    }

    pub fn baseline(&self) -> &Baseline {
        &self.baseline
    }

    pub fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// What locals are filled with before they are assigned, in all runs, since without that the case does not always fail.
    pub fn fills_locals(&self) -> Option<u8> {
        match self.steady.locals {
            Locals::AsFound => None,
            Locals::Filled(byte) => Some(byte),
        }
    }

    /// How long a run may take.
    pub fn patience(&self) -> Duration {
        self.run_limits.patience
    }

    /// Where the failing run does something else in the sandbox than outside, and what mends that, in sentences.
    pub fn caveats(&self) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(file) = self.blocked.first() {
            let others = match self.blocked.len() - 1 {
                0 => String::new(),
                count => format!(" and {count} more"),
            };
            all.push(format!(
                "the program changes {}{others}, which the sandbox prevents, so the failure explained here may be a different \
                 one; use --dir DIR to give each run its own copy of a directory to work in",
                file.display()
            ));
        }
        if !self.baseline.ran.calls_refused.is_empty() {
            let calls = &self.baseline.ran.calls_refused;
            all.push(format!(
                "the sandbox refused system calls that the program makes ({}), so the failure explained here may be a \
                 different one; use --allow {} to let them through",
                calls.join(", "),
                calls.join(" --allow ")
            ));
        }
        all
    }

    /// What this lab cannot do, in sentences: what the sandbox refused to changed runs, walls this machine lacks, a run of
    /// which only the beginning is there.
    pub fn shortcomings(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (refusal, count) in self.refused.lock().expect("nobody panics holding it").iter() {
            let runs = if *count == 1 { "1 changed run".to_owned() } else { format!("{count} changed runs") };
            all.push(match refusal {
                Refusal::Lost => format!("{runs} killed their fork server, so their outcome is unknown"),
                Refusal::Call(call) => {
                    format!("the sandbox refused the system call {call} in {runs}, so their outcome was not counted")
                }
                Refusal::File(file) => format!(
                    "the sandbox kept {} from {runs} on other inputs, so their outcome was not counted; put the files that \
                     inputs name into a directory and use --dir DIR",
                    file.display()
                ),
                Refusal::Start(why) => format!("{runs} on other inputs could not be started: {why}"),
            });
        }
        all.extend(self.walls.missing());
        if let Extent::Beginning(waited) = self.extent {
            let (begun, waited) = (self.baseline.clock, waited.as_secs_f64());
            let more = if self.spending.total().is_some() { " or --budget" } else { "" };
            all.push(format!(
                "the run had not ended after {waited:.1} s and was treated as a hang; its first {begun} branches and \
                 assignments were examined. If it does end, use a longer --timeout{more}"
            ));
        }
        all
    }

    /// Makes experiments, several at a time, in about the order given. `each` hears of outcomes as they come, with the
    /// experiment's position, and may break off.
    pub fn try_all(
        &self,
        experiments: &[Vec<Intervention>],
        mut each: impl FnMut(usize, Outcome) -> ControlFlow<()>,
    ) -> Result<Tried, LabError> {
        let mut tried = Tried::default();
        let mut open = Vec::new();
        for (position, experiment) in experiments.iter().enumerate() {
            match self.known(experiment) {
                Some(outcome) => {
                    tried.count += 1;
                    if each(position, outcome).is_break() {
                        return Ok(tried);
                    }
                }
                None => open.push(position),
            }
        }
        let batches = open.chunks(BATCH).map(|positions| Batch {
            wanted: positions
                .iter()
                .map(|&at| Wanted { number: at, input: None, plan: self.plan(&experiments[at]) })
                .collect(),
            limits: self.run_limits,
            begins_late: self.checkpoint_for(positions.iter().map(|&at| &experiments[at][..])),
            reference: None,
        });
        let mut failed = None;
        self.workers.all(batches, &self.spending, |position, done| {
            let outcome = match done.ran {
                Ok(ran) => self.judge(&experiments[position], &ran),
                // A run gone wild can take its server with it; the next run has another.
                Err(ServerError::Gone) => {
                    self.note_refused(Refusal::Lost);
                    Ok(Outcome::Refused)
                }
                Err(error) => Err(error.into()),
            };
            match outcome {
                Ok(outcome) => {
                    tried.count += 1;
                    tried.runs += 1;
                    self.learn(&experiments[position], outcome);
                    each(position, outcome)
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        failed.map_or(Ok(tried), Err)
    }

    /// One run, or that there is no more time for it.
    pub(crate) fn one(&self, batch: Batch) -> Result<Ran, LabError> {
        let ran = self.workers.one(batch, &self.spending);
        self.spending.go_on()?;
        Ok(ran?)
    }

    fn known(&self, experiment: &[Intervention]) -> Option<Outcome> {
        let mut known = self.known.lock().expect("nobody panics holding it");
        if let Some(&outcome) = known.get(experiment) {
            return Some(outcome);
        }
        let outcome = self.remembered.lock().expect("nobody panics holding it").as_ref()?.get(experiment)?;
        known.insert(experiment.to_vec(), outcome);
        Some(outcome)
    }

    fn learn(&self, experiment: &[Intervention], outcome: Outcome) {
        self.known.lock().expect("nobody panics holding it").insert(experiment.to_vec(), outcome);
        if let Some(remembered) = &mut *self.remembered.lock().expect("nobody panics holding it") {
            remembered.insert(experiment, outcome);
        }
    }

    /// Every experiment that was tried, with what it showed; in no particular order.
    pub fn outcomes(&self) -> Vec<(Vec<Intervention>, Outcome)> {
        let known = self.known.lock().expect("nobody panics holding it");
        known.iter().map(|(experiment, outcome)| (experiment.clone(), *outcome)).collect()
    }

    /// One run, looked at from outside.
    pub fn run(&self, experiment: &[Intervention]) -> Result<Ran, LabError> {
        self.one(Batch::of(self.plan(experiment), self.run_limits))
    }

    /// One run that begins just before the first intervention, where that can be.
    pub fn run_from_checkpoint(&self, experiment: &[Intervention]) -> Result<Ran, LabError> {
        let first = experiment.iter().map(|intervention| intervention.clock).min();
        let begins_late = first.map(|first| first.saturating_sub(1));
        self.one(Batch { begins_late, ..Batch::of(self.plan(experiment), self.run_limits) })
    }

    /// One run, recorded. The file is there as long as the lab.
    pub fn record(&self, experiment: &[Intervention]) -> Result<(Ran, PathBuf), LabError> {
        self.record_plan(self.plan(experiment))
    }

    /// Records the failing run with locals that begin as something else.
    pub fn record_filled(&self, byte: u8) -> Result<(Ran, PathBuf), LabError> {
        let steady = Steady { locals: Locals::Filled(byte), ..self.steady };
        self.record_plan(Plan::new(Vec::new(), Some(self.budget), steady))
    }

    fn record_plan(&self, plan: Plan) -> Result<(Ran, PathBuf), LabError> {
        let path = self.recordings.next();
        let (ran, _) = record_run(&self.case, self.surroundings(Noting::Needed), plan, path.clone())?;
        Ok((ran, path))
    }

    pub(crate) fn surroundings(&self, noting: Noting) -> Surroundings<'_> {
        let Lab { walls, ref readable, ref limits, ref spending, .. } = *self;
        Surroundings { walls, readable, noting, limits, spending }
    }

    pub(crate) fn plan(&self, experiment: &[Intervention]) -> Plan {
        Plan::new(experiment.to_vec(), Some(self.budget), self.steady)
    }

    /// What a run shows.
    pub fn judge(&self, experiment: &[Intervention], ran: &Ran) -> Result<Outcome, LabError> {
        let failing = &self.baseline.ran;
        if (ran.obeyed as usize) < experiment.len() || ran.was_refused {
            return Ok(Outcome::NeverReached);
        }
        let hangs = matches!(ran.end, End::TooLong | End::Budget) && !matches!(failing.end, End::TooLong | End::Budget);
        if hangs && self.is_right_for_longer(ran) {
            return Ok(Outcome::FailsLater);
        }
        if hangs {
            return Ok(Outcome::Hangs);
        }
        let verdict = self.oracle.judge(ran)?;
        let is_new = |call: &&String| !failing.calls_refused.contains(call);
        if verdict != Verdict::Right
            && let Some(call) = ran.calls_refused.iter().find(is_new)
        {
            // Without the sandbox it might have been right.
            self.note_refused(Refusal::Call(call.clone()));
            return Ok(Outcome::Refused);
        }
        Ok(match verdict {
            Verdict::Right => Outcome::Passes,
            Verdict::CannotTell => Outcome::CannotTell,
            Verdict::Wrong if ran.end == failing.end && ran.output == failing.output => Outcome::FailsSame,
            Verdict::Wrong if self.is_right_for_longer(ran) => Outcome::FailsLater,
            Verdict::Wrong if matches!(ran.end, End::Killed(_)) && ran.end != failing.end => Outcome::Crashes,
            Verdict::Wrong => Outcome::FailsOtherwise,
        })
    }

    pub(crate) fn note_refused(&self, refusal: Refusal) {
        let mut refused = self.refused.lock().expect("nobody panics holding it");
        *refused.entry(refusal).or_default() += 1;
    }

    /// Whether the first line that is wrong in the failing run's output is right.
    fn is_right_for_longer(&self, ran: &Ran) -> bool {
        let (Some(expected), Some(end)) = (&self.oracle.output, self.first_wrong_ends) else { return false };
        ran.shown().get(..end) == Some(&expected[..end])
    }

    /// Where runs of a batch can begin, if that saves time.
    fn checkpoint_for<'a>(&self, experiments: impl Iterator<Item = &'a [Intervention]>) -> Option<u64> {
        let first = experiments.map(|experiment| experiment.iter().map(|i| i.clock).min().unwrap_or(0)).min()?;
        let spent = self.baseline.ran.processor_time.as_secs_f64() * first as f64 / self.baseline.clock.max(1) as f64;
        // A checkpoint costs about what a fork does.
        (spent > WORTHWHILE.as_secs_f64()).then(|| first.saturating_sub(1))
    }
}

/// Experiments a worker makes in a row.
const BATCH: usize = 32;

const WORTHWHILE: Duration = Duration::from_millis(2);
