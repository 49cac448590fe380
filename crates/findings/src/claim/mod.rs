//! What is claimed of a place or a run, as plain data: what was changed, with which values, what came of it, what depends on it.
//!
//! There is one variant for each kind of claim, and no sentence in any: `report` makes sentences of them, and JSON has them
//! as they are.

mod change;
mod deed;
mod failure;
mod limit;
mod neighbour;
mod tried;

use serde::Serialize;

use crate::Location;

pub use change::{Also, Change, Edit, Outcome};
pub use deed::{Deed, TestDeed, TestValue};
pub use failure::{Failure, OutputLine, Signal};
pub use limit::{Caveat, Compared, Experiments, Limit, Read, Remedy, Spent, Untried};
pub use neighbour::{InputChange, InputPlace, Near, Neighbouring, Unexamined};
pub use tried::{Count, Generation, OtherEnd, Success, Tried};

/// A piece of the source, as the programmer wrote it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Expression(pub String);

/// A value, as a programmer of C would write it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Value(pub String);

impl From<&str> for Expression {
    fn from(text: &str) -> Expression {
        Expression(text.into())
    }
}

impl From<String> for Expression {
    fn from(text: String) -> Expression {
        Expression(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value(text)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "claim", rename_all = "kebab-case")]
pub enum Claim {
    /// A step of the failing run did this.
    Did { deed: Deed },
    /// It was executed; what it did has no name in the source.
    Executed,
    /// What is wrong with the run, and the step it shows at.
    Failed { failure: Failure, deed: Option<Deed> },

    /// With this change, this comes right.
    Repairs { change: Change, outcome: Outcome },
    /// Only together with changes at these places.
    Together { places: Vec<Location> },
    /// It was wrong already, and led to the failure from here on.
    WrongAlready,
    /// So many more evaluations of the condition do as well, changed alike.
    MoreEvaluations { count: u64 },
    /// With the change the program reaches the place where it failed, and continues.
    ReachesFailure { place: Brink },
    /// So many more conditions or assignments that repair the run depend on it.
    Explains { kind: Site, count: u64 },

    /// The failure depends on it, so many statements away, if that is known.
    FailureDepends { distance: Option<u32> },
    /// Of so many right lines of the output, so many depend on it as well.
    RightLinesDepend { depending: u32, examined: u32 },
    /// So many of the places where a change repairs the run use what was made here.
    RepairsUse { places: u32, of: u32 },
    /// Of runs on other inputs that do not fail and execute the place, so many do something else with that edit of the place
    /// that prevents the failure and changes the fewest.
    OtherRuns { changed: u32, of: u32 },

    /// Nothing is assigned to this variable before a line reads it.
    NeverAssigned { variable: Expression, line: u32 },
    /// What was never assigned is read here, by a library function or not.
    ReadsUnassigned { expression: Expression, is_call: bool },
    /// The run is another with other contents in locals that were not assigned.
    UnassignedMatters { is_right_with_zeros: bool },

    /// How many tests did something here.
    InTests { deed: TestDeed, failing: Share, passing: Share },
    /// What a formula makes of that, and the ranks of all that is as suspicious.
    Suspicion { formula: &'static str, value: f64, first: u64, last: u64 },

    /// What the failing run did here, beside another.
    Differs(Difference),
    /// A variable begins with other contents in the failing version than in the reference.
    BeginsOtherwise { variable: Option<Expression>, failing: Option<Value>, reference: Option<Value>, more: u64 },
    /// Nothing that this step depends on differs between the runs, but what it does.
    OnlyThisDiffers { from: Compared },
    /// Here the runs begin to differ in what leads to the failure.
    BeginsToDiffer { from: Compared },
    /// It is on the way from there to the failure.
    LeadsToFailure,

    /// A local variable that still had its initial value; with `hides`, another one of the same name.
    Initial { variable: Expression, hides: bool },
    /// What came of how a condition went.
    Effect { effect: Effect },
    /// What a run with this change shows: which line runs then or not, and what depends on that.
    Reveals { change: Change, revealed: Revealed, outcome: Option<Outcome> },
    /// A call did not change what a condition used.
    LeftUnchanged { condition: Location },
    /// It set another part of what a condition used.
    SetOtherPart { condition: Location },
    /// It did not run, because of a condition.
    NotExecuted { condition: Location },
    /// It ran because of a condition.
    ExecutedBecause { condition: Location },
    /// A condition uses the value computed here.
    UsedBy { condition: Location, effect: Option<Effect> },
    /// It decided on what a condition used.
    DecidedWhatUsed { condition: Location },
    /// The loop was left before its end.
    LeftLoop,
    /// It came out so for the first time, where something else should have been written.
    FirstTime,
    /// A switch has no case for a value.
    NoCase { line: u32, value: Option<Value> },
    /// A value may not have been set anew here.
    NotSet { variable: Option<Expression>, line: u32, sign: Sign },
    /// With a run that succeeds, whose path is the nearest, this condition goes another way, on its how many-th evaluation.
    Neighbour { near: Near, evaluation: u64 },
    /// A name of the preprocessor or an enumeration has its value from here, and is used at a line.
    NamedConstant { name: Expression, value: Value, line: u32 },
}

impl Claim {
    /// Whether another claim says the same and more.
    pub fn is_said_by(&self, other: &Claim) -> bool {
        match (self, other) {
            (Claim::FailureDepends { distance: None }, Claim::FailureDepends { distance: Some(distance) }) => {
                *distance > 0
            }
            (
                Claim::Reveals { change, revealed, outcome: None },
                Claim::Reveals { change: other, revealed: also, outcome: Some(_) },
            ) => (change, revealed) == (other, also),
            _ => false,
        }
    }
}

/// So many of so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Share {
    pub with: u32,
    pub of: u32,
}

/// Where a run failed that a changed one comes to again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Brink {
    Crash,
    Assertion,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Site {
    Condition,
    Assignment,
}

/// A statement in the failing run and in another.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    pub by: Doer,
    pub failing: Option<Deed>,
    pub other: Option<Deed>,
    /// Further executions, with the values of the last of them.
    pub more: u64,
    pub last: Option<(Value, Option<Value>)>,
    pub note: Option<Note>,
    /// What the other run does here alone.
    pub alone: Option<Box<Difference>>,
}

/// Who executes a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doer {
    /// The failing run, and the other as well or not.
    Failing,
    /// The other alone; the failing version has the statement.
    Other(Compared),
    /// The other alone; the failing version has something else here.
    OtherElsewhere(Compared),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// The reference has the statement in other words.
    Reworded,
    /// The change that repairs the run is made here.
    Changed,
    /// It is known by dependence, not by an experiment.
    ByDependence,
}

/// What a condition brought about by how it went; lines are of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Something did not run.
    Skipped {
        line: Option<u32>,
    },
    /// Something ran.
    Ran {
        line: Option<u32>,
    },
    /// The failure.
    Failure,
    Nothing,
}

/// What a changed run shows; a line that is not known is not in the program's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Revealed {
    /// A line runs then, and what `user` does comes to depend on it; without one, the failure does.
    Runs {
        line: Option<u32>,
        user: Option<u32>,
    },
    DoesNotRun {
        line: u32,
    },
    NoFailure,
}

/// Why a value may not have been set anew at a place.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "sign", rename_all = "kebab-case")]
pub enum Sign {
    /// It has its value from here.
    HasItFromHere,
    /// What belongs with it is set here.
    SetsWhatBelongsWithIt,
    /// This was done as often as the value is too small.
    AsOftenAsTooSmall { deed: Option<Deed>, times: u64 },
    /// A condition that could have let it be set.
    CouldHaveSet { deed: Option<Deed> },
    /// A call that was given it and left it unchanged.
    LeftUnchanged { deed: Option<Deed> },
    /// It lasts from one execution of the function to the next.
    Lasts,
    /// It keeps its value.
    Keeps,
    /// The function that set it ended.
    FunctionEnds,
    /// The function that uses it began.
    FunctionBegins,
}
