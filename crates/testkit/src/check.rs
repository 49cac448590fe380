//! The two promises checked on a fixture.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::compile::{Build, compile};
use crate::fixture::Fixture;
use crate::run::{Ending, Ran, run};
use crate::tools::Tools;

const RUN_LIMIT: Duration = Duration::from_secs(60);

/// Instrumented and run on its own, the program behaves as clang's -O0 build, and as it says itself.
pub fn transparent(tools: &Tools, fixture: &Fixture) -> Result<()> {
    let (plain, _folder) = build_and_run(tools, fixture, Build::Clang)?;
    if plain.ending != fixture.ending {
        bail!("{}: {}, but the program says {}\n{}", Build::Clang.name(), plain.ending, fixture.ending, said(&plain));
    }
    for build in [Build::Faultline0, Build::Faultline2] {
        if build.is_left_out_by(fixture) {
            continue;
        }
        let (ran, _folder) = build_and_run(tools, fixture, build)?;
        compare(fixture, build.name(), &ran, &plain)?;
    }
    Ok(())
}

/// Recorded, the program behaves as it does on its own, and each recording replays exactly.
pub fn replays(tools: &Tools, fixture: &Fixture) -> Result<()> {
    let (plain, _folder) = build_and_run(tools, fixture, Build::Clang)?;
    for build in [Build::Faultline0, Build::Faultline2, Build::Checked] {
        if build.is_left_out_by(fixture) {
            continue;
        }
        let folder = tempfile::tempdir()?;
        let program = compile(tools, fixture, build, folder.path())?;
        record_and_replay(tools, fixture, &program, &plain).with_context(|| build.name())?;
    }
    Ok(())
}

/// The fixture's recording, and the folder that holds it.
pub fn recorded(tools: &Tools, fixture: &Fixture, build: Build) -> Result<(PathBuf, TempDir)> {
    let folder = tempfile::tempdir()?;
    let program = compile(tools, fixture, build, folder.path())?;
    let recording = folder.path().join("recording.flt");
    let mut record = Command::new(&tools.faultline);
    record.arg("record").arg("-o").arg(&recording);
    if let Some(seconds) = fixture.time_limit {
        record.arg("--time-limit").arg(seconds.to_string());
    }
    record.arg("--").arg(program).args(&fixture.arguments);
    run(record.current_dir(folder.path()), &fixture.input, RUN_LIMIT)?;
    Ok((recording, folder))
}

fn build_and_run(tools: &Tools, fixture: &Fixture, build: Build) -> Result<(Ran, tempfile::TempDir)> {
    let folder = tempfile::tempdir()?;
    let program = compile(tools, fixture, build, folder.path())?;
    let mut command = Command::new(&program);
    command.args(&fixture.arguments).current_dir(folder.path());
    Ok((run(&mut command, &fixture.input, RUN_LIMIT)?, folder))
}

fn record_and_replay(tools: &Tools, fixture: &Fixture, program: &Path, plain: &Ran) -> Result<()> {
    let folder = program.parent().context("a program is in a folder")?;
    let recording = folder.join("recording.flt");
    let mut record = Command::new(&tools.faultline);
    record.arg("record").arg("-o").arg(&recording).arg("--").arg(program).args(&fixture.arguments).current_dir(folder);
    let recorded = run(&mut record, &fixture.input, RUN_LIMIT)?;
    compare(fixture, "recorded", &recorded, plain)?;
    let replayed = run(Command::new(&tools.faultline).arg("replay").arg(&recording), b"", RUN_LIMIT)?;
    if replayed.ending != Ending::Exit(0) {
        bail!("the replay ended with {}\n{}", replayed.ending, said(&replayed));
    }
    Ok(())
}

fn compare(fixture: &Fixture, what: &str, ran: &Ran, plain: &Ran) -> Result<()> {
    if ran.ending.as_shell_status() != plain.ending.as_shell_status() {
        bail!("{what}: {}, where clang -O0 has {}\n{}", ran.ending, plain.ending, said(ran));
    }
    if !fixture.varies && ran.stdout != plain.stdout {
        let text = |ran: &Ran| String::from_utf8_lossy(&ran.stdout).into_owned();
        bail!("{what} prints\n{}\nwhere clang -O0 prints\n{}", text(ran), text(plain));
    }
    Ok(())
}

fn said(ran: &Ran) -> String {
    format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
}
