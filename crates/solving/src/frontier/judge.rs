//! Whether a changed run is right: the last word on every combination.

use std::ops::ControlFlow;

use abi::StreamId;
use execution::Run;
use experiment::Intervention;
use replay::{ReplayError, Step};

use super::goal::Goal;
use super::range::Range;
use subject::trying::still::{Brink, Looks, brink};
use subject::{Repair, Subject, TechniqueError};

/// A run that shows that a combination is polluted.
#[derive(Clone, Debug)]
pub struct Proof {
    pub experiment: Vec<Intervention>,
    pub repair: Repair,
    /// Of a single assignment, values that a solver says would do as well.
    pub range: Option<Range>,
}

/// Runs that were made and what they showed.
pub struct Judge {
    pub runs: u64,
    /// Runs that could not be replayed.
    pub departed: u64,
    /// The least that counts. Once something makes the whole run right, what makes only its first error right is none.
    pub least: Repair,
    /// Of a crash or a failed assertion: where a right run goes on. Many changes keep a run from getting there.
    brink: Option<Brink>,
}

impl Judge {
    pub fn of(subject: &Subject<'_, '_>) -> Result<Judge, TechniqueError> {
        let brink = if subject.is_hard_to_satisfy() { None } else { brink(subject)? };
        Ok(Judge { runs: 0, departed: 0, least: Repair::First, brink })
    }

    /// Whether the failure is that this went the way it did, so that reversing it says nothing.
    pub fn is_failure(&self, at: Step) -> bool {
        self.brink.as_ref().is_some_and(|brink| brink.is_at(at))
    }

    /// What these changes repair, if it counts and is what is asked for.
    pub fn repair(
        &mut self,
        subject: &Subject<'_, '_>,
        experiment: &[Intervention],
        goal: &Goal,
    ) -> Result<Option<Repair>, TechniqueError> {
        let mut told = None;
        let tried = subject.lab.try_all(&[experiment.to_vec()], |_, outcome| {
            told = Some(outcome);
            ControlFlow::Continue(())
        })?;
        self.runs += tried.runs as u64;
        let repair = told.and_then(Repair::of).filter(|repair| *repair <= self.least);
        if repair.is_none() || !self.reaches_goal(subject, experiment, goal)? {
            return Ok(None);
        }
        let Some(brink) = &self.brink else { return Ok(repair) };
        let mut looks = Looks::default();
        let is_visited = brink.is_visited(subject, experiment, &mut looks)?;
        self.runs += looks.runs;
        self.departed += looks.departed;
        Ok(repair.filter(|_| is_visited))
    }

    fn reaches_goal(
        &mut self,
        subject: &Subject<'_, '_>,
        experiment: &[Intervention],
        goal: &Goal,
    ) -> Result<bool, TechniqueError> {
        let Goal::Decisions(decisions) = goal else { return Ok(true) };
        self.runs += 1;
        let holds = subject.examine(experiment, |_, image| {
            let run = Run::new(image, StreamId::MAIN)?;
            Ok(decisions.hold(&run)?)
        });
        match holds {
            Err(TechniqueError::Replay(ReplayError::Departed { .. })) => {
                self.departed += 1;
                Ok(false)
            }
            other => other,
        }
    }
}
