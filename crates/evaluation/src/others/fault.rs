//! A fault in a program of other people, as it is written down in `eval/real` or `eval/mistakes`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use testkit::run;

use super::TIMEOUT;
use crate::class::Class;
use crate::verdicts::Behaviour;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RealFault {
    pub name: String,
    /// As `testkit::real` names it.
    pub program: String,
    /// The name of the executable.
    pub command: String,
    pub class: Class,
    /// In `eval/mistakes`.
    pub kind: Option<Mistake>,
    /// Below the program's source; the patch changes this file only.
    pub file: String,
    /// What a person would change, in the faulty version.
    pub lines: Vec<u32>,
    pub summary: String,
    pub args: Vec<String>,
    /// What it reads; none: nothing.
    pub stdin: Option<String>,
    /// In the folder it runs in.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    #[serde(skip)]
    pub patch: PathBuf,
}

/// What somebody did wrong, as table 1 of paper 003 has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mistake {
    IncorrectGoto,
    WeakGuard,
    StrongGuard,
    MissingAssignment,
    MissingCall,
    WrongOperator,
    MissingGuard,
    WrongAssignment,
    MisplacedCall,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    fault: Vec<RealFault>,
}

/// Where a fault's run starts.
pub struct Prepared {
    pub folder: PathBuf,
    pub stdin: Option<PathBuf>,
}

pub fn read_faults(folder: &Path) -> Result<Vec<RealFault>> {
    let path = folder.join("faults.toml");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut listed: Listed = toml::from_str(&text).with_context(|| path.display().to_string())?;
    for fault in &mut listed.fault {
        fault.patch = folder.join(format!("{}.patch", fault.name));
    }
    Ok(listed.fault)
}

impl RealFault {
    /// Writes what the run finds.
    pub fn prepare(&self, place: &Path) -> Result<Prepared> {
        let folder = place.join("folder");
        std::fs::create_dir_all(&folder)?;
        for (name, text) in &self.files {
            std::fs::write(folder.join(name), text)?;
        }
        let stdin = self.stdin.as_ref().map(|text| (place.join("stdin"), text));
        if let Some((path, text)) = &stdin {
            std::fs::write(path, text)?;
        }
        Ok(Prepared { folder, stdin: stdin.map(|(path, _)| path) })
    }
}

impl Prepared {
    pub fn behaviour(&self, program: &Path, fault: &RealFault) -> Result<Behaviour> {
        let input = fault.stdin.as_deref().unwrap_or_default().as_bytes();
        let mut command = Command::new(program);
        command.args(&fault.args).current_dir(&self.folder).env("LC_ALL", "C");
        let ran = run(&mut command, input, Duration::from_secs(TIMEOUT))?;
        Ok(Behaviour { ending: ran.ending, output: ran.stdout })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use testkit::workspace;

    use super::*;
    use testkit::real::PROGRAMS;

    #[test]
    fn faults_are_of_programs_that_there_are_and_have_patches() {
        let [real, mistakes] = ["eval/real", "eval/mistakes"].map(|set| read_faults(&workspace().join(set)).unwrap());
        assert!(real.len() >= 12 && real.iter().all(|fault| fault.kind.is_none()));
        let kinds: BTreeSet<Mistake> = mistakes.iter().filter_map(|fault| fault.kind).collect();
        assert_eq!(kinds.len(), 9, "each kind");
        assert!(mistakes.iter().all(|fault| fault.kind.is_some()));
        for fault in real.into_iter().chain(mistakes) {
            let program = PROGRAMS.iter().find(|program| program.name == fault.program);
            assert!(program.is_some_and(|program| program.executable(&fault.command).is_some()), "{}", fault.name);
            let patch = std::fs::read_to_string(&fault.patch).unwrap();
            let patch = diffy::Patch::from_str(&patch).unwrap();
            // Other people's code is not kept here beyond what a patch needs.
            let lines: usize = patch.hunks().iter().map(|hunk| hunk.lines().len()).sum();
            assert!(lines <= 12, "{}: {lines} lines", fault.name);
        }
    }
}
