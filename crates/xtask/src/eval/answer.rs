//! What a technique answered about a fault, kept on disk so that an interrupted evaluation goes on where it was.
//!
//! It knows nothing of where the fault is.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use testkit::{Ending, Tools, run};

use super::folder;
use super::nearest::nearest;
use super::technique::{How, Question, Technique};

/// Beyond the budget: starting, recording, slicing.
const SLACK: Duration = Duration::from_secs(60);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// What it was made from; an answer made from something else is not used again.
    pub made_from: String,
    /// Lines of the program, the best first; a line occurs once.
    pub lines: Vec<u32>,
    pub seconds: f64,
    pub experiments: u64,
    /// How the tool ended, where it should not have ended so.
    pub trouble: Option<String>,
}

/// Of what the tool prints, what is measured.
#[derive(Deserialize)]
struct Printed {
    findings: Vec<PrintedFinding>,
    #[serde(default)]
    experiments: u64,
}

#[derive(Deserialize)]
struct PrintedFinding {
    file: String,
    line: u32,
}

pub fn path_of(subject: &str, fault: &str, technique: &Technique) -> PathBuf {
    folder().join("answers").join(subject).join(fault).join(format!("{}.json", technique.name))
}

/// An answer from earlier, if it was made from the same.
pub fn kept(path: &Path, made_from: &str) -> Option<Answer> {
    let answer: Answer = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    (answer.made_from == made_from).then_some(answer)
}

pub fn keep(path: &Path, answer: &Answer) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("a file has a folder")?)?;
    // Whole or not at all, should the evaluation be interrupted.
    let aside = path.with_extension("new");
    std::fs::write(&aside, serde_json::to_vec_pretty(answer)?)?;
    Ok(std::fs::rename(aside, path)?)
}

/// Asks. `source`: the name of the program's file; findings elsewhere are not lines of the program.
pub fn ask(
    tools: &Tools,
    technique: &Technique,
    question: &Question<'_>,
    source: &str,
    made_from: String,
) -> Result<Answer> {
    let begun = Instant::now();
    let only = match &technique.how {
        How::Nearest => {
            let lines = nearest(tools, question, source)?;
            let seconds = begun.elapsed().as_secs_f64();
            return Ok(Answer { made_from, lines, seconds, experiments: 0, trouble: None });
        }
        How::Why(only) => only,
    };
    let mut command = Command::new(&tools.faultline);
    command.args(technique.arguments(only, question));
    let ran = run(&mut command, b"", Duration::from_secs(question.budget.into()) + SLACK)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut answer = Answer { made_from, lines: Vec::new(), seconds, experiments: 0, trouble: None };
    match (ran.ending, serde_json::from_slice::<Printed>(&ran.stdout)) {
        (Ending::Exit(0 | 3), Ok(printed)) => {
            answer.experiments = printed.experiments;
            for finding in printed.findings {
                let ours = Path::new(&finding.file).file_name().is_some_and(|name| name == source);
                if ours && !answer.lines.contains(&finding.line) {
                    answer.lines.push(finding.line);
                }
            }
        }
        (Ending::Exit(3), Err(_)) => {}
        (ending, _) => {
            let said = String::from_utf8_lossy(&ran.stderr);
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
            answer.trouble = Some(format!("{ending}: {last}"));
        }
    }
    Ok(answer)
}
