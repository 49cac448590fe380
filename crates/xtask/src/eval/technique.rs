//! What is measured: each way to ask faultline, by the command line that asks it.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use testkit::Tools;

/// A new technique is a new line here, and appears in all tables.
pub const TECHNIQUES: [Technique; 4] = [
    Technique { name: "switch", command: "switch", given: Given::FailingTest },
    Technique { name: "rank", command: "rank", given: Given::Suite },
    Technique { name: "why", command: "why", given: Given::FailingTest },
    Technique { name: "why+suite", command: "why", given: Given::Both },
];

pub struct Technique {
    /// In tables, and of files.
    pub name: &'static str,
    /// The subcommand of `faultline`.
    pub command: &'static str,
    pub given: Given,
}

/// What a technique is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    FailingTest,
    Suite,
    Both,
}

/// All that could be told.
pub struct Question<'a> {
    pub program: &'a Path,
    /// Of the failing test.
    pub args: &'a [String],
    pub stdin: Option<&'a Path>,
    pub expected: &'a Path,
    pub suite: &'a Path,
    /// Seconds for a run.
    pub timeout: u64,
    /// Seconds for the answer.
    pub budget: u32,
}

impl Technique {
    pub fn arguments(&self, question: &Question<'_>) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec![self.command.into()];
        let mut option = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        option("--format", "json".into());
        option("--timeout", question.timeout.to_string().into());
        if self.given != Given::Suite {
            option("--expect", question.expected.into());
            option("--expect-exit", "0".into());
            option("--budget", question.budget.to_string().into());
            option("--stdin", question.stdin.unwrap_or(Path::new("/dev/null")).into());
        }
        if self.given != Given::FailingTest {
            option("--tests", question.suite.into());
        }
        arguments.push("--".into());
        arguments.push(question.program.into());
        if self.given != Given::Suite {
            arguments.extend(question.args.iter().map(OsString::from));
        }
        arguments
    }

    /// Whether the staged tool knows it.
    pub fn exists(&self, tools: &Tools) -> bool {
        let mut help = Command::new(&tools.faultline);
        help.args([self.command, "--help"]).stdout(Stdio::null()).stderr(Stdio::null());
        help.status().is_ok_and(|status| status.success())
    }
}
