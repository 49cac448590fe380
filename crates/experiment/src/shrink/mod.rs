//! Makes a failing case as small as possible while it still fails in the same way: as much as possible of its standard
//! input, its files and its arguments is left out, first lines, then tokens, then characters.
//!
//! At the end no single line, token or character of what is left can be left out. Every smaller input is tried once.

mod units;
mod minimise;
mod part;
mod same;
mod trials;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

pub use minimise::{Begin, Minimised, Stopped, minimise, plain_ddmin};
pub use part::Part;
pub use same::{Failure, Judge};
pub use units::{Cut, units};

use crate::error::LabError;
use crate::input::Input;
use crate::lab::Lab;
use crate::outcome::End;
use crate::reference::ReferenceError;
use trials::Trials;

/// The smallest case that was found.
#[derive(Clone, Debug)]
pub struct Shrunk {
    pub original: Input,
    pub smallest: Input,
    pub failure: Failure,
    /// Every single unit that is left was tried to be left out; otherwise there was no time for it.
    pub is_minimal: bool,
    pub runs: u64,
    /// Inputs that came up again.
    pub remembered: u64,
    pub seconds: f64,
}

/// What is being done.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub part: &'a Part,
    pub cut: Option<Cut>,
    /// Bytes of the smallest input.
    pub length: usize,
    pub runs: u64,
    remembered: u64,
    from: &'a Begun<'a>,
    smallest: &'a Input,
}

/// What is made smaller.
#[derive(Debug)]
struct Begun<'a> {
    original: &'a Input,
    failure: &'a Failure,
    begun: Instant,
}

impl Progress<'_> {
    /// The result, if it were broken off here.
    pub fn so_far(&self) -> Shrunk {
        self.from.shrunk(self.smallest.clone(), (self.runs, self.remembered), false)
    }
}

impl Begun<'_> {
    fn shrunk(&self, smallest: Input, (runs, remembered): (u64, u64), is_minimal: bool) -> Shrunk {
        Shrunk {
            original: self.original.clone(),
            smallest,
            failure: self.failure.clone(),
            is_minimal,
            runs,
            remembered,
            seconds: self.begun.elapsed().as_secs_f64(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ShrinkError {
    #[error(transparent)]
    Lab(#[from] LabError),
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    #[error(
        "the failure is in the output, but --expect names the output for the whole input, not for a part of it; use \
         --reference PROG or --check CMD instead"
    )]
    NeedsJudge,
    #[error("the program does not fail when the case is run in the same way as smaller inputs")]
    NotShown,
}

/// Shrinks a lab's case. `files`: those of its directory that are to be made smaller. `each` hears of every round of
/// questions, and may break off: the smallest input so far is the result then.
pub fn shrink(
    lab: &Lab,
    judge: &Judge,
    files: &[PathBuf],
    each: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Shrunk, ShrinkError> {
    let begun = Instant::now();
    let has_judge = judge.status.is_some() || judge.reference.is_some() || judge.oracle.check.is_some();
    if !has_judge && matches!(lab.baseline().ran.end, End::Exited(_)) {
        return Err(ShrinkError::NeedsJudge);
    }
    let original = Input::of(lab.case(), files).map_err(LabError::Io)?;
    let ran = lab.run_input(&original, &[])?;
    let Some(failure) = judge.failure(lab, &original, &ran, None)? else {
        let is_by_output = lab.oracle().output.is_some() && judge.reference.is_none();
        return Err(if is_by_output { ShrinkError::NeedsJudge } else { ShrinkError::NotShown });
    };
    let from = Begun { original: &original, failure: &failure, begun };
    let trials = Trials::new(lab, judge, &failure);
    let mut search = Search { trials, from: &from, smallest: original.clone(), each, failed: None };
    let is_minimal = search.run_to_end();
    let Search { smallest, failed, trials, .. } = search;
    match failed {
        Some(error) => Err(error),
        None => Ok(from.shrunk(smallest, (trials.runs, trials.remembered), is_minimal)),
    }
}

struct Search<'a> {
    trials: Trials<'a>,
    from: &'a Begun<'a>,
    smallest: Input,
    each: &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    failed: Option<ShrinkError>,
}

impl Search<'_> {
    /// All parts, until none becomes smaller. Whether it came to that.
    fn run_to_end(&mut self) -> bool {
        let mut begin = Begin::Halves;
        loop {
            let before = self.smallest.clone();
            for part in self.smallest.parts() {
                if !self.make_smaller(&part, begin) {
                    return false;
                }
            }
            if self.smallest == before {
                return true;
            }
            // What is left is small, and larger parts of it were tried.
            begin = Begin::Single;
        }
    }

    /// False if there was no time to.
    fn make_smaller(&mut self, part: &Part, begin: Begin) -> bool {
        if *part == Part::Arguments {
            let from = self.smallest.clone();
            let count = from.arguments.len();
            return self.leave_out(part, None, count, begin, |kept| from.with_arguments(kept));
        }
        for cut in Cut::ALL {
            // Arguments may have been left out since the parts were listed.
            let Some(text) = self.smallest.text(part).map(<[u8]>::to_vec) else { return true };
            let from = self.smallest.clone();
            let pieces = units(&text, cut);
            let made = |kept: &[usize]| {
                let rest = kept.iter().flat_map(|&unit| &text[pieces[unit].clone()]).copied().collect();
                from.with_text(part, rest)
            };
            if !self.leave_out(part, Some(cut), pieces.len(), begin, made) {
                return false;
            }
        }
        true
    }

    fn leave_out(
        &mut self,
        part: &Part,
        cut: Option<Cut>,
        count: usize,
        begin: Begin,
        smaller: impl Fn(&[usize]) -> Input,
    ) -> bool {
        let width = self.trials.width;
        let done = minimise(count, begin, width, |candidates| {
            let progress = Progress {
                part,
                cut,
                length: self.smallest.length(),
                runs: self.trials.runs,
                remembered: self.trials.remembered,
                from: self.from,
                smallest: &self.smallest,
            };
            if (self.each)(progress).is_break() {
                return Err(Stopped);
            }
            let inputs: Vec<Input> = candidates.iter().map(|kept| smaller(kept)).collect();
            match self.trials.ask(inputs) {
                Ok(answers) => {
                    if let Some(first) = answers.iter().position(|fails| *fails) {
                        self.smallest = smaller(&candidates[first]);
                    }
                    Ok(answers)
                }
                Err(error) => {
                    self.failed = Some(error);
                    Err(Stopped)
                }
            }
        });
        done.is_minimal
    }
}
