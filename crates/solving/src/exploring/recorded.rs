//! A run on an input, recorded and replayed with symbols.

use abi::StreamId;
use budget::Budget;
use execution::Functions;
use experiment::{Input, Lab};
use recording::Recording;
use replay::{Image, Step, replay_window_inlined};
use source::lines::{function_name, line_at};
use symbolic::{Shadow, Shadowed};

use super::Place;
use super::given::{files, given, named};
use subject::error::TechniqueError;

/// How runs are read: what of them is symbolic, and what that may cost.
#[derive(Clone, Debug)]
pub struct Reading {
    pub limits: symbolic::Limits,
    pub question: smt::Limits,
    case: experiment::Case,
}

/// Bytes of a variable of the environment that is an input.
const LONGEST_VARIABLE: usize = 1 << 12;

impl Reading {
    pub fn of(lab: &Lab, limits: symbolic::Limits, question: smt::Limits) -> Reading {
        Reading { limits, question, case: lab.case().clone() }
    }

    /// The input of the case.
    pub(crate) fn first(&self, lab: &Lab) -> Result<Input, TechniqueError> {
        let inputs = files(&self.case, self.limits.bytes).and_then(|files| Input::of(lab.case(), &files));
        Ok(inputs.map_err(experiment::LabError::Io)?)
    }

    pub(crate) fn given(&self, input: &Input, found: &[symbolic::Input]) -> Input {
        given(input, found, &self.case)
    }

    /// What of an input can become symbols.
    pub(crate) fn named(&self, input: &Input) -> Vec<symbolic::Input> {
        named(&self.case, input, LONGEST_VARIABLE)
    }
}

pub(super) struct Recorded {
    pub shadowed: Shadowed,
    /// Clock and hash at the end: what path it was.
    pub path: (u64, u64),
    /// What was lost, where, and how often.
    pub places: Vec<(Place, symbolic::Reason, u64)>,
}

impl Recorded {
    /// Whether nothing of the input was lost, so that predictions must come true.
    pub fn is_exact(&self) -> bool {
        self.shadowed.lost.is_empty()
    }
}

/// Records a run; notes where it goes at the step that is asked about.
pub(super) fn record(
    lab: &Lab,
    input: &Input,
    reading: &Reading,
    asked: Option<Step>,
    budget: &Budget,
) -> Result<Recorded, TechniqueError> {
    let (_, path) = lab.record_input(input, &[])?;
    let recording = Recording::open(&path).map_err(experiment::LabError::Read)?;
    // It is in memory as long as it is needed.
    let _ = std::fs::remove_file(&path);
    let image = Image::within(&recording, budget);
    let functions = Functions::new(&image);
    let mut shadow = Shadow::new(&functions, std::iter::empty(), reading.named(input), reading.limits);
    shadow.note_ways();
    if let Some(step) = asked {
        shadow.ask(step);
    }
    let (summary, shadow) = replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?;
    let shadowed = shadow.finish();
    let place = |site: program::Site| Place {
        function: function_name(&functions, site.function),
        file: functions
            .module(site.function)
            .ok()
            .and_then(|module| line_at(module, functions.function(site.function), site.instruction))
            .map(|line| (line.file, line.line)),
    };
    let places = shadowed.lost.iter().map(|(site, reason, count)| (place(site), reason.clone(), count));
    let places = places.collect();
    Ok(Recorded { shadowed, path: (summary.clock, summary.hash), places })
}
