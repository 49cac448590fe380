//! Another version of the debugged program, run on the same case: instrumented, so that it can be recorded and changed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use recording::folder::Folder;
use recording::plan::{Intervention, Plan};

use crate::case::Case;
use crate::lab::{Lab, LabError, Limits, readable, record_noting, record_run};
use crate::outcome::Ran;
use crate::sandbox::{Readable, Walls};

pub struct Counterpart {
    case: Case,
    walls: Walls,
    limits: Limits,
    budget: u64,
    epoch: u64,
    /// What changed runs may read, as soon as an unchanged one has shown it.
    readable: OnceLock<Readable>,
    /// Holds recordings until it is closed.
    files: Folder,
}

impl Counterpart {
    /// The case of a lab, with another program in place of its own.
    pub fn open(lab: &Lab, program: &Path) -> Result<Counterpart, LabError> {
        let case = lab.case().with_program(program)?;
        let files = Folder::new("version")?;
        let Lab { walls, limits, budget, epoch, .. } = *lab;
        Ok(Counterpart { case, walls, limits, budget, epoch, readable: OnceLock::new(), files })
    }

    /// One run, recorded. The file is there as long as this.
    pub fn record(&self, experiment: &[Intervention]) -> Result<(Ran, PathBuf), LabError> {
        if !experiment.is_empty() && self.readable.get().is_none() {
            self.record(&[])?;
        }
        let number = std::fs::read_dir(self.files.path())?.count();
        let path = self.files.path().join(format!("{number}.flt"));
        let plan = Plan::new(experiment.to_vec(), Some(self.budget), self.epoch);
        if let Some(readable) = self.readable.get().filter(|_| !experiment.is_empty()) {
            return Ok((record_run(&self.case, self.walls, readable, &self.limits, plan, path.clone())?, path));
        }
        let everything = Readable::Everything;
        let (ran, notes) = record_noting(&self.case, self.walls, &everything, &self.limits, plan, path.clone())?;
        self.readable.get_or_init(|| readable(&self.case, &notes));
        Ok((ran, path))
    }
}
