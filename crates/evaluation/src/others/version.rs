//! The right version of a program of other people, and a faulty one, both by `faultline-cc`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use testkit::real::{self, Kind, PROGRAMS, fetch};
use testkit::{Tools, workspace};

use super::fault::RealFault;
use crate::change::{Change, change};
use crate::subject::Fault;

pub struct Versions {
    pub right: PathBuf,
    pub faulty: PathBuf,
    change: Change,
}

/// Fetches the program and builds it unless that was done, and makes the faulty version of a copy.
pub fn build(tools: &Tools, fault: &RealFault, place: &Path) -> Result<Versions> {
    let Some(program) = PROGRAMS.iter().find(|program| program.name == fault.program) else {
        bail!("no program {}", fault.program);
    };
    let executable = program.executable(&fault.command).with_context(|| format!("no command {}", fault.command))?;
    let folder = workspace().join("target/real").join(program.name);
    std::fs::create_dir_all(&folder)?;
    fetch(program.package, &folder.join("source"))?;
    let right = real::build(tools, program, Kind::Faultline, &folder)?;
    let source = right.join(&fault.file);
    let text = std::fs::read_to_string(&source).with_context(|| source.display().to_string())?;
    let patch = std::fs::read_to_string(&fault.patch).with_context(|| fault.patch.display().to_string())?;
    let change = change(&text, &patch)?;
    let version = place.join("version");
    let faulty = Versions { right: right.join(executable), faulty: version.join(executable), change };
    if is_made(&faulty, &version.join(&fault.file))? {
        return Ok(faulty);
    }
    if version.exists() {
        std::fs::remove_dir_all(&version)?;
    }
    std::fs::create_dir_all(place)?;
    succeed(Command::new("cp").arg("-a").arg(&right).arg(&version))?;
    std::fs::write(version.join(&fault.file), &faulty.change.text)?;
    // Whatever is made from the file is made again.
    succeed(Command::new("make").args(["-s"]).current_dir(&version).env("LC_ALL", "C"))?;
    Ok(faulty)
}

/// Whether the faulty version is there, made of the right one as it is now.
fn is_made(versions: &Versions, source: &Path) -> Result<bool> {
    let (Ok(faulty), Ok(text)) = (std::fs::metadata(&versions.faulty), std::fs::read_to_string(source)) else {
        return Ok(false);
    };
    Ok(text == versions.change.text && faulty.modified()? > std::fs::metadata(&versions.right)?.modified()?)
}

impl Versions {
    /// The fault as the harness measures it.
    pub fn fault(&self, listed: &RealFault) -> Result<Fault> {
        let touched: Vec<u32> = self.change.places.iter().flat_map(|place| place.lines()).copied().collect();
        ensure!(
            listed.lines.iter().all(|line| touched.contains(line)) && !listed.lines.is_empty(),
            "lines {:?} are none of the patch's, which are {touched:?}",
            listed.lines
        );
        Ok(Fault {
            name: listed.name.clone(),
            class: listed.class,
            kind: None,
            is_unseen: false,
            lines: listed.lines.clone(),
            summary: listed.summary.clone(),
            change: Change { text: self.change.text.clone(), places: self.change.places.clone() },
        })
    }
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
