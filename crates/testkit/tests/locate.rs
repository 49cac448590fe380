//! Techniques find the fault: for each folder of `tests/locate/TECHNIQUE`, the best finding is the line marked
//! `//~ fault`. A folder has `program.c`, `input`, and `expected` (output) or nothing (the run crashes or hangs). Folders
//! named `fixme-…` are not solved yet: they must fail, and say so when they start to pass.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use experiment::{Case, Lab, Limits, Oracle};
use libtest_mimic::{Arguments, Failed, Trial};
use techniques::{Means, TECHNIQUES, Technique, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for technique in TECHNIQUES {
        let folder = workspace().join("tests/locate").join(technique.name);
        let mut cases: Vec<_> = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
        cases.sort();
        for case in cases {
            let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let trial = move || locate(technique, &case).map_err(|error| Failed::from(format!("{error:#}")));
            trials.push(Trial::test(format!("{}::{name}", technique.name), trial));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn locate(technique: &Technique, folder: &Path) -> Result<()> {
    let is_unsolved = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("fixme-"));
    match (best_is_the_fault(technique, folder), is_unsolved) {
        (Ok(()), true) => bail!("it is solved: take `fixme-` off its name"),
        (Err(_), true) => Ok(()),
        (other, false) => other,
    }
}

fn best_is_the_fault(technique: &Technique, folder: &Path) -> Result<()> {
    let tools = Tools::find()?;
    let built = TempDir::new()?;
    let (source, program) = (folder.join("program.c"), built.path().join("program"));
    let status = Command::new(&tools.cc).args(["-g", "-w", "-O2"]).arg(&source).arg("-o").arg(&program).status()?;
    ensure!(status.success(), "it does not compile");
    let text = std::fs::read_to_string(&source)?;
    let faults: Vec<u32> =
        text.lines().zip(1..).filter(|(line, _)| line.contains("//~ fault")).map(|(_, number)| number).collect();
    ensure!(!faults.is_empty(), "no line is marked");
    let case = Case::new(&program, Vec::new())?.with_input_file(&folder.join("input"))?;
    let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let lab = Lab::open(case, oracle, limits)?;
    let deadline = Instant::now() + Duration::from_secs(15);
    let found = with_subject(&lab, Means::until(deadline), technique.find)?;
    let findings: Vec<_> = found.suspects.iter().map(|suspect| &suspect.finding).collect();
    let best = findings.first().with_context(|| format!("nothing was found; {:?}", found.limits))?;
    let told = findings.iter().map(|f| format!("{}. line {}: {}", f.rank, f.location.line, f.message));
    ensure!(
        faults.contains(&best.location.line),
        "the fault is at {faults:?}\n{}",
        told.collect::<Vec<_>>().join("\n")
    );
    ensure!(!best.evidence.is_empty(), "there is no evidence");
    Ok(())
}
