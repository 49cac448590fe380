//! A fault put into a program, which `faultline diff` of both versions' recordings must lead to.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use testkit::{Tools, workspace};

/// A fault, and a run that shows it.
struct Regression {
    program: &'static str,
    /// Below `tests/real`.
    patch: &'static str,
    /// What to make again.
    executable: &'static str,
    arguments: &'static [&'static str],
    input: &'static str,
    /// The statement at which the chain of differences must begin: the fault.
    file: &'static str,
    line: u64,
}

const REGRESSIONS: [Regression; 1] = [Regression {
    program: "sed",
    patch: "sed_range_end.patch",
    executable: "sed/sed",
    arguments: &["-n", "2,~4s/^/line /p"],
    input: "1\n2\n3\n4\n5\n6\n7\n8\n",
    file: "sed/execute.c",
    line: 872,
}];

/// What does not hold of the program's regressions. `built`: the program built by faultline-cc.
pub fn check(tools: &Tools, program: &str, built: &Path) -> Result<Vec<String>> {
    let mut departures = Vec::new();
    for regression in REGRESSIONS.iter().filter(|regression| regression.program == program) {
        departures.extend(one(tools, regression, built).with_context(|| regression.patch)?);
    }
    Ok(departures)
}

fn one(tools: &Tools, regression: &Regression, built: &Path) -> Result<Option<String>> {
    let faulty = built.with_file_name("regressed");
    if faulty.exists() {
        std::fs::remove_dir_all(&faulty)?;
    }
    run(Command::new("cp").arg("-a").arg(built).arg(&faulty))?;
    let patch = workspace().join("tests/real").join(regression.patch);
    run(Command::new("patch").args(["-s", "-p1", "-i"]).arg(patch).current_dir(&faulty))?;
    run(Command::new("make").args(["-s", regression.executable]).current_dir(&faulty).env("LC_ALL", "C"))?;
    let input = faulty.join("regression-input");
    std::fs::write(&input, regression.input)?;
    let mut recordings = Vec::new();
    for folder in [&faulty, &built.to_path_buf()] {
        let recording = faulty.join(format!("{}.flt", recordings.len()));
        let mut record = Command::new(&tools.faultline);
        record.arg("record").arg("-o").arg(&recording).arg("--").arg(folder.join(regression.executable));
        run(record.args(regression.arguments).stdin(std::fs::File::open(&input)?))?;
        recordings.push(recording);
    }
    let found = run(Command::new(&tools.faultline).arg("diff").args(&recordings).args(["--format", "json"]))?;
    let found: Value = serde_json::from_slice(&found)?;
    let first = &found["chain"][0]["a"];
    let is_fault = first["file"].as_str().is_some_and(|file| file.ends_with(regression.file))
        && first["line"] == regression.line
        && found["explained"] == true;
    let says = (!is_fault)
        .then(|| format!("diff with {}: the chain begins at {}:{}", regression.patch, first["file"], first["line"]));
    Ok(says)
}

/// What the command writes.
fn run(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}
