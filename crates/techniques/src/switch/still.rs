//! Whether a repaired run still comes to where the failing one crashed.
//!
//! Anything that keeps the program away from there avoids the crash. A run that comes there again and goes on shows more.

use abi::{FunctionId, InstructionId, ModuleId, StreamId};
use execution::dependence::Moment;
use experiment::Intervention;
use recording::Recording;
use replay::{Image, Observer, Step, replay};

use crate::{Subject, TechniqueError};

/// A place in the program, the same in all its runs.
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
    fn step(&mut self, step: &Step<'_>) {
        let is_there = step.id() == self.place.instruction
            && step.function().id == self.place.function
            && step.module().id == self.place.module;
        self.count += u64::from(is_there && step.clock >= self.since);
    }
}

/// Makes the run once more, recorded, and looks. `end`: where the failing run crashed.
pub fn comes_there(subject: &Subject<'_, '_>, change: Intervention, end: Moment) -> Result<bool, TechniqueError> {
    let module = subject.run.functions.module(end.function)?.id;
    let place = Place { module, function: end.function.function, instruction: end.instruction };
    let since = change.clock;
    let (_, path) = subject.lab.record(&[change])?;
    let recording = Recording::open(&path)?;
    let (_, visits) = replay(&Image::new(&recording), StreamId(1), Visits { place, since, count: 0 })?;
    Ok(visits.count > 0)
}
