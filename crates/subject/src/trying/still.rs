//! Whether a repaired run still comes to where the failing one crashed or gave up.
//!
//! Anything that keeps the program away from there avoids the failure. A run that comes there again and goes on shows more.

use abi::{FunctionId, InstructionId, ModuleId, StreamId};
use execution::dependence::Kind;
use execution::dependence::graph::VertexId;
use experiment::Intervention;
use failure::Failure;
use findings::Limit;
use program::Op;
use replay::{Observed, Observer, ReplayError, Step, replay};

use crate::{Subject, TechniqueError};

/// Where a run that does not fail would have gone on.
pub struct Brink {
    /// What crashed; of a failed assertion, the condition that decided so.
    pub at: Step,
    place: Place,
}

/// How changed runs were looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Looks {
    /// Runs made for it.
    pub runs: u64,
    /// Those whose recordings do not replay.
    pub departed: u64,
    /// Changes that were not looked at.
    pub left_out: u64,
}

impl Looks {
    pub fn limits(&self) -> Vec<Limit> {
        let departed = (self.departed > 0).then_some(Limit::NotReplayed { runs: self.departed });
        let left_out = (self.left_out > 0).then_some(Limit::NotChecked { changes: self.left_out });
        departed.into_iter().chain(left_out).collect()
    }
}

/// A place in the program, the same in all its runs.
#[derive(Clone, Copy)]
struct Place {
    module: ModuleId,
    function: FunctionId,
    instruction: InstructionId,
}

/// How often a place is executed from a clock on.
struct Visits {
    place: Place,
    since: u64,
    count: u64,
}

impl Observer for Visits {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        let is_there = step.id() == self.place.instruction
            && step.function().id == self.place.function
            && step.module().id == self.place.module;
        self.count += u64::from(is_there && step.clock >= self.since);
    }
}

/// Where the failing run crashed or gave up; `None` if it did neither.
pub fn brink(subject: &Subject<'_, '_>) -> Result<Option<Brink>, TechniqueError> {
    let Some(end) = subject.question.criterion.step(subject.run) else { return Ok(None) };
    let at = match subject.question.failure {
        Failure::Crash { .. } | Failure::CrashOutside { .. } => Some(end),
        Failure::Assertion { .. } => decision(subject)?,
        Failure::Hang | Failure::Waits { .. } | Failure::Status { .. } | Failure::WrongByte { .. } => None,
    };
    let Some(at) = at else { return Ok(None) };
    let module = subject.run.functions.module(at.site.function)?.id;
    let place = Place { module, function: at.site.function.function, instruction: at.site.instruction };
    Ok(Some(Brink { at, place }))
}

/// The choice nearest to the end that it depends on.
fn decision(subject: &Subject<'_, '_>) -> Result<Option<Step>, TechniqueError> {
    let nearness = subject.nearness()?;
    if nearness.graph.steps.is_empty() {
        return Ok(None);
    }
    let choices = nearness.reached(VertexId(0), |edge| edge.kind == Kind::Control);
    let is_choice = |vertex: &VertexId| {
        let at = nearness.graph.step(*vertex);
        let op = &subject.run.functions.instruction(at.site).op;
        matches!(op, Op::Branch { .. } | Op::Switch { .. })
    };
    let nearest = choices.steps().filter(|(vertex, _)| is_choice(vertex)).min_by_key(|(vertex, far)| (*far, *vertex));
    Ok(nearest.map(|(vertex, _)| nearness.graph.step(vertex)))
}

impl Brink {
    /// Whether a step is one of the place itself.
    pub fn is_at(&self, step: Step) -> bool {
        step.site == self.at.site
    }

    /// Whether a changed run comes there again: makes it once more, recorded, and looks, if there is time for that.
    pub fn is_visited(
        &self,
        subject: &Subject<'_, '_>,
        changes: &[Intervention],
        looks: &mut Looks,
    ) -> Result<bool, TechniqueError> {
        if subject.is_over() {
            looks.left_out += 1;
            return Ok(false);
        }
        looks.runs += 1;
        let since = changes.iter().map(|change| change.clock).min().unwrap_or(0);
        let visits = Visits { place: self.place, since, count: 0 };
        subject.examine(changes, |_, image| match replay(image, StreamId::MAIN, visits) {
            Ok((_, visits)) => Ok(visits.count > 0),
            Err(ReplayError::Departed { .. }) => {
                looks.departed += 1;
                Ok(false)
            }
            Err(error) => Err(error.into()),
        })
    }
}
