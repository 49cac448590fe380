//! What a page shows beside the findings: the failing run itself, as far as it matters.
//!
//! Every part may be empty. Sizes are bounded by whoever fills it, so that a page of a long run stays quick; what was
//! left out is counted.

use serde::Serialize;

use crate::{Edit, Expression, Failure, Limit, Link, Location, Value};

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Story {
    pub case: CaseTold,
    /// Files that have something to do with the failure, the most suspicious first.
    pub files: Vec<SourceText>,
    /// From the cause to the failure.
    pub chain: Vec<ChainStep>,
    /// The failing run beside one that went right.
    pub runs: Option<SideBySide>,
    pub graph: GraphTold,
    pub experiments: Vec<ExperimentTold>,
    /// What could not be shown.
    pub limits: Vec<Limit>,
}

/// What was run, and how it is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CaseTold {
    /// As one would type it.
    pub command: String,
    /// What a right run is known by, if there is a case.
    pub oracle: Option<OracleTold>,
    pub failure: Option<Failure>,
}

/// What is expected of a right run; where nothing is, it ends and is not killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct OracleTold {
    pub output: bool,
    pub status: bool,
    pub check: bool,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SourceText {
    /// As locations name it.
    pub path: String,
    /// Parts of the file, in its order.
    pub excerpts: Vec<Excerpt>,
    /// Of lines that code was made of, in order.
    pub facts: Vec<LineFacts>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Excerpt {
    /// The number of the first line, from 1.
    pub first: u32,
    pub lines: Vec<String>,
}

/// What a line did in the failing run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct LineFacts {
    pub line: u32,
    pub executions: u64,
    /// Executions that the failure depends on.
    pub in_slice: u64,
    /// Between 0 and 1: the score of the best finding here.
    pub suspicion: f64,
    /// The latest that the failure depends on, in the order of execution.
    pub values: Vec<ValueTold>,
    /// The line of a condition because of which it did not run where it should have.
    pub omitted: Option<u32>,
}

/// What a step did: assigned, decided, called or returned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ValueTold {
    pub text: String,
    /// Which execution of its site this was, from 1.
    pub execution: u64,
    pub clock: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ChainStep {
    pub link: Link,
    /// What it used: an expression and its value.
    pub used: Vec<(String, String)>,
    pub clock: Option<u64>,
    /// How it hangs together with the step before.
    pub by: Option<EdgeKind>,
}

/// Two runs, row by row.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SideBySide {
    /// How many changes the other run had.
    pub changes: u64,
    pub rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    pub kind: RowKind,
    pub failing: Option<Cell>,
    pub other: Option<Cell>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// Both executed it, with the same value.
    Same,
    /// Both executed it, with different values.
    Differs,
    /// Here control goes different ways.
    Parts,
    /// Only one of them executed it.
    Alone,
    /// So many statements are not shown.
    Gap(u64),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cell {
    pub location: Option<Location>,
    pub text: String,
}

/// Dependences around the failure.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GraphTold {
    /// In the order of execution.
    pub vertices: Vec<VertexTold>,
    pub edges: Vec<EdgeTold>,
    /// Statements that were left out.
    pub omitted: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VertexTold {
    pub location: Option<Location>,
    /// What it did; none where the source has no words for it.
    pub text: Option<String>,
    pub standing: Standing,
    /// How many steps it stands for.
    pub steps: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    Failure,
    /// A place among the first findings.
    Suspect,
    /// On the way from the cause to the failure.
    Chain,
    Other,
}

/// `from` made or decided what `to` used; both by position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct EdgeTold {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeKind {
    Data,
    Control,
    /// It could have made what was used, had it gone the other way.
    Potential,
}

/// Experiments of one kind at one place that showed the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExperimentTold {
    pub change: ChangeTold,
    /// How many more changes the run had.
    pub others: u64,
    pub location: Option<Location>,
    pub outcome: OutcomeTold,
    /// How many there were.
    pub count: u64,
}

/// What was changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeTold {
    /// It was given a value.
    Made {
        changed: Changed,
        value: Value,
    },
    Edited {
        edit: Edit,
    },
    /// Memory was changed before it.
    Memory {
        changed: Changed,
    },
    /// The way from it on was forced, for so many choices.
    Forced {
        changed: Changed,
        choices: u64,
    },
    /// The run ended at it.
    Stopped {
        changed: Changed,
    },
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Changed {
    Expression(Expression),
    Switch(Expression),
    /// A value without a name.
    Unnamed,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeTold {
    Passes,
    FailsLater,
    FailsOtherwise,
    Crashes,
    Hangs,
    FailsSame,
    NeverReached,
    CannotTell,
    Refused,
}
