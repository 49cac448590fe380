//! Building a fixture in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::fixture::Fixture;
use crate::run::{Ending, run};
use crate::tools::Tools;

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
    succeed(compiler(build).arg(&fixture.source).args(&fixture.with).args(objects).arg("-o").arg(&program))?;
    Ok(program)
}

fn succeed(command: &mut Command) -> Result<()> {
    let ran = run(command, b"", COMPILE_LIMIT)?;
    if ran.ending != Ending::Exit(0) {
        bail!("{command:?}: {}\n{}", ran.ending, String::from_utf8_lossy(&ran.stderr));
    }
    Ok(())
}
