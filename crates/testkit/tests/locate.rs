//! Techniques find the fault. A folder of `tests/locate/TECHNIQUE` has `program.c`, `input`, and `expected` (output),
//! `reference.c` (a program that is right), or nothing (the run crashes or hangs); the best finding of the technique is the line marked `//~ fault`, or one of the best
//! three with `//~ fault within 3`. All techniques together, as `faultline why` uses them, are tried on the folders of
//! each technique (where one of the best three will do) and on those of `tests/locate/why`. Folders named `fixme-…` are not solved
//! yet: they must fail, and say so when they start to pass; those of a technique are not solved by it alone.
//!
//! What people read is compared, too: the report of all techniques together with `report.txt` of the folder, that of the
//! technique alone with `alone.txt`, and of some the text of the page with `page.txt`. Techniques that have no part in `why` are
//! tried alone only.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use budget::Budget;
use experiment::{Case, Lab, Limits, Oracle, oracle_by_reference};
use findings::{Finding, Findings};
use libtest_mimic::{Arguments, Failed, Trial};
use techniques::story::story;
use techniques::why::diagnose;
use techniques::{APART, Effort, Means, Needs, Notebook, TECHNIQUES, Technique, with_subject};
use tempfile::TempDir;
use testkit::{Tools, blessed, expectations, masked, workspace};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // Paths are shown as they are from here, so reports are the same wherever the workspace is.
    if let Err(error) = std::env::set_current_dir(workspace()) {
        eprintln!("cannot work in {}: {error}", workspace().display());
        return ExitCode::FAILURE;
    }
    let mut trials = Vec::new();
    for technique in TECHNIQUES {
        for case in cases(technique.name) {
            let folder = case.clone();
            trials.push(trial(technique.name, &case, move || locate(&folder, 1, |lab| alone(technique, lab))));
            // What is no part of `why` promises nothing of it, and its report is that of how busy the machine is.
            if technique.needs != Needs::FailingRun {
                continue;
            }
            let folder = case.clone();
            // Together they may solve what the technique does not.
            trials.push(trial("why", &case, move || fault_is_found(&folder, TOGETHER, together)));
            let folder = case.clone();
            trials.push(trial("report", &case, move || is_told_as_blessed(&folder, Some(technique))));
        }
    }
    for technique in APART {
        for case in cases(technique.name) {
            let folder = case.clone();
            trials.push(trial(technique.name, &case, move || locate(&folder, 1, |lab| alone(technique, lab))));
        }
    }
    for case in cases("why") {
        let folder = case.clone();
        trials.push(trial("why", &case, move || locate(&folder, TOGETHER, together)));
        let folder = case.clone();
        trials.push(trial("report", &case, move || is_told_as_blessed(&folder, None)));
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

/// Time enough for all there is to do: what is told must not hang on how busy the machine is.
const AT_LEISURE: Duration = Duration::from_secs(1200);
/// Columns of a terminal.
const WIDTH: usize = 100;
/// Folders whose pages are compared: a wrong line, missing code, a crash, and one that is not solved.
const PAGES: [&str; 4] = ["blank_line", "last_node", "leap_year", "fixme-queue"];

/// Folders whose reports are not compared: how far the search for causes comes there depends on how busy the machine is.
const HURRIED: [&str; 4] = ["boundary", "parcel", "steps_of_two", "top_scores"];

/// The report and the page, as they were when somebody last read them.
fn is_told_as_blessed(folder: &Path, alone: Option<&Technique>) -> Result<()> {
    if folder.file_name().is_some_and(|name| HURRIED.iter().any(|hurried| name == *hurried)) {
        return Ok(());
    }
    let built = TempDir::new()?;
    // With one worker experiments come to their ends in their order.
    let limits = Limits { time: Duration::from_secs(2), workers: 1, ..Limits::default() };
    let lab = open(folder, built.path(), limits)?;
    let means = |budget, notebook| Means { effort: Effort::UntilSettled, ..Means::within(budget, notebook) };
    let (budget, notebook) = (Budget::of(AT_LEISURE), Notebook::default());
    let techniques: Vec<&Technique> = TECHNIQUES.iter().filter(|one| one.needs == Needs::FailingRun).collect();
    let has_page = folder.file_name().is_some_and(|name| PAGES.iter().any(|page| name == *page));
    let (found, story) = with_subject(&lab, means(&budget, &notebook), |subject| {
        let diagnosis = diagnose(subject, &techniques)?;
        let story = has_page.then(|| story(subject, &diagnosis, "./program <input".into())).transpose()?;
        Ok((diagnosis.findings, story))
    })?;
    blessed(&folder.join("report.txt"), &told(&found)?)?;
    if let Some(story) = story {
        let mut page = Vec::new();
        report::html(&found, &story, &mut page)?;
        blessed(&folder.join("page.txt"), &masked(&text_of(&String::from_utf8(page)?)))?;
    }
    let Some(technique) = alone else { return Ok(()) };
    let (budget, notebook) = (Budget::of(AT_LEISURE), Notebook::default());
    let found = with_subject(&lab, means(&budget, &notebook), technique.find)?.into_findings(AT_LEISURE);
    blessed(&folder.join("alone.txt"), &told(&found)?)
}

/// What a terminal without colours shows.
fn told(found: &Findings) -> Result<String> {
    let mut out = anstream::StripStream::new(Vec::new());
    report::text(found, WIDTH, &mut out)?;
    Ok(masked(&String::from_utf8(out.into_inner())?))
}

/// The text of a page, element by element.
fn text_of(page: &str) -> String {
    let body = page.split_once("<body").map_or(page, |(_, body)| body);
    let mut text = String::new();
    for (position, part) in body.split("<script").enumerate() {
        let part = if position == 0 { part } else { part.split_once("</script>").map_or("", |(_, rest)| rest) };
        for element in part.split('<') {
            let said = element.split_once('>').map_or(element, |(_, said)| said);
            text.extend(said.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")));
        }
    }
    text
}

/// The case of a folder, built, and its failing run.
fn open(folder: &Path, built: &Path, limits: Limits) -> Result<Lab> {
    let tools = Tools::find()?;
    let compiled = |name: &str| -> Result<PathBuf> {
        let (source, program) = (folder.join(name).with_extension("c"), built.join(name));
        let status = Command::new(&tools.cc).args(["-g", "-w", "-O2"]).arg(&source).arg("-o").arg(&program).status()?;
        ensure!(status.success(), "{name} does not compile");
        Ok(program)
    };
    let program = compiled("program")?;
    let case = Case::new(&program, Vec::new())?.with_input_file(&folder.join("input"))?;
    let oracle = match folder.join("reference.c").exists() {
        true => oracle_by_reference(&compiled("reference")?, &case, limits.time)?,
        false => Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() },
    };
    Ok(Lab::open(case, oracle, limits)?)
}

fn fault_is_found(folder: &Path, within: u32, find: impl Fn(&Lab) -> Result<Findings>) -> Result<()> {
    let built = TempDir::new()?;
    let source = folder.join("program.c");
    let marked = expectations(&std::fs::read_to_string(&source)?);
    let faults: Vec<(u32, u32)> = marked
        .iter()
        .filter(|expected| expected.word == "fault")
        .map(|fault| (fault.line, most(&fault.rest).unwrap_or(within)))
        .collect();
    ensure!(!faults.is_empty(), "no line is marked");
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let lab = open(folder, built.path(), limits)?;
    let found = find(&lab)?;
    let is_fault =
        |finding: &Finding| faults.iter().any(|(line, most)| finding.location.line == *line && finding.rank <= *most);
    let told =
        found.findings.iter().map(|f| format!("{}. line {}: {}", f.rank, f.location.line, report::english::message(f)));
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
