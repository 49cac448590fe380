//! An evaluation: every technique asked about every fault.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use testkit::{Ending, Tools, parallel};

use crate::answer::{Answer, ask};
use crate::facts::{Facts, facts};
use crate::folder::folder;
use crate::kept::{keep, kept, path_of};
use crate::row::Row;
use crate::subject::{Fault, Subject, Test};
use crate::technique::{Expected, Question, Technique};
use crate::verdicts::{Behaviour, PATIENCE, behaviour};
use crate::version::{Compiler, build};

/// What techniques are told of a subject.
pub struct Prepared {
    /// The right version's, test by test.
    pub behaviours: Vec<Behaviour>,
    suite: PathBuf,
    /// The right version, instrumented.
    pub right: PathBuf,
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

/// What techniques are told of the failing test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling {
    /// What it should print.
    Expected,
    /// Nothing: it crashes.
    Nothing,
}

/// All techniques asked about all faults, as many faults at a time as there are cores, each with one of them.
pub fn session(
    tools: &Tools,
    subjects: &[Subject],
    techniques: &[Technique],
    telling: Telling,
    budget: u32,
) -> Result<Vec<Row>> {
    let tools_now = tools_now(tools)?;
    let prepared = subjects.iter().map(|subject| prepare(tools, subject)).collect::<Result<Vec<_>>>()?;
    let all = subjects.iter().zip(&prepared);
    let all = all.flat_map(|(subject, prepared)| subject.faults.iter().map(move |fault| (subject, prepared, fault)));
    let rows = parallel::map_apart(all.collect::<Vec<_>>(), |(subject, prepared, fault)| {
        let mut hasher = DefaultHasher::new();
        (&fault.change.text, &tools_now, budget).hash(&mut hasher);
        for (test, right) in subject.tests.iter().zip(&prepared.behaviours) {
            (&test.name, &test.args, &right.output).hash(&mut hasher);
        }
        let made_from = &format!("{:016x}", hasher.finish());
        let source = &subject.source_name;
        let asking = Asking { tools, subject: &subject.name, fault: &fault.name, source, made_from };
        let rows = asked(&asking, subject, fault, prepared, techniques, telling, budget);
        eprintln!("{}/{}", subject.name, fault.name);
        rows
    });
    Ok(rows.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// All techniques asked about a fault.
fn asked(
    asking: &Asking<'_>,
    subject: &Subject,
    fault: &Fault,
    prepared: &Prepared,
    techniques: &[Technique],
    telling: Telling,
    budget: u32,
) -> Result<Vec<Row>> {
    let row = |technique: &Technique, answer: &Answer, facts: &Facts| {
        Row::new(&subject.name, fault, &technique.name, answer, facts)
    };
    let built = match is_all_known(asking, techniques) {
        true => None,
        false => match failing(asking.tools, subject, fault, prepared, telling) {
            Ok(built) => Some(built),
            Err(error) => {
                // One fault that cannot be asked about keeps none of the others from being asked about.
                let answer = Answer { trouble: Some(format!("{error:#}")), ..Answer::default() };
                return Ok(techniques.iter().map(|technique| row(technique, &answer, &Facts::default())).collect());
            }
        },
    };
    let expected = built.as_ref().map(|(_, test)| expected_path(subject, test));
    let question = built.as_ref().zip(expected.as_ref()).map(|((program, test), expected)| Question {
        program,
        args: &test.args,
        stdin: test.stdin.as_deref(),
        dir: None,
        expected: (telling == Telling::Expected).then_some(Expected { output: expected, status: 0 }),
        suite: (telling == Telling::Expected).then_some(&prepared.suite),
        right: (telling == Telling::Expected).then_some(&prepared.right),
        timeout: PATIENCE.as_secs(),
        budget,
    });
    let facts = asking.facts(question.as_ref())?;
    let answered = |technique: &Technique| Ok(row(technique, &asking.answer(technique, question.as_ref())?, &facts));
    techniques.iter().map(answered).collect()
}

/// Who asks about what: all but the question itself, which need not be made where all answers are known.
pub struct Asking<'a> {
    pub tools: &'a Tools,
    pub subject: &'a str,
    pub fault: &'a str,
    /// The name of the program's file.
    pub source: &'a str,
    pub made_from: &'a str,
}

impl Asking<'_> {
    pub fn answer(&self, technique: &Technique, question: Option<&Question<'_>>) -> Result<Answer> {
        let path = path_of(self.subject, self.fault, &technique.name);
        if let Some(answer) = kept(&path, self.made_from) {
            return Ok(answer);
        }
        let question = question.with_context(|| format!("an answer about {} vanished", self.fault))?;
        let answer = ask(self.tools, technique, question, self.source, self.made_from.to_owned())
            .with_context(|| format!("{}/{}, {}", self.subject, self.fault, technique.name))?;
        keep(&path, &answer)?;
        Ok(answer)
    }

    fn facts(&self, question: Option<&Question<'_>>) -> Result<Facts> {
        let path = path_of(self.subject, self.fault, FACTS);
        if let Some(facts) = kept(&path, self.made_from) {
            return Ok(facts);
        }
        let question = question.with_context(|| format!("facts about {} vanished", self.fault))?;
        match facts(self.tools, question, self.source, self.made_from.to_owned()) {
            Ok(facts) => {
                keep(&path, &facts)?;
                Ok(facts)
            }
            Err(error) => {
                // Then there is neither EXAM nor score, which the tables count as the worst.
                eprintln!("{}/{}: {error:#}", self.subject, self.fault);
                Ok(Facts::default())
            }
        }
    }
}

/// No technique has this name.
const FACTS: &str = "facts of the run";

fn is_all_known(asking: &Asking<'_>, techniques: &[Technique]) -> bool {
    let Asking { subject, fault, made_from, .. } = asking;
    let answered = |technique: &Technique| kept::<Answer>(&path_of(subject, fault, &technique.name), made_from);
    kept::<Facts>(&path_of(subject, fault, FACTS), made_from).is_some()
        && techniques.iter().all(|technique| answered(technique).is_some())
}

/// A tool is another one when it was written anew.
pub fn tools_now(tools: &Tools) -> Result<Vec<(u64, u128)>> {
    let age = |tool: &PathBuf| {
        let known = std::fs::metadata(tool)?;
        Ok((known.len(), known.modified()?.duration_since(UNIX_EPOCH)?.as_nanos()))
    };
    [&tools.faultline, &tools.cc].map(age).into_iter().collect()
}

fn expected_path(subject: &Subject, test: &Test) -> PathBuf {
    folder().join(&subject.name).join("expected").join(&test.name)
}

/// Runs the right version and writes what it prints, and the suite that says so.
pub fn prepare(tools: &Tools, subject: &Subject) -> Result<Prepared> {
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
    let right = build(tools, Compiler::Faultline, subject, &subject.source, &place.join("right"))?;
    Ok(Prepared { behaviours, suite: path, right })
}

/// The faulty program, and the first test that fails; by a crash, if nothing is told of it.
pub fn failing<'a>(
    tools: &Tools,
    subject: &'a Subject,
    fault: &Fault,
    prepared: &Prepared,
    telling: Telling,
) -> Result<(PathBuf, &'a Test)> {
    let place = folder().join(&subject.name).join("faulty").join(&fault.name);
    let program = build(tools, Compiler::Faultline, subject, &fault.change.text, &place)?;
    for (test, right) in subject.tests.iter().zip(&prepared.behaviours) {
        let shown = behaviour(&program, test)?;
        let is_meant = match telling {
            Telling::Expected => shown != *right,
            Telling::Nothing => matches!(shown.ending, Ending::Signal(_)),
        };
        if is_meant {
            return Ok((program, test));
        }
    }
    bail!("no test fails so")
}
