//! Techniques find the fault. A folder of `tests/locate/TECHNIQUE` has `program.c`, `input`, and `expected` (output) or
//! nothing (the run crashes or hangs); the best finding of the technique is the line marked `//~ fault`, or one of the best
//! three with `//~ fault within 3`. All techniques together, as `faultline why` uses them, are tried on the folders of
//! each technique (where one of the best three will do) and on those of `tests/locate/why`. Folders named `fixme-…` are not solved
//! yet: they must fail, and say so when they start to pass; those of a technique are not solved by it alone.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use budget::Budget;
use experiment::{Case, Lab, Limits, Oracle};
use findings::{Finding, Findings};
use libtest_mimic::{Arguments, Failed, Trial};
use techniques::why::diagnose;
use techniques::{Effort, Means, Needs, Notebook, TECHNIQUES, Technique, with_subject};
use tempfile::TempDir;
use testkit::{Tools, expectations, workspace};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for technique in TECHNIQUES {
        for case in cases(technique.name) {
            let folder = case.clone();
            trials.push(trial(technique.name, &case, move || locate(&folder, 1, |lab| alone(technique, lab))));
            let folder = case.clone();
            // Together they may solve what the technique does not.
            trials.push(trial("why", &case, move || fault_is_found(&folder, TOGETHER, together)));
        }
    }
    for case in cases("why") {
        let folder = case.clone();
        trials.push(trial("why", &case, move || locate(&folder, TOGETHER, together)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Findings among which the fault must be where its line does not say.
const TOGETHER: u32 = 3;
const BUDGET: Duration = Duration::from_secs(15);

fn cases(of: &str) -> Vec<PathBuf> {
    let folder = workspace().join("tests/locate").join(of);
    let mut cases: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    cases.sort();
    cases
}

fn trial(by: &str, case: &Path, run: impl FnOnce() -> Result<()> + Send + 'static) -> Trial {
    let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Trial::test(format!("{by}::{name}"), || run().map_err(|error| Failed::from(format!("{error:#}"))))
}

fn alone(technique: &Technique, lab: &Lab) -> Result<Findings> {
    let (budget, notebook) = (Budget::of(BUDGET), Notebook::default());
    let found = with_subject(lab, Means::within(&budget, &notebook), technique.find)?;
    Ok(found.into_findings(BUDGET))
}

fn together(lab: &Lab) -> Result<Findings> {
    let techniques: Vec<&Technique> = TECHNIQUES.iter().filter(|one| one.needs == Needs::FailingRun).collect();
    let (budget, notebook) = (Budget::of(BUDGET), Notebook::default());
    let means = Means { effort: Effort::UntilSettled, ..Means::within(&budget, &notebook) };
    let found = with_subject(lab, means, |subject| diagnose(subject, &techniques))?.findings;
    ensure!(!found.chain.is_empty() && found.chain.len() <= 12, "the chain has {} links", found.chain.len());
    Ok(found)
}

fn locate(folder: &Path, within: u32, find: impl Fn(&Lab) -> Result<Findings>) -> Result<()> {
    let is_unsolved = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("fixme-"));
    match (fault_is_found(folder, within, find), is_unsolved) {
        (Ok(()), true) => bail!("it is solved: take `fixme-` off its name"),
        (Err(_), true) => Ok(()),
        (other, false) => other,
    }
}

fn fault_is_found(folder: &Path, within: u32, find: impl Fn(&Lab) -> Result<Findings>) -> Result<()> {
    let tools = Tools::find()?;
    let built = TempDir::new()?;
    let (source, program) = (folder.join("program.c"), built.path().join("program"));
    let status = Command::new(&tools.cc).args(["-g", "-w", "-O2"]).arg(&source).arg("-o").arg(&program).status()?;
    ensure!(status.success(), "it does not compile");
    let marked = expectations(&std::fs::read_to_string(&source)?);
    let faults: Vec<(u32, u32)> = marked
        .iter()
        .filter(|expected| expected.word == "fault")
        .map(|fault| (fault.line, most(&fault.rest).unwrap_or(within)))
        .collect();
    ensure!(!faults.is_empty(), "no line is marked");
    let case = Case::new(&program, Vec::new())?.with_input_file(&folder.join("input"))?;
    let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let lab = Lab::open(case, oracle, limits)?;
    let found = find(&lab)?;
    let is_fault =
        |finding: &Finding| faults.iter().any(|(line, most)| finding.location.line == *line && finding.rank <= *most);
    let told = found.findings.iter().map(|f| format!("{}. line {}: {}", f.rank, f.location.line, f.message));
    let told = format!("the fault is at {faults:?}\n{}", told.collect::<Vec<_>>().join("\n"));
    let fault = found.findings.iter().find(|finding| is_fault(finding));
    let fault = fault.with_context(|| format!("{told}\n{:?}", found.limits))?;
    ensure!(!fault.evidence.is_empty(), "there is no evidence");
    Ok(())
}

/// The number of `within N`.
fn most(rest: &str) -> Option<u32> {
    rest.strip_prefix("within ")?.split_whitespace().next()?.parse().ok()
}
