//! What ran instead: code that the failing run has not, in a run that a changed condition made right, on the way to what
//! was wrong and is right then. It is what the condition kept from running, conditions inside it included.

use std::collections::{HashMap, HashSet};

use execution::Run;
use execution::criterion::Criterion;
use experiment::{Change, Intervention};
use failure::{Failure, FailureError, output_byte};
use findings::Location;
use replay::Step;

use super::switched::{Seen, omitted, with_switched};
use super::ways::flow_since;
use crate::effect::Effect;
use subject::place::{location, own_location};
use subject::{Subject, TechniqueError};

/// A line that a condition kept from running.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instead {
    pub condition: Step,
    pub location: Location,
}

/// A condition that was changed, and how.
#[derive(Clone, Debug)]
pub struct Changed {
    pub condition: Step,
    pub experiment: Vec<Intervention>,
    pub effect: Effect,
}

/// What was found, and how many runs that took; of these, how many could not be replayed.
#[derive(Default)]
pub struct Looked {
    pub found: Vec<Instead>,
    pub runs: u64,
    pub departed: u64,
}

/// Conditions looked at, each line once, and each way of a switch.
const MOST_CONDITIONS: usize = 6;
/// Steps looked at of each, the first executed.
const MOST_STEPS: usize = 500;
/// Lines told of each, the first executed.
const MOST_LINES: usize = 4;

/// Of changes that make right what was wrong, those that make most right first.
pub fn instead(subject: &Subject<'_, '_>, mut changed: Vec<Changed>) -> Result<Looked, TechniqueError> {
    changed.retain(|one| one.effect.is_strong());
    changed.sort_by_key(|one| one.effect);
    // Parts of a condition stand on one line; what they keep from running is mostly the same. A switch has many ways.
    let mut lines = HashSet::new();
    changed.retain(|one| {
        let way = match one.experiment.first().map(|first| &first.change) {
            Some(Change::Replace(value)) => Some(*value),
            _ => None,
        };
        location(subject.run, one.condition).is_some_and(|place| lines.insert((place.file, place.line, way)))
    });
    let mut looked = Looked::default();
    let Failure::WrongByte { byte, expected: Some(_), .. } = subject.question.failure else { return Ok(looked) };
    for one in changed.into_iter().take(MOST_CONDITIONS) {
        if subject.is_over() {
            break;
        }
        looked.runs += 1;
        match with_switched(subject, &one.experiment, |run, _| behind_byte(subject, run, byte, &one))? {
            Seen::Yes(locations) => {
                let of = |location| Instead { condition: one.condition, location };
                looked.found.extend(locations.into_iter().map(of));
            }
            Seen::Disobeyed => {}
            Seen::Departed => looked.departed += 1,
        }
    }
    Ok(looked)
}

/// Lines behind a byte of the output that the failing run did not execute there, the first first.
fn behind_byte(
    subject: &Subject<'_, '_>,
    run: &Run<'_>,
    byte: u64,
    changed: &Changed,
) -> Result<Vec<Location>, TechniqueError> {
    let since = changed.experiment.first().map_or(0, |first| first.clock);
    let criterion = match output_byte(run, byte) {
        Ok(question) => question.criterion,
        // Who wrote it is not known.
        Err(FailureError::NoWriter { .. }) => return Ok(Vec::new()),
        Err(other) => return Err(other.into()),
    };
    let Criterion::Step { at, wishes, .. } = criterion else { return Ok(Vec::new()) };
    let flow = flow_since(run, since, &HashMap::from([(at, wishes)]))?;
    let statements = flow.vertices().filter(|vertex| flow.is_statement[vertex.0 as usize]);
    let steps = statements.map(|vertex| flow.step(vertex)).filter(|step| !run.functions.is_twin(step.site.function));
    let mut steps: Vec<Step> = steps.filter(|step| step.clock >= since && *step != changed.condition).collect();
    steps.sort_unstable();
    steps.truncate(MOST_STEPS);
    let steps: HashSet<Step> = steps.into_iter().collect();
    let mut omitted: Vec<Step> = omitted(subject, run, &steps)?.into_iter().collect();
    omitted.sort_unstable();
    let mut lines = HashSet::new();
    let places = omitted.into_iter().filter_map(|step| own_location(run, step));
    let is_new = |place: &Location| lines.insert((place.file.clone(), place.line));
    Ok(places.filter(is_new).take(MOST_LINES).collect())
}
