//! A test that is run: recorded, judged, and replayed for what it did and for what its path hinged on.

use std::path::PathBuf;

use abi::{FunctionId, InstructionId, ModuleId, StreamId};
use budget::Budget;
use execution::Functions;
use experiment::{ENDLESS, End, Input, Lab, LabError, Outcome, Ran};
use findings::Location;
use recording::Recording;
use replay::{Image, ReplayError, Summary, replay_window_inlined};
use source::coverage::coverage;
use source::lines::{function_name, line_at, shown_path};
use spectrum::Coverage;
use symbolic::{Reason, Shadow, Shadowed};

use crate::exploring::Reading;
use subject::TechniqueError;

/// What a run showed.
pub(super) struct Performed {
    pub ran: Ran,
    pub outcome: Outcome,
    /// Where it was killed, if it was.
    pub crashed: Option<CrashSite>,
    pub did: Coverage,
    pub shadowed: Shadowed,
    /// What tells its path from others.
    pub path: (u64, u64),
    /// Where symbols were lost, so that conditions on them are not known.
    pub lost: Vec<(String, u32)>,
}

/// Where a signal hit the program's own code, named so that two runs can be compared: with another input it may load its
/// modules in another order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CrashSite {
    module: ModuleId,
    function: FunctionId,
    instruction: InstructionId,
    pub location: Option<Location>,
}

/// How a test went that shows nothing.
pub(super) enum Attempt {
    Performed(Box<Performed>),
    /// It could not be started, or its recording cannot be replayed.
    Failed,
}

/// Runs a test.
pub(super) fn perform(lab: &Lab, reading: &Reading, input: &Input, budget: &Budget) -> Result<Attempt, TechniqueError> {
    let (ran, path) = match recorded(lab, input) {
        // An argument can be too long for the system.
        Err(LabError::Record(_)) => return Ok(Attempt::Failed),
        other => other?,
    };
    let recording = Recording::open(&path).map_err(LabError::Read)?;
    // It is in memory as long as it is needed.
    let _ = std::fs::remove_file(&path);
    let outcome = lab.judge_input(input, &[], &ran)?;
    let replayed = replayed(&recording, reading, input, budget).and_then(|(summary, shadowed, functions)| {
        let did = coverage(&recording, budget)?;
        Ok((summary, shadowed, functions, did))
    });
    match replayed {
        Ok((summary, shadowed, about, did)) => Ok(Attempt::Performed(Box::new(Performed {
            crashed: about.crashed.filter(|_| matches!(ran.end, End::Killed(_))),
            ran,
            outcome,
            did,
            shadowed,
            path: (summary.clock, summary.hash),
            lost: about.lost,
        }))),
        Err(ReplayError::Departed { .. }) => Ok(Attempt::Failed),
        Err(error) => Err(error.into()),
    }
}

/// A recorded run. Where the failing run comes to no end, others may not either, and only their beginnings are recorded, as
/// its own is.
fn recorded(lab: &Lab, input: &Input) -> Result<(Ran, PathBuf), LabError> {
    let is_endless = |end: End| matches!(end, End::TooLong | End::Budget);
    if is_endless(lab.baseline().ran.end) {
        let ran = lab.run_input(input, &[])?;
        if is_endless(ran.end) {
            return Ok((ran, lab.record_beginning(input, ENDLESS)?));
        }
    }
    lab.record_input(input, &[])
}

/// The symbols of a run that was made before, once more.
pub(super) fn symbols_again(
    lab: &Lab,
    reading: &Reading,
    input: &Input,
    budget: &Budget,
) -> Result<Shadowed, TechniqueError> {
    let (_, path) = recorded(lab, input)?;
    let recording = Recording::open(&path).map_err(LabError::Read)?;
    let _ = std::fs::remove_file(&path);
    Ok(replayed(&recording, reading, input, budget)?.1)
}

/// What must be asked while the image is there.
struct About {
    crashed: Option<CrashSite>,
    lost: Vec<(String, u32)>,
}

fn replayed(
    recording: &Recording,
    reading: &Reading,
    input: &Input,
    budget: &Budget,
) -> Result<(Summary, Shadowed, About), ReplayError> {
    let image = Image::within(recording, budget);
    let functions = Functions::new(&image);
    let mut shadow = Shadow::new(&functions, std::iter::empty(), reading.named(input), reading.limits);
    shadow.note_ways();
    let (summary, shadow) = replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?;
    let shadowed = shadow.finish();
    let crashed = crash_site(&image, &functions, &summary)?;
    let is_gap = |reason: &Reason| !matches!(reason, Reason::PinnedLoad | Reason::PinnedStore | Reason::PinnedSize);
    let lost = shadowed.lost.iter().filter(|(_, reason, _)| is_gap(reason)).map(|(site, _, _)| {
        let function = functions.function(site.function);
        let line = function.instruction(site.instruction).location.map_or(0, |location| location.line);
        (function_name(&functions, site.function), line)
    });
    let lost = lost.collect();
    Ok((summary, shadowed, About { crashed, lost }))
}

/// Where the program was at the end: in its own code, not in the twins of library functions.
fn crash_site(
    image: &Image<'_>,
    functions: &Functions<'_>,
    summary: &Summary,
) -> Result<Option<CrashSite>, ReplayError> {
    for site in &summary.stack {
        let position = site.function.module as usize;
        let module = image.module(position)?;
        if module.has_twins() {
            continue;
        }
        let function = functions.function(site.function);
        let location = line_at(module, function, site.instruction).map(|line| Location {
            file: shown_path(&line.file),
            line: line.line,
            column: function.instruction(site.instruction).location.map_or(0, |location| location.column),
            function: function_name(functions, site.function),
        });
        return Ok(Some(CrashSite {
            module: image.module_id(position),
            function: site.function.function,
            instruction: site.instruction,
            location,
        }));
    }
    Ok(None)
}
