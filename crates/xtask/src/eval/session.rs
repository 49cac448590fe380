//! An evaluation: every technique asked about every fault.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use testkit::Tools;

use super::answer::{Answer, ask, keep, kept, path_of};
use super::change::is_code;
use super::subject::{Fault, Subject, Test};
use super::tables::{Row, show};
use super::technique::{Question, Technique, techniques};
use super::verdicts::{Behaviour, PATIENCE, behaviour};
use super::version::{Compiler, build};
use super::{Arguments, folder};
use crate::{Verdict, parallel};

/// What techniques are told of a subject.
struct Prepared {
    behaviours: Vec<Behaviour>,
    suite: PathBuf,
}

/// As `--tests` reads it.
#[derive(Serialize)]
struct Suite<'a> {
    test: Vec<SuiteTest<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct SuiteTest<'a> {
    name: &'a str,
    args: &'a [String],
    stdin: Option<&'a Path>,
    expect: PathBuf,
    expect_exit: i32,
}

pub fn session(subjects: &[Subject], arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    if arguments.afresh {
        let answers = folder().join("answers");
        if answers.exists() {
            std::fs::remove_dir_all(answers)?;
        }
    }
    let techniques = chosen(techniques(arguments.ablation), &arguments.techniques)?;
    let tools_now = [&tools.faultline, &tools.cc].map(|tool| age(tool)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut rows = Vec::new();
    for subject in subjects {
        let prepared = prepare(&tools, subject)?;
        let asked = |fault: &Fault| {
            let mut hasher = DefaultHasher::new();
            (&fault.change.text, &tools_now, arguments.budget).hash(&mut hasher);
            for (test, right) in subject.tests.iter().zip(&prepared.behaviours) {
                (&test.name, &test.args, &right.output).hash(&mut hasher);
            }
            format!("{:016x}", hasher.finish())
        };
        // Building uses all cores; asking comes after it, one at a time, since faultline itself uses all cores.
        let built = parallel::map(&subject.faults, |fault| {
            let made_from = asked(fault);
            let known =
                |technique: &Technique| kept(&path_of(&subject.name, &fault.name, technique), &made_from).is_some();
            if techniques.iter().all(known) {
                return Ok(None);
            }
            failing(&tools, subject, fault, &prepared).map(Some)
        });
        for (fault, built) in subject.faults.iter().zip(built) {
            let built = built.with_context(|| format!("{}/{}", subject.name, fault.name))?;
            for technique in &techniques {
                let path = path_of(&subject.name, &fault.name, technique);
                let answer = match (kept(&path, &asked(fault)), &built) {
                    (Some(answer), _) => answer,
                    (None, Some((program, test))) => {
                        let expected = expected_path(subject, test);
                        let question = Question {
                            program,
                            args: &test.args,
                            stdin: test.stdin.as_deref(),
                            expected: &expected,
                            suite: &prepared.suite,
                            timeout: PATIENCE.as_secs(),
                            budget: arguments.budget,
                        };
                        let answer = ask(&tools, technique, &question, &subject.source_name, asked(fault))?;
                        keep(&path, &answer)?;
                        answer
                    }
                    (None, None) => bail!("an answer about {} vanished", fault.name),
                };
                rows.push(row(subject, fault, technique, &answer));
            }
        }
        eprintln!("{}: {} faults", subject.name, subject.faults.len());
    }
    show(&rows, &techniques)?;
    Ok(Verdict::Holds)
}

fn chosen(all: Vec<Technique>, names: &[String]) -> Result<Vec<Technique>> {
    if let Some(name) = names.iter().find(|name| all.iter().all(|technique| technique.name != **name)) {
        let known: Vec<&str> = all.iter().map(|technique| technique.name.as_str()).collect();
        bail!("there is no technique {name}; there are {}", known.join(", "));
    }
    Ok(all.into_iter().filter(|one| names.is_empty() || names.contains(&one.name)).collect())
}

/// A tool is another one when it was written anew.
fn age(tool: &Path) -> Result<(u64, u128)> {
    let known = std::fs::metadata(tool)?;
    Ok((known.len(), known.modified()?.duration_since(UNIX_EPOCH)?.as_nanos()))
}

fn expected_path(subject: &Subject, test: &Test) -> PathBuf {
    folder().join(&subject.name).join("expected").join(&test.name)
}

/// Runs the right version and writes what it prints, and the suite that says so.
fn prepare(tools: &Tools, subject: &Subject) -> Result<Prepared> {
    let place = folder().join(&subject.name);
    let program = build(tools, Compiler::Clang, subject, &subject.source, &place.join("right"))?;
    std::fs::create_dir_all(place.join("expected"))?;
    let behaviours = parallel::map(&subject.tests, |test| behaviour(&program, test));
    let behaviours = behaviours.into_iter().collect::<Result<Vec<_>>>()?;
    let mut suite = Suite { test: Vec::new() };
    for (test, right) in subject.tests.iter().zip(&behaviours) {
        let expect = expected_path(subject, test);
        std::fs::write(&expect, &right.output)?;
        suite.test.push(SuiteTest {
            name: &test.name,
            args: &test.args,
            stdin: test.stdin.as_deref(),
            expect,
            expect_exit: 0,
        });
    }
    let path = place.join("suite.toml");
    std::fs::write(&path, toml::to_string(&suite)?)?;
    Ok(Prepared { behaviours, suite: path })
}

/// The faulty program, and the first test that fails.
fn failing<'a>(tools: &Tools, subject: &'a Subject, fault: &Fault, prepared: &Prepared) -> Result<(PathBuf, &'a Test)> {
    let place = folder().join(&subject.name).join("faulty").join(&fault.name);
    let program = build(tools, Compiler::Faultline, subject, &fault.change.text, &place)?;
    for (test, right) in subject.tests.iter().zip(&prepared.behaviours) {
        if behaviour(&program, test)? != *right {
            return Ok((program, test));
        }
    }
    bail!("no test fails")
}

/// Here, after the answer, the fault's lines are read.
fn row(subject: &Subject, fault: &Fault, technique: &Technique, answer: &Answer) -> Row {
    let code = fault.change.text.lines().filter(|line| is_code(line)).count();
    let rank = answer.lines.iter().position(|line| fault.lines.contains(line)).map(|position| position + 1);
    Row {
        subject: subject.name.clone(),
        fault: fault.name.clone(),
        class: fault.class,
        at: fault.lines.clone(),
        technique: technique.name.clone(),
        rank,
        share: rank.map_or(1.0, |rank| rank as f64 / code as f64),
        lines: answer.lines.len(),
        seconds: answer.seconds,
        experiments: answer.experiments,
        trouble: answer.trouble.clone(),
    }
}
