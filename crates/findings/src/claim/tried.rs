//! What was tried and with what success.

use serde::Serialize;

use super::{Compared, Neighbouring, Signal};
use crate::Location;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "tried", rename_all = "kebab-case")]
pub enum Tried {
    /// Evaluations of conditions were changed; `ways`, if one of a switch was in several.
    Switched {
        evaluations: u64,
        of: u64,
        ways: Option<u64>,
        pairs: u64,
        success: Success,
    },
    /// Assignments stored other values.
    Replaced {
        values: u64,
        assignments: u64,
        success: Success,
    },
    /// Conditions and assignments were edited.
    Edited {
        edits: u64,
        places: u64,
        success: Success,
    },
    /// The same for a crash, where most edits that avoid it are not right; `again`: with which the program reaches the place
    /// of the crash again.
    EditedToAvoid {
        edits: u64,
        places: u64,
        avoided: u64,
        again: Count,
    },
    /// The run was cut, so many times, and values and conditions of the cuts were changed; `said`: what a person called right
    /// and wrong.
    Cut {
        steps: u64,
        turns: u64,
        states: u64,
        combinations: u64,
        polluted: u64,
        said: (u64, u64),
    },
    NoEdits,
    NoOtherValues,
    /// Dependences were followed back from the failure.
    Followed {
        steps: u64,
        lines: u64,
    },
    Tests {
        run: u64,
        failing: u64,
        passing: u64,
    },
    /// Locals that were not assigned had other contents.
    FilledLocals {
        is_right_with_zeros: bool,
    },
    Compared {
        with: Compared,
        steps: u64,
        is_shown: bool,
        experiments: u64,
    },
    /// The failing input was made smaller first; in bytes.
    Shrunk {
        from: u64,
        to: u64,
    },
    /// Paths near that of the failing run were examined; `reversed`: conditions that go another way in the one that succeeds;
    /// `at_most`: where paths with more of them were left for later.
    Paths {
        judged: Neighbouring,
        paths: u64,
        impossible: u64,
        failing: u64,
        undecided: u64,
        reversed: Option<u64>,
        at_most: Option<u64>,
    },
    /// Code was looked for that should have run; `said`: what a person called right and wrong.
    Omissions {
        steps: u64,
        unsure: u64,
        conditions: u64,
        effective: u64,
        repairs: bool,
        left: u64,
        said: (u64, u64),
    },
    /// Tests were generated near the failing one; `otherwise`: those that fail, but in another way.
    Generated {
        selection: String,
        tests: u64,
        failing: u64,
        passing: u64,
        otherwise: u64,
        undecided: u64,
        questions: u64,
        ended: Generation,
    },
    /// Such a way; `example`: the name of the first test.
    OtherFailure {
        end: OtherEnd,
        location: Option<Location>,
        tests: u64,
        example: String,
    },
}

/// Why no more tests were generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Generation {
    /// The ranking did not change any more.
    Settled,
    /// No condition was left.
    Exhausted,
    /// As many as are made at most.
    Enough,
    Spent,
}

/// How a test failed otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum OtherEnd {
    Signal {
        signal: Signal,
    },
    Status {
        status: i32,
    },
    Hang,
    /// It took more than it was allowed.
    Stopped,
}

/// How many changes made a run better, and at how many places.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Success {
    /// Made the run right.
    pub run: Count,
    /// Made what was wrong first right.
    pub first: Count,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Count {
    pub changes: u64,
    pub places: u64,
}
