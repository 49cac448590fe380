//! Whether a changed run is right: the last word on every combination.

use std::ops::ControlFlow;

use abi::StreamId;
use execution::Run;
use experiment::{Intervention, Outcome};
use replay::ReplayError;

use super::goal::Goal;
use super::range::Range;
use crate::{Repair, Subject, TechniqueError};

/// A run that shows that a combination is polluted.
#[derive(Clone, Debug)]
pub struct Proof {
    pub experiment: Vec<Intervention>,
    pub repair: Repair,
    /// Of a single assignment, values that a solver says would do as well.
    pub range: Option<Range>,
}

/// Runs that were made and what they showed.
#[derive(Default)]
pub struct Judge {
    pub runs: u64,
    /// Runs that could not be replayed.
    pub departed: u64,
}

impl Judge {
    /// Runs the program with these changes.
    pub fn outcome(
        &mut self,
        subject: &Subject<'_, '_>,
        experiment: &[Intervention],
    ) -> Result<Option<Outcome>, TechniqueError> {
        let mut told = None;
        let tried = subject.lab.try_all(&[experiment.to_vec()], |_, outcome| {
            told = Some(outcome);
            ControlFlow::Continue(())
        })?;
        self.runs += tried.runs as u64;
        Ok(told)
    }

    /// What these changes repair, and whether that is what is asked for.
    pub fn repair(
        &mut self,
        subject: &Subject<'_, '_>,
        experiment: &[Intervention],
        goal: &Goal,
    ) -> Result<Option<Repair>, TechniqueError> {
        let repair = self.outcome(subject, experiment)?.and_then(Repair::of);
        match (repair, goal) {
            (Some(repair), Goal::Decisions(decisions)) => {
                self.runs += 1;
                let holds = subject.examine(experiment, |_, image| {
                    let run = Run::new(image, StreamId::MAIN)?;
                    Ok(decisions.hold(&run)?)
                });
                match holds {
                    Ok(holds) => Ok(holds.then_some(repair)),
                    Err(TechniqueError::Replay(ReplayError::Departed { .. })) => {
                        self.departed += 1;
                        Ok(None)
                    }
                    Err(error) => Err(error),
                }
            }
            (repair, _) => Ok(repair),
        }
    }
}
