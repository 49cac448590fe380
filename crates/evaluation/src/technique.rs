//! What is measured: each way to ask faultline, by the command line that asks it.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, bail};
use techniques::{APART, Needs, TECHNIQUES};

/// A way to ask.
pub struct Technique {
    /// In tables, and of files.
    pub name: String,
    pub given: Given,
    pub how: How,
}

/// Who answers.
pub enum How {
    /// `faultline why`, with these techniques only; none: all.
    Why(Vec<&'static str>),
    /// Nobody: the lines executed last.
    Nearest,
    /// Nobody: the dynamic slice by distance.
    PlainSlice,
}

/// The yardsticks, each technique of faultline's table alone, and all together. A new one appears here, and in all tables, by itself.
/// With `ablation`, also all together but one.
pub fn techniques(ablation: bool) -> Vec<Technique> {
    let given = |needs: Needs| match needs {
        Needs::FailingRun => Given::FailingTest,
        Needs::Tests => Given::Both,
        // The right version judges other inputs.
        Needs::Judge => Given::Right,
    };
    let of_failing_run = TECHNIQUES.iter().filter(|one| one.needs == Needs::FailingRun);
    let yardstick = |name: &str, how| Technique { name: name.into(), given: Given::FailingTest, how };
    let mut all = vec![yardstick("nearest", How::Nearest), yardstick("plain slice", How::PlainSlice)];
    let alone = TECHNIQUES.iter().chain(APART).map(|one| Technique {
        name: one.name.into(),
        given: given(one.needs),
        how: How::Why(vec![one.name]),
    });
    all.extend(alone);
    all.push(Technique { name: "why".into(), given: Given::FailingTest, how: How::Why(vec![]) });
    all.push(Technique { name: "why+suite".into(), given: Given::Both, how: How::Why(vec![]) });
    all.push(Technique { name: "causes+right".into(), given: Given::Right, how: How::Why(vec!["causes"]) });
    all.push(Technique { name: "why+right".into(), given: Given::Right, how: How::Why(vec![]) });
    // The right version judges tests that are generated, and is not compared with.
    let judged: Vec<&str> = of_failing_run.clone().map(|one| one.name).filter(|name| *name != "causes").collect();
    let with_tests = judged.iter().copied().chain(["generate"]).collect();
    all.push(Technique { name: "why, judge unused".into(), given: Given::Right, how: How::Why(judged) });
    all.push(Technique { name: "why+judge".into(), given: Given::Right, how: How::Why(with_tests) });
    if ablation {
        let without_tests = of_failing_run.clone().map(|one| one.name).collect();
        all.push(Technique { name: "why-generate".into(), given: Given::FailingTest, how: How::Why(without_tests) });
        all.extend(of_failing_run.clone().map(|left_out| Technique {
            name: format!("why-{}", left_out.name),
            given: Given::FailingTest,
            how: How::Why(of_failing_run.clone().map(|one| one.name).filter(|name| *name != left_out.name).collect()),
        }));
    }
    all
}

/// What can be asked about one failing run of a program of several files.
pub fn of_one_run(all: Vec<Technique>) -> Vec<Technique> {
    let is_asked = |one: &Technique| one.given != Given::Both && matches!(one.how, How::Why(_));
    all.into_iter().filter(is_asked).collect()
}

/// Those asked for by name, or all.
pub fn chosen(all: Vec<Technique>, names: &[String]) -> Result<Vec<Technique>> {
    if let Some(name) = names.iter().find(|name| all.iter().all(|technique| technique.name != **name)) {
        let known: Vec<&str> = all.iter().map(|technique| technique.name.as_str()).collect();
        bail!("there is no technique {name}; there are {}", known.join(", "));
    }
    Ok(all.into_iter().filter(|one| names.is_empty() || names.contains(&one.name)).collect())
}

/// What a technique is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    FailingTest,
    /// The suite, too.
    Both,
    /// The failing test and the right version, as after a regression; not what to expect.
    Right,
}

/// What the failing test should do.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    pub output: &'a Path,
    pub status: i32,
}

/// All that could be told.
pub struct Question<'a> {
    pub program: &'a Path,
    /// Of the failing test.
    pub args: &'a [String],
    pub stdin: Option<&'a Path>,
    /// What each run gets a copy of.
    pub dir: Option<&'a Path>,
    /// None: that it crashes is enough.
    pub expected: Option<Expected<'a>>,
    /// None: there are no other tests.
    pub suite: Option<&'a Path>,
    /// The right version, instrumented, where it is at hand.
    pub right: Option<&'a Path>,
    /// Seconds for a run.
    pub timeout: u64,
    /// Seconds for the answer.
    pub budget: u32,
}

impl Technique {
    /// What `faultline` is given, with these techniques.
    pub fn arguments(&self, only: &[&str], question: &Question<'_>) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["why".into()];
        let mut option = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        option("--format", "json".into());
        option("--timeout", question.timeout.to_string().into());
        match question.right.filter(|_| self.given == Given::Right) {
            Some(right) => option("--reference", right.into()),
            None => {
                if let Some(expected) = question.expected {
                    option("--expect", expected.output.into());
                    option("--expect-exit", expected.status.to_string().into());
                }
            }
        }
        option("--budget", question.budget.to_string().into());
        option("--stdin", question.stdin.unwrap_or(Path::new("/dev/null")).into());
        for name in only {
            option("--technique", name.into());
        }
        if let Some(suite) = question.suite.filter(|_| self.given == Given::Both) {
            option("--tests", suite.into());
        }
        if let Some(dir) = question.dir {
            option("--dir", dir.into());
        }
        arguments.push("--".into());
        arguments.push(question.program.into());
        arguments.extend(question.args.iter().map(OsString::from));
        arguments
    }
}
