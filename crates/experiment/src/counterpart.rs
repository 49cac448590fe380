//! Another version of the debugged program, run on the same case: instrumented, so that it can be recorded and changed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use budget::Budget;
use recording::folder::Folder;
use recording::plan::{Intervention, Plan, Steady};

use crate::case::Case;
use crate::error::LabError;
use crate::lab::Lab;
use crate::limits::Limits;
use crate::outcome::Ran;
use crate::recorded_run::{Recordings, Surroundings, readable, record_run};
use crate::sandbox::{Noting, Readable, Walls};

pub struct Counterpart {
    case: Case,
    walls: Walls,
    limits: Limits,
    budget: u64,
    spending: Budget,
    steady: Steady,
    /// What changed runs may read, as soon as an unchanged one has shown it.
    readable: OnceLock<Readable>,
    /// Holds recordings until it is closed.
    recordings: Recordings,
}

impl Counterpart {
    /// The case of a lab, with another program in place of its own.
    pub fn open(lab: &Lab, program: &Path) -> Result<Counterpart, LabError> {
        let case = lab.case().with_program(program)?;
        let recordings = Recordings::new(Folder::new("version")?);
        let Lab { walls, limits, budget, steady, .. } = *lab;
        let spending = lab.spending.clone();
        Ok(Counterpart { case, walls, limits, budget, spending, steady, readable: OnceLock::new(), recordings })
    }

    /// One run, recorded. The file is there as long as this.
    pub(crate) fn record(&self, experiment: &[Intervention]) -> Result<(Ran, PathBuf), LabError> {
        if !experiment.is_empty() && self.readable.get().is_none() {
            self.record(&[])?;
        }
        let path = self.recordings.next();
        let plan = Plan::new(experiment.to_vec(), Some(self.budget), self.steady);
        let Counterpart { walls, ref limits, ref spending, .. } = *self;
        let known = self.readable.get().filter(|_| !experiment.is_empty());
        let within = known.unwrap_or(&Readable::Everything);
        let surroundings = Surroundings { walls, readable: within, noting: Noting::Needed, limits, spending };
        let (ran, notes) = record_run(&self.case, surroundings, plan, path.clone())?;
        if known.is_none() {
            self.readable.get_or_init(|| readable(&self.case, &notes));
        }
        Ok((ran, path))
    }
}
