//! Another version of the debugged program, run on the same case: instrumented, so that it can be recorded and changed.

use std::path::{Path, PathBuf};

use recording::folder::Folder;
use recording::plan::{Intervention, Plan};

use crate::case::Case;
use crate::lab::{Lab, LabError, Limits, record_run};
use crate::outcome::Ran;
use crate::sandbox::Walls;

pub struct Counterpart {
    case: Case,
    walls: Walls,
    limits: Limits,
    budget: u64,
    epoch: u64,
    /// Holds recordings until it is closed.
    files: Folder,
}

impl Counterpart {
    /// The case of a lab, with another program in place of its own.
    pub fn open(lab: &Lab, program: &Path) -> Result<Counterpart, LabError> {
        let case = lab.case().with_program(program)?;
        let files = Folder::new("version")?;
        Ok(Counterpart { case, walls: lab.walls, limits: lab.limits, budget: lab.budget, epoch: lab.epoch, files })
    }

    /// One run, recorded. The file is there as long as this.
    pub fn record(&self, experiment: &[Intervention]) -> Result<(Ran, PathBuf), LabError> {
        let number = std::fs::read_dir(self.files.path())?.count();
        let path = self.files.path().join(format!("{number}.flt"));
        let plan = Plan::new(experiment.to_vec(), Some(self.budget), self.epoch);
        let ran = record_run(&self.case, self.walls, &self.limits, plan, path.clone())?;
        Ok((ran, path))
    }
}
