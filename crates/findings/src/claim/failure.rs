//! What is wrong with a run, as whoever sees it would say: lines of output rather than bytes.

use serde::Serialize;

use super::Expression;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "failure", rename_all = "kebab-case")]
pub enum Failure {
    Crash {
        signal: Signal,
    },
    /// In a function that is not the program's own, called here.
    CrashOutside {
        signal: Signal,
        function: Expression,
    },
    /// Of `assert`; with the condition, if it is known.
    Assertion {
        condition: Option<Expression>,
    },
    /// The program ends itself by this function.
    GivesUp {
        function: Expression,
    },
    /// In a loop.
    Hang,
    /// In a function that does not return, called here.
    Waits {
        function: Expression,
    },
    Status {
        status: i32,
    },
    /// A byte of standard output, counted from 1, of which nothing is known to be right.
    Byte {
        byte: u64,
    },
    /// A byte is another than expected; none where the output has no more.
    WrongByte {
        byte: u64,
        found: Option<u8>,
        expected: Option<u8>,
    },
    WrongLine {
        line: u64,
        is: OutputLine,
    },
    /// The last line of the output ends otherwise.
    LastLineEnd,
}

/// How a line of the output differs. Of long lines the part where they do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputLine {
    Instead {
        found: String,
        expected: String,
    },
    /// The output should have ended before.
    TooMuch {
        found: String,
    },
    Missing {
        expected: String,
    },
    /// In its end only.
    LineEnd,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Signal {
    pub number: i32,
    /// Its name, and what the common ones mean.
    pub name: String,
}
