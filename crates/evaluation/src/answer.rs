//! What a technique answered about a fault. It knows nothing of where the fault is.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use testkit::{Ending, Tools};

use crate::baseline::{nearest, plain_slice};
use crate::failing_run::with_failing_run;
use crate::measured::run_measured;
use crate::technique::{How, Question, Technique};

/// Beyond the budget: starting, recording, slicing.
const SLACK: Duration = Duration::from_secs(60);

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// What it was made from; an answer made from something else is not used again.
    pub made_from: String,
    /// Lines of the program's file, the best first; 0 stands for a line elsewhere, any other occurs once.
    pub lines: Vec<u32>,
    /// Lines of the chain from the cause to the failure, in its order.
    pub chain: Vec<u32>,
    pub seconds: f64,
    pub experiments: u64,
    #[serde(default)]
    pub steps: Option<Steps>,
    /// In MiB; none for yardsticks, which are computed here.
    pub memory: Option<f64>,
    /// How the tool ended, where it should not have ended so.
    pub trouble: Option<String>,
}

/// What a technique that prunes the failure's slice says of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Steps {
    /// Of the plain slice, those that are not surely right.
    pub pruned: u64,
    /// To look at in the end.
    pub left: u64,
}

/// As the tool prints it.
#[derive(Clone, Copy, Deserialize)]
struct Narrowed {
    pruned: u64,
    steps: u64,
}

impl From<Narrowed> for Steps {
    fn from(Narrowed { pruned, steps }: Narrowed) -> Steps {
        Steps { pruned, left: steps }
    }
}

/// Of what the tool prints, what is measured.
#[derive(Deserialize)]
struct Printed {
    findings: Vec<PrintedPlace>,
    #[serde(default)]
    chain: Vec<PrintedPlace>,
    #[serde(default)]
    experiments: u64,
    #[serde(default)]
    narrowed: Option<Narrowed>,
}

#[derive(Deserialize)]
struct PrintedPlace {
    file: String,
    line: u32,
}

/// Asks. `source`: the name of the program's file, or the last part of its path; findings elsewhere are not lines of the
/// program.
pub fn ask(
    tools: &Tools,
    technique: &Technique,
    question: &Question<'_>,
    source: &str,
    made_from: String,
) -> Result<Answer> {
    let mut answer = Answer { made_from, ..Answer::default() };
    let begun = Instant::now();
    let yardstick = match &technique.how {
        How::Why(only) => return why(tools, technique, only, question, source, answer),
        How::Nearest => nearest,
        How::PlainSlice => plain_slice,
    };
    match with_failing_run(tools, question, source, yardstick) {
        Ok(lines) => answer.lines = lines,
        Err(error) => answer.trouble = Some(format!("{error:#}")),
    }
    answer.seconds = begun.elapsed().as_secs_f64();
    Ok(answer)
}

fn why(
    tools: &Tools,
    technique: &Technique,
    only: &[&str],
    question: &Question<'_>,
    source: &str,
    mut answer: Answer,
) -> Result<Answer> {
    let mut command = Command::new(&tools.faultline);
    command.args(technique.arguments(only, question));
    // What was tried to answer another question is tried again, as if it were the first.
    command.env("FAULTLINE_CACHE", "");
    let ran = run_measured(&mut command, Duration::from_secs(question.budget.into()) + SLACK)?;
    answer.seconds = ran.seconds;
    answer.memory = Some(ran.memory);
    match (ran.ending, serde_json::from_slice::<Printed>(&ran.stdout)) {
        (Ending::Exit(0 | 3), Ok(printed)) => {
            answer.experiments = printed.experiments;
            answer.steps = printed.narrowed.map(Steps::from);
            answer.lines = lines_of(&printed.findings, source);
            answer.chain = lines_of(&printed.chain, source);
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

/// The distinct lines in the order in which each comes first. Those that are not the program's are there as line 0: they
/// are read, too, but are nobody's fault.
fn lines_of(places: &[PrintedPlace], source: &str) -> Vec<u32> {
    let mut seen: Vec<(&str, u32)> = Vec::new();
    for place in places {
        let key = (place.file.as_str(), place.line);
        if !seen.contains(&key) {
            seen.push(key);
        }
    }
    seen.into_iter().map(|(file, line)| if Path::new(file).ends_with(source) { line } else { 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_where_omissions_were_looked_for() {
        let steps = |text: &str| serde_json::from_str::<Printed>(text).expect("an answer").narrowed.map(Steps::from);
        let narrowed = r#"{"slice": 40, "pruned": 8, "edges": 1, "verifications": 3, "steps": 11, "lines": 5}"#;
        let answer = format!(r#"{{"findings": [], "narrowed": {narrowed}}}"#);
        assert_eq!(steps(&answer), Some(Steps { pruned: 8, left: 11 }));
        assert_eq!(steps(r#"{"findings": []}"#), None);
    }

    #[test]
    fn lines_elsewhere_are_read_in_vain() {
        let place = |file: &str, line| PrintedPlace { file: file.to_owned(), line };
        let places = [place("a/x.c", 3), place("a/y.c", 3), place("a/x.c", 3), place("/b/a/x.c", 4), place("y.c", 3)];
        assert_eq!(lines_of(&places, "x.c"), [3, 0, 4, 0]);
    }
}
