//! Making a run go a wanted way, on any input.
//!
//! Only choices of the program's own code are wanted. What library code decides in between is left to it: a number that is
//! printed has as many digits as it has. So a run is looked at, and where it first goes another way than is wanted, its choices
//! are forced from there on, up to the next call of library code; then it is looked at again. What goes as is wanted by
//! itself is never forced.

use budget::Budget;
use experiment::{Change, Input, Intervention, Lab, LabError, Ran};
use recording::Recording;
use replay::ReplayError;

use super::course::{Course, Wanted};
use subject::TechniqueError;

/// A run that was to go a wanted way.
pub struct Gone {
    pub ran: Ran,
    pub recording: Recording,
    pub course: Course,
    /// How many of the choices that were wanted were made.
    pub agreed: usize,
    /// What was forced.
    pub plan: Vec<Intervention>,
}

pub struct Guide<'a> {
    pub lab: &'a Lab,
    pub budget: &'a Budget,
    /// Runs that were made.
    pub runs: u64,
    /// Runs that could not be made or replayed.
    pub failed: u64,
}

/// Places at which one run is forced, at most.
const MOST_PLACES: usize = 48;
/// Choices that are forced at one place, at most.
const LONGEST: usize = 1 << 12;

impl Guide<'_> {
    /// `None`: the case's own input. `departs`: where the run is known to go another way first, and when. None if a run
    /// could not be made or replayed.
    pub fn go(
        &mut self,
        input: Option<&Input>,
        wanted: &[Wanted],
        departs: Option<(usize, u64)>,
    ) -> Result<Option<Gone>, TechniqueError> {
        let mut plan = Vec::new();
        plan.extend(departs.map(|(position, clock)| forced(wanted, position, clock)));
        loop {
            let Some((ran, recording, course)) = self.record(input, &plan)? else { return Ok(None) };
            let agreed = course.agrees(wanted);
            let departs = course.choices.get(agreed).zip(wanted.get(agreed));
            match departs.filter(|(choice, wanted)| choice.at.site == wanted.site) {
                Some((choice, _)) if plan.len() < MOST_PLACES => plan.push(forced(wanted, agreed, choice.at.clock)),
                _ => return Ok(Some(Gone { ran, recording, course, agreed, plan })),
            }
        }
    }

    /// A run, recorded and looked at.
    pub fn record(
        &mut self,
        input: Option<&Input>,
        plan: &[Intervention],
    ) -> Result<Option<(Ran, Recording, Course)>, TechniqueError> {
        self.budget.go_on().map_err(LabError::Spent)?;
        self.runs += 1;
        let made = match input {
            None => self.lab.record(plan),
            Some(input) => self.lab.record_input(input, plan),
        };
        let (ran, path) = match made {
            // An argument can be too long for the system.
            Err(LabError::Record(_)) => {
                self.failed += 1;
                return Ok(None);
            }
            other => other?,
        };
        let recording = Recording::open(&path).map_err(LabError::Read)?;
        // It is in memory as long as it is needed.
        let _ = std::fs::remove_file(&path);
        match Course::of(&recording, self.budget) {
            Err(ReplayError::Departed { .. }) => {
                self.failed += 1;
                Ok(None)
            }
            course => Ok(Some((ran, recording, course?))),
        }
    }
}

/// Forces choices from a position on.
fn forced(wanted: &[Wanted], position: usize, clock: u64) -> Intervention {
    let rest = &wanted[position..];
    let until = rest.iter().position(|choice| choice.by_library).map_or(rest.len(), |last| last + 1);
    let word = rest[..until.min(LONGEST)].iter().map(|choice| choice.value).collect();
    Intervention { clock, change: Change::Force(word) }
}
