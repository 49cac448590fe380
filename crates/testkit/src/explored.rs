//! `faultline explore` on a program of `tests/explore`: whether it finds an input that crashes it, and what that took.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::compile::{Build, compile};
use crate::fixture::Fixture;
use crate::run::{Ending, run};
use crate::tools::Tools;

/// What an exploration took.
#[derive(Clone, Debug)]
pub struct Explored {
    /// It crashed, and so does the program when the input is run by its script.
    pub reached: bool,
    pub runs: u64,
    pub recorded: u64,
    pub questions: u64,
    pub seconds: f64,
    /// Sites and reasons that were told.
    pub reasons: Vec<String>,
    /// Terms that had another value than the run.
    pub wrong_values: u64,
    pub departed: u64,
    /// Predicted branches where nothing was given up before: those that came, and all.
    pub exact: (u64, u64),
}

/// Explores until a crash. The program and its inputs are made in the folder.
pub fn explored(tools: &Tools, fixture: &Fixture, budget: Duration, folder: &Path) -> Result<Explored> {
    let program = compile(tools, fixture, Build::Faultline2, folder)?;
    let (input, out) = (folder.join("input"), folder.join("found"));
    std::fs::write(&input, &fixture.input)?;
    let mut command = Command::new(&tools.faultline);
    command.args(["explore", "--until", "crash", "--format", "json", "--budget"]).arg(budget.as_secs().to_string());
    command.arg("--stdin").arg(&input).arg("--out").arg(&out);
    if !fixture.files.is_empty() {
        let files = folder.join("files");
        std::fs::create_dir_all(&files)?;
        for (name, text) in &fixture.files {
            std::fs::write(files.join(name), text)?;
        }
        command.arg("--dir").arg(files);
    }
    command.arg("--").arg(&program).args(&fixture.arguments);
    command.envs(fixture.variables.iter().map(|(name, value)| (name, value)));
    let ran = run(&mut command, b"", 2 * budget + Duration::from_secs(60))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    ensure!(matches!(ran.ending, Ending::Exit(0 | 3)), "{}: {said}", ran.ending);
    let report: Value = serde_json::from_slice(&ran.stdout).with_context(|| format!("no report: {said}"))?;
    let reached = ran.ending == Ending::Exit(0);
    ensure!(report["reached"].as_bool() == Some(reached), "the report and the exit status differ");
    if reached {
        let inputs = report["inputs"].as_array().context("inputs")?;
        let last = inputs.last().and_then(|input| input["folder"].as_str()).context("the folder of the last input")?;
        let mut script = Command::new("sh");
        script.arg(Path::new(last).join("run")).envs(fixture.variables.iter().map(|(name, value)| (name, value)));
        let again = run(&mut script, b"", Duration::from_secs(20))?;
        ensure!(matches!(again.ending, Ending::Signal(_)), "run by its script, the input ends with {}", again.ending);
    }
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let reasons = report["reasons"].as_array().cloned().unwrap_or_default();
    let wrong = reasons.iter().filter(|reason| reason["reason"] == "wrong-value");
    Ok(Explored {
        reached,
        runs: number(&report["runs"]),
        recorded: number(&report["recorded"]),
        questions: number(&report["solver"]["questions"]),
        seconds: report["seconds"].as_f64().unwrap_or(0.0),
        wrong_values: wrong.map(|reason| number(&reason["count"])).sum(),
        departed: number(&report["left_out"]["departed"]),
        exact: (number(&report["predictions"]["exact_came"]), number(&report["predictions"]["exact_made"])),
        reasons: reasons.iter().map(|reason| format!("{}: {}", reason["line"], reason["message"])).collect(),
    })
}
