//! Fault localization.
//!
//! In: a failing case in its lab. Out: claims, and limits of what could be examined; no sentences.
//! Deliberately absent: output; knowledge of each other. What two techniques need lies in `subject`, `execution` or `experiment`;
//! those that find what did not run are in `absence`, those that ask a solver in `solving`.
//! `why` puts together what the techniques of the table find; `story` is the failing run as a page shows it beside that.

pub mod unassigned;
pub mod slice;
pub mod edit;
pub mod causes;
pub mod switch;
pub mod replace;
pub mod rank;
pub mod why;
pub mod story;

pub use absence::{missing, omission};
pub use solving::{exploring, frontier, generate, paths};
pub use subject::{
    Effort, Fineness, Found, Means, Notebook, Omitted, Passage, Progress, Quiet, Remedy, Repair, Subject, Suspect,
    TechniqueError, asking, departed, with_subject,
};

/// One technique, as the command line and the documentation list it.
pub struct Technique {
    pub name: &'static str,
    /// What it answers.
    pub summary: &'static str,
    pub needs: Needs,
    pub find: fn(&Subject<'_, '_>) -> Result<Found, TechniqueError>,
}

impl Technique {
    /// Whether it shows things by changed runs.
    pub fn makes_experiments(&self) -> bool {
        !matches!(self.name, "slice" | "rank" | "generate")
    }
}

/// What must be there for a technique to work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    FailingRun,
    /// A suite of tests, too.
    Tests,
    /// An oracle that can judge runs on other inputs, too.
    Judge,
}

/// Those with a command of their own that no diagnosis uses yet.
pub const APART: &[Technique] = &[
    Technique {
        name: "frontier",
        summary: "where, between the start of the run and the failure, the state went wrong",
        needs: Needs::FailingRun,
        find: frontier::find,
    },
    Technique {
        name: "paths",
        summary: "which conditions go the other way in the nearest run that succeeds",
        needs: Needs::Judge,
        find: paths::find,
    },
];

/// In the order in which a diagnosis uses them: the cheap ones first.
pub const TECHNIQUES: &[Technique] = &[
    Technique {
        name: "slice",
        summary: "which lines the failure depends on, the nearest first",
        needs: Needs::FailingRun,
        find: slice::find,
    },
    Technique {
        name: "unassigned",
        summary: "which local variable was read before anything was assigned to it",
        needs: Needs::FailingRun,
        find: unassigned::find,
    },
    Technique {
        name: "edit",
        summary: "which small edit of a condition or an assignment would have prevented the failure",
        needs: Needs::FailingRun,
        find: edit::find,
    },
    Technique {
        name: "switch",
        summary: "which condition, had its outcome been reversed, would have prevented the failure",
        needs: Needs::FailingRun,
        find: switch::find,
    },
    Technique {
        name: "omission",
        summary: "which condition skipped code that would have prevented the failure",
        needs: Needs::FailingRun,
        find: omission::find,
    },
    Technique {
        name: "replace",
        summary: "which assignment, had it stored another value, would have prevented the failure",
        needs: Needs::FailingRun,
        find: replace::find,
    },
    Technique {
        name: "causes",
        summary: "how the failure came about, step by step, by comparison with a correct run",
        needs: Needs::FailingRun,
        find: causes::find,
    },
    Technique {
        name: "rank",
        summary: "which lines failing tests have in common and passing tests do not",
        needs: Needs::Tests,
        find: rank::find_with_case,
    },
    Technique {
        name: "generate",
        summary: "which lines generated tests near the failing one tell apart",
        needs: Needs::Judge,
        find: generate::find,
    },
];
