//! The program of a lab on other inputs: the one way to run it on them, judged or not, recorded or not.
//!
//! A run on another input is confined as every run of the lab: it may read what the unchanged run on the case's own input
//! read, and the files of the case's directory. A file that another input names is kept from it. Which ones were is noted, so
//! that a run which is wrong for that reason is not taken for a failure of the program.
//!
//! Outcomes are not remembered, since what a run wrote is wanted too, and would take too much room.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use recording::plan::{Intervention, Plan};

use crate::error::LabError;
use crate::input::{Input, Trial};
use crate::lab::{Lab, Refusal, Tried};
use crate::oracle::Verdict;
use crate::outcome::{End, Outcome, Ran, Right};
use crate::recorded_run::record_run;
use crate::sandbox::Noting;
use crate::server::ServerError;
use crate::workers::{Batch, Done, Wanted};

/// What a run on another input showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub outcome: Outcome,
    /// `None`: it could not be made, or took its fork server with it.
    pub ran: Option<Ran>,
}

/// Runs a worker makes in a row.
const BATCH: usize = 16;

impl Lab {
    /// Tries inputs, several at a time, in about the order given; those with the same arguments and environment are best
    /// given one after the other. `each` hears of them as they come, with their positions, and may break off.
    ///
    /// [`Outcome::FailsSame`] means that a wrong run ended as the failing run did, and no more.
    pub fn try_inputs(
        &self,
        trials: &[Trial],
        mut each: impl FnMut(usize, Shown) -> ControlFlow<()>,
    ) -> Result<Tried, LabError> {
        let mut tried = Tried::default();
        let mut failed = None;
        self.workers.all(self.batches(trials, Judged::ByOracle), &self.spending, |position, done| {
            match self.shown(&trials[position], done) {
                Ok(shown) => {
                    tried.count += 1;
                    tried.runs += 1;
                    each(position, shown)
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        failed.map_or(Ok(tried), Err)
    }

    /// The same, and nothing is judged.
    pub(crate) fn run_inputs(
        &self,
        trials: &[Trial],
        mut each: impl FnMut(usize, Result<Ran, ServerError>) -> ControlFlow<()>,
    ) {
        let batches = self.batches(trials, Judged::ByCaller);
        self.workers.all(batches, &self.spending, |position, done| each(position, done.ran));
    }

    fn batches<'a>(&'a self, trials: &'a [Trial], judged: Judged) -> impl Iterator<Item = Batch> + 'a {
        // Few are shared out evenly.
        let length = trials.len().div_ceil(self.workers.count()).clamp(1, BATCH);
        trials.chunks(length).enumerate().map(move |(number, chunk)| Batch {
            wanted: chunk
                .iter()
                .zip(number * length..)
                .map(|(trial, number)| Wanted {
                    number,
                    input: Some(trial.input.clone()),
                    plan: self.plan(&trial.experiment),
                })
                .collect(),
            limits: self.run_limits,
            begins_late: None,
            reference: match judged {
                Judged::ByOracle => self.reference.clone(),
                Judged::ByCaller => None,
            },
        })
    }

    /// One run on another input, looked at from outside.
    pub fn run_input(&self, input: &Input, experiment: &[Intervention]) -> Result<Ran, LabError> {
        self.one(Batch::of_one(Some(Arc::new(input.clone())), self.plan(experiment), self.run_limits))
    }

    /// One run on another input, recorded. The file is there as long as the lab, unless somebody removes it.
    pub fn record_input(&self, input: &Input, experiment: &[Intervention]) -> Result<(Ran, PathBuf), LabError> {
        let path = self.recordings.next();
        let (case, _folder) = input.as_case(&self.case)?;
        let (ran, _) = record_run(&case, self.surroundings(Noting::All), self.plan(experiment), path.clone())?;
        Ok((ran, path))
    }

    /// The beginning of a run on another input, recorded: so many ticks of it.
    pub fn record_beginning(&self, input: &Input, ticks: u64) -> Result<PathBuf, LabError> {
        let path = self.recordings.next();
        let (case, _folder) = input.as_case(&self.case)?;
        let plan = Plan::new(Vec::new(), Some(ticks), self.steady);
        record_run(&case, self.surroundings(Noting::Needed), plan, path.clone())?;
        Ok(path)
    }

    /// What a run on another input shows. A reference is run on it, unless it has been before.
    pub fn judge_input(&self, input: &Input, experiment: &[Intervention], ran: &Ran) -> Result<Outcome, LabError> {
        let right = self.reference.as_ref().map(|reference| reference.right(input)).transpose()?;
        self.outcome(experiment, ran, right.as_deref())
    }

    fn shown(&self, trial: &Trial, done: Done) -> Result<Shown, LabError> {
        let nothing = |refusal| {
            self.note_refused(refusal);
            Ok(Shown { outcome: Outcome::Refused, ran: None })
        };
        let ran = match done.ran {
            Ok(ran) => ran,
            // The next run has another server.
            Err(ServerError::Gone) => return nothing(Refusal::Lost),
            // An argument can be too long, or what no argument can be.
            Err(error @ (ServerError::Start(_) | ServerError::NeverReady)) => {
                return nothing(Refusal::Start(error.to_string()));
            }
            Err(error @ (ServerError::PlanTooLong | ServerError::Io(_))) => return Err(error.into()),
        };
        let right = done.right.transpose()?;
        let outcome = self.outcome(&trial.experiment, &ran, right.as_deref())?;
        Ok(Shown { outcome, ran: Some(ran) })
    }

    fn outcome(&self, experiment: &[Intervention], ran: &Ran, right: Option<&Right>) -> Result<Outcome, LabError> {
        if (ran.obeyed as usize) < experiment.len() || ran.was_refused {
            return Ok(Outcome::NeverReached);
        }
        let verdict = self.oracle.judge_other(ran, right)?;
        if verdict != Verdict::Right
            && let Some(refusal) = self.refusal(ran)
        {
            // Without the sandbox it might have been right.
            self.note_refused(refusal);
            return Ok(Outcome::Refused);
        }
        let is_endless = |end| matches!(end, End::TooLong | End::Budget);
        let failing = self.baseline.ran.end;
        Ok(match verdict {
            Verdict::Right => Outcome::Passes,
            Verdict::CannotTell => Outcome::CannotTell,
            Verdict::Wrong if ran.end == failing || is_endless(ran.end) && is_endless(failing) => Outcome::FailsSame,
            Verdict::Wrong if is_endless(ran.end) => Outcome::Hangs,
            Verdict::Wrong if matches!(ran.end, End::Killed(_)) => Outcome::Crashes,
            Verdict::Wrong => Outcome::FailsOtherwise,
        })
    }

    /// What the sandbox refused to a run and not to the failing one.
    fn refusal(&self, ran: &Ran) -> Option<Refusal> {
        let call = ran.calls_refused.iter().find(|call| !self.baseline.ran.calls_refused.contains(call));
        let file = || ran.files_refused.iter().find(|file| !self.blocked.contains(file));
        call.cloned().map(Refusal::Call).or_else(|| file().cloned().map(Refusal::File))
    }
}

/// Who judges runs.
#[derive(Clone, Copy)]
enum Judged {
    ByOracle,
    ByCaller,
}
