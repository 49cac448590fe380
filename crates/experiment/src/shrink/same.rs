//! When a smaller input shows *the same* failure: the run ends the same way, it is wrong in the same respects, and a crash
//! happens at the same place in the program.

use std::path::{Path, PathBuf};
use std::time::Duration;

use abi::{FunctionId, InstructionId, ModuleId, StreamId};
use recording::Recording;
use recording::folder::Folder;
use recording::plan::Plan;
use replay::{Image, ReplayError, replay_unobserved};

use super::ShrinkError;
use crate::error::LabError;
use crate::input::Input;
use crate::lab::Lab;
use crate::oracle::Oracle;
use crate::outcome::{End, Ran};
use crate::recorded_run::record_run;
use crate::reference::run_reference;
use crate::sandbox::Noting;
use crate::{Case, Verdict};

/// How inputs that are made up are judged. What a right run of the *whole* input writes cannot be used.
#[derive(Clone, Default, Debug)]
pub struct Judge {
    /// The exit status of right runs.
    pub status: Option<i32>,
    /// A program that behaves rightly.
    pub reference: Option<PathBuf>,
    /// Only its check counts.
    pub oracle: Oracle,
}

/// All that makes a failure this one and not another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub end: End,
    /// Where a signal hit the program: its own code, not the twins of library functions.
    site: Option<CrashSite>,
    /// What differs from the reference.
    differs: Option<Difference>,
}

/// A place of the program, named so that two runs can be compared: with another input it may load its modules in another
/// order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CrashSite {
    module: ModuleId,
    function: FunctionId,
    instruction: InstructionId,
}

/// How a run and that of the reference ended, and what is different.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Difference {
    reference: End,
    in_output: bool,
    in_status: bool,
}

impl Judge {
    fn is_by_end(&self) -> bool {
        self.status.is_none() && self.reference.is_none() && self.oracle.check.is_none()
    }

    /// How a run fails, if it does. With `wanted`, only that much is found out as is needed to tell it from that.
    pub fn failure(
        &self,
        lab: &Lab,
        input: &Input,
        ran: &Ran,
        wanted: Option<&Failure>,
    ) -> Result<Option<Failure>, ShrinkError> {
        let end = if matches!(ran.end, End::Budget) { End::TooLong } else { ran.end };
        if wanted.is_some_and(|wanted| wanted.end != end) {
            return Ok(None);
        }
        let is_exit = matches!(end, End::Exited(_));
        if is_exit && (self.is_by_end() || self.status.is_some_and(|status| end == End::Exited(status))) {
            return Ok(None);
        }
        let checked = Oracle { output: None, status: None, ..self.oracle.clone() };
        if checked.check.is_some() && checked.judge(ran).map_err(LabError::Io)? != Verdict::Wrong {
            return Ok(None);
        }
        let (case, _folder) = input.as_case(lab.case()).map_err(LabError::Io)?;
        let differs = match &self.reference {
            Some(reference) => match difference(reference, &case, lab.patience(), end, ran)? {
                Some(difference) => Some(difference),
                None => return Ok(None),
            },
            None => None,
        };
        let is_so_far = |wanted: &Failure| wanted.differs == differs;
        if wanted.is_some_and(|wanted| !is_so_far(wanted)) {
            return Ok(None);
        }
        let site = if matches!(end, End::Killed(_)) { crash_site(lab, &case)? } else { None };
        Ok(Some(Failure { end, site, differs }))
    }
}

/// `None` if both do the same, or the reference cannot cope.
fn difference(
    reference: &Path,
    case: &Case,
    patience: Duration,
    end: End,
    ran: &Ran,
) -> Result<Option<Difference>, ShrinkError> {
    let right = run_reference(reference, case, patience)?;
    if !matches!(right.end, End::Exited(_)) {
        return Ok(None);
    }
    let (in_output, in_status) = (right.output != ran.output, right.end != end);
    Ok((in_output || in_status).then_some(Difference { reference: right.end, in_output, in_status }))
}

/// Where the program was when a signal ended it: found out by recording it once more.
fn crash_site(lab: &Lab, case: &Case) -> Result<Option<CrashSite>, ShrinkError> {
    let folder = Folder::new("crash").map_err(LabError::Io)?;
    let path = folder.path().join("crash.flt");
    let plan = Plan::new(Vec::new(), Some(lab.budget), lab.steady);
    record_run(case, lab.surroundings(Noting::Needed), plan, path.clone())?;
    let recording = Recording::open(&path).map_err(LabError::Read)?;
    let image = Image::within(&recording, &lab.spending);
    let site = || -> Result<Option<CrashSite>, ReplayError> {
        let summary = replay_unobserved(&image, StreamId::MAIN)?;
        for site in &summary.stack {
            let module = site.function.module as usize;
            if !image.module(module)?.has_twins() {
                return Ok(Some(CrashSite {
                    module: image.module_id(module),
                    function: site.function.function,
                    instruction: site.instruction,
                }));
            }
        }
        Ok(None)
    };
    // A program that has destroyed itself so thoroughly crashes somewhere, which is all that is compared then.
    Ok(site().unwrap_or(None))
}
