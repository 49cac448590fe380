//! What could not be examined, and what must be known before anything is believed.

use serde::Serialize;

use super::{Expression, Unexamined, Value};
use crate::Location;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "limit", rename_all = "kebab-case")]
pub enum Limit {
    /// A sentence of what runs and records the program, which knows why better than could be told by kinds: threads and
    /// children that were not recorded, what the sandbox refused, what the system lacks, a file that is not there.
    Stated {
        text: String,
    },
    /// The search ended while something was being done.
    Unfinished {
        spent: Spent,
        doing: String,
    },
    Interrupted,
    /// Experiments reach only the first thread.
    OtherThread,
    NeedsTests {
        technique: String,
    },
    NoTimeFor {
        technique: String,
        answers: String,
        remedy: Remedy,
    },
    GivenUp {
        spent: Spent,
        technique: String,
        answers: String,
    },
    NotUsable {
        technique: String,
        error: String,
    },
    /// It is not known what the edits that prevent the failure do to other runs; without a reason, there was no time.
    OtherRunsUnknown {
        because: Option<String>,
    },
    NoChain {
        spent: Spent,
    },
    /// So many of so many experiments of a kind were made.
    NotAllTried {
        kind: Experiments,
        tried: u64,
        of: u64,
    },
    /// Of the failure's dependences not all were known when the first conditions were tried.
    TriedLate {
        spent: Spent,
    },
    LastEvaluations {
        of: u64,
        considered: u64,
    },
    /// Combinations of states that were not changed together; so many were.
    CombinationsLeftOut {
        examined: u64,
    },
    /// Changed runs that could not be replayed, so it is not known whether they come to the place of the failure.
    NotReplayed {
        runs: u64,
    },
    /// Changes of which it was not checked whether the program comes to the place of the failure.
    NotChecked {
        changes: u64,
    },
    UnknownEffects {
        function: Expression,
    },
    LatestSteps {
        steps: u64,
    },
    /// Lines that kept something from happening are not in the slice.
    NoPotential {
        spent: Option<Spent>,
    },
    /// Whether locals were read that were never assigned is not known.
    UnassignedUnknown {
        because: Option<String>,
    },
    NoTestPasses,
    UndecidedTests {
        names: Vec<String>,
    },
    TestsNotRun {
        count: u64,
    },
    /// What input became was not followed at so many places, most often at this one.
    InputNotFollowed {
        places: u64,
        function: Expression,
        line: u32,
    },
    /// Tests that could have been generated, and were not.
    NotGenerated {
        kind: Untried,
        count: u64,
    },
    /// Failures on the way that are not listed.
    MoreOtherFailures {
        count: u64,
    },
    /// Only the failing input could be judged, forced along other paths.
    OtherInputsNotJudged,
    /// Paths that were not examined, or not to the end.
    PathsNotExamined {
        kind: Unexamined,
        count: u64,
    },
    /// The failing run has more branches than were looked at.
    PathCut,
    /// There are more paths; the failing run has so many branches that can be reversed.
    PathsUnfinished {
        branches: u64,
    },
    ReferenceNotRecorded {
        error: String,
    },
    NotDeterministic {
        which: Compared,
    },
    NothingDiffers {
        which: Compared,
    },
    MoreDifferences,
    UnknownDifferences {
        function: Expression,
    },
    WayCutShort,
    NoRepairToCompare,
    RepairsNotComparable,
    /// Omissions were not looked for.
    NoOmissions {
        spent: Option<Spent>,
    },
    LatestInstructions {
        count: u64,
    },
    OmissionsNotReplayed {
        runs: u64,
    },
    LikeliestUses,
    OmissionsUnfinished,
    /// The page counts and draws the latest steps.
    PageSteps {
        steps: u64,
    },
    TooLongBeside,
    /// Experiments that changed no step of the first thread are not listed.
    NotListed {
        experiments: u64,
    },
    PageRows {
        rows: u64,
        shown: u64,
    },
    PageNotWritten {
        error: String,
    },
    /// Source that cannot be read is not shown.
    MissingSources {
        files: Vec<String>,
    },
}

/// What there was no more of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spent {
    Time,
    Memory,
    Interrupted,
}

/// What would have helped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    None,
    Memory,
    Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Experiments {
    Switches,
    Edits,
    Values,
}

/// What the failing run is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compared {
    /// Another version, which somebody has named.
    Reference,
    /// Itself, with a change that repairs it.
    Repaired,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "caveat", rename_all = "kebab-case")]
pub enum Caveat {
    /// A sentence of what runs the program: how it differs there from outside.
    Stated { text: String },
    /// The program reads locals that were never assigned; each byte of them was this in all runs, if they were filled.
    Unassigned { reads: Vec<Read>, fill: Option<Value> },
}

/// A read of what was never assigned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Read {
    pub expression: Expression,
    #[serde(flatten)]
    pub location: Location,
}

/// Why tests were not generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Untried {
    /// A solver did not find out in time whether there is an input.
    Undecided,
    /// The same run has many such conditions.
    Alike,
    /// The input could not be run, or its run not be replayed.
    NotRun,
    /// The path had too many conditions.
    Beyond,
}
