//! Building fixtures. Many tests look at the same programs, so each is built once and kept in `target/tmp/programs`, under a
//! name that tells what it was built from and by.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::fixture::Fixture;
use crate::run::{Ending, run};
use crate::tools::{Tools, workspace};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// Plain clang at -O0: how a program should behave.
    Clang,
    Faultline0,
    Faultline2,
    /// As `Faultline2`, with every store joined to the hash: finds departures where they arise.
    Checked,
}

impl Build {
    pub fn name(self) -> &'static str {
        match self {
            Build::Clang => "clang -O0",
            Build::Faultline0 => "faultline-cc -O0",
            Build::Faultline2 => "faultline-cc -O2",
            Build::Checked => "faultline-cc -O2 -faultline-check=stores",
        }
    }

    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Clang | Build::Faultline0 => &["-O0"],
            Build::Faultline2 => &["-O2"],
            Build::Checked => &["-O2", "-faultline-check=stores"],
        }
    }

    /// Whether the fixture asks not to be built so.
    pub fn is_left_out_by(self, fixture: &Fixture) -> bool {
        matches!(
            (fixture.level.as_deref(), self),
            (Some("O0"), Build::Faultline2 | Build::Checked) | (Some("O2"), Build::Faultline0)
        )
    }
}

const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// Builds the fixture; the program is `program` in `folder`, shared libraries stand beside it.
pub fn compile(tools: &Tools, fixture: &Fixture, build: Build, folder: &Path) -> Result<PathBuf> {
    let all = workspace().join("target/tmp/programs");
    let by_these = all.join(format!("{:016x}", identity_of_tools(tools)?));
    let kept = by_these.join(format!("{:016x}", identity(fixture, build)?));
    if !kept.exists() {
        if !by_these.exists() {
            // What other tools have built nobody will ask for.
            let _ = std::fs::remove_dir_all(&all);
            std::fs::create_dir_all(&by_these)?;
        }
        let fresh = tempfile::tempdir_in(&by_these)?;
        build_in(tools, fixture, build, fresh.path())?;
        // Another test may have been faster; one is as good as the other.
        if std::fs::rename(fresh.path(), &kept).is_ok() {
            let _ = fresh.keep();
        }
    }
    for entry in std::fs::read_dir(&kept).with_context(|| format!("{} is gone", kept.display()))? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(folder.join("program"))
}

fn identity_of_tools(tools: &Tools) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    tools.clang.hash(&mut hasher);
    let stage = workspace().join("target/faultline");
    for folder in [stage.join("bin"), stage.join("lib/faultline")] {
        let mut parts: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
        parts.sort();
        // The command itself has no part in a build.
        for part in parts.iter().filter(|part| part.file_name() != Some(OsStr::new("faultline"))) {
            let about = std::fs::metadata(part)?;
            (part, about.len(), about.modified()?).hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

/// A number for all that decides what these tools build.
fn identity(fixture: &Fixture, build: Build) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    (build.name(), &fixture.flags).hash(&mut hasher);
    let folder = fixture.source.parent().context("a fixture is in a folder")?;
    let beside = [folder.to_path_buf(), folder.join("parts")].into_iter().flat_map(std::fs::read_dir).flatten();
    let mut sources: Vec<PathBuf> = beside.map(|e| Ok(e?.path())).collect::<Result<_>>()?;
    sources.retain(|path| path.extension() == Some(OsStr::new("h")));
    sources.sort();
    sources.extend([&fixture.with, &fixture.outside, &fixture.libraries].into_iter().flatten().cloned());
    sources.push(fixture.source.clone());
    for source in sources {
        let text = std::fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
        (source, text).hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn build_in(tools: &Tools, fixture: &Fixture, build: Build, folder: &Path) -> Result<()> {
    let program = folder.join("program");
    let compiler = |build: Build| {
        let mut command = match (build, fixture.is_cpp()) {
            (Build::Clang, cpp) => {
                let mut command = Command::new(&tools.clang);
                command.args(cpp.then_some("--driver-mode=g++"));
                command
            }
            (_, true) => Command::new(&tools.cpp),
            (_, false) => Command::new(&tools.cc),
        };
        command.current_dir(folder).args(build.flags()).args(["-g", "-w"]).args(&fixture.flags);
        command
    };
    let mut objects = Vec::new();
    for outside in &fixture.outside {
        let object = folder.join(outside.file_stem().unwrap_or_default()).with_extension("o");
        succeed(compiler(Build::Clang).arg("-c").arg(outside).arg("-o").arg(&object))?;
        objects.push(object);
    }
    for library in &fixture.libraries {
        let name = format!("lib{}.so", library.file_stem().unwrap_or_default().display());
        succeed(compiler(build).args(["-shared", "-fPIC"]).arg(library).arg("-o").arg(folder.join(name)))?;
    }
    succeed(compiler(build).arg(&fixture.source).args(&fixture.with).args(objects).arg("-o").arg(&program))
}

fn succeed(command: &mut Command) -> Result<()> {
    let ran = run(command, b"", COMPILE_LIMIT)?;
    if ran.ending != Ending::Exit(0) {
        bail!("{command:?}: {}\n{}", ran.ending, String::from_utf8_lossy(&ran.stderr));
    }
    Ok(())
}
