//! What was changed in a run, and what came of it.

use serde::Serialize;

use super::{Expression, Value};
use crate::Location;

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// Something was changed here; more was not yet written down.
    Something,
    /// A condition came out so, on its how many-th evaluation.
    Condition { outcome: bool, evaluation: u64, also: Option<Also> },
    /// A switch took another case.
    Case { value: Value, evaluation: u64, also: Option<Also> },
    /// Something else was computed at each execution, of which there were so many.
    Edit { edit: Edit, executions: Option<u64>, also: Option<Also> },
    /// Another value was stored; `is_former`: what was there before.
    Assignment { value: Value, instead: Option<Value>, is_former: bool },
    /// Any value between two was stored, both included.
    Values { of: Option<Expression>, least: Value, most: Value },
    /// A variable had another value where it was used: at a line, or stored in it.
    Variable { variable: Option<Expression>, line: Option<u32>, value: Value, instead: Value },
}

/// What was changed with it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Also {
    /// A later condition was reversed.
    Later { at: Option<Location> },
    /// A condition inside it was reversed.
    Inside,
    /// All evaluations were changed.
    Always,
}

/// Something else written in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(tag = "edit", rename_all = "kebab-case")]
pub enum Edit {
    Instead {
        written: Expression,
        other: Expression,
    },
    Always {
        condition: Expression,
        outcome: bool,
    },
    Without {
        written: Expression,
    },
    /// Of what has no name in the source.
    Unnamed,
}

/// What comes right in a changed run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "right", rename_all = "kebab-case")]
pub enum Outcome {
    Output,
    ExitStatus,
    /// The check passes.
    Check,
    /// The program does not fail.
    Run,
    /// This line of the output, which was the first wrong one.
    OutputLine {
        line: u64,
    },
    /// What was wrong first.
    FirstWrong,
}
