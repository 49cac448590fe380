//! Path conditions: what had to hold of the symbols for the run to go as it went.

use replay::Step;
use smt::Term;

/// Why something had to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A branch.
    Branch,
    /// A choice among several ways.
    Switch,
    /// A choice between two values.
    Select,
    /// An index stayed within its table.
    Bound,
    /// A division did not trap.
    NoTrap,
    /// As much was read as was read: the input was no longer.
    Length,
    /// The input was no shorter. Each such condition of an input holds if a later one does.
    Reached,
    /// A line, or a number, ended where it ended.
    Extent,
    /// An address or a size was bound to its value. That is no fact of the program's, but one of ours: it may be given up. What
    /// else could have held is an address far from there.
    Pin,
}

/// One condition.
#[derive(Clone, Debug)]
pub struct Condition {
    pub at: Step,
    pub kind: Kind,
    /// What held; one bit.
    pub holds: Term,
    /// Where control went.
    pub went: Way,
    /// What else could have held in its place, each of which leads another way.
    pub others: Vec<Other>,
    /// Which evaluation it is.
    pub evaluation: Evaluation,
    /// A plan of the run made it so: under the symbols' values in the run it does not hold.
    pub forced: bool,
}

impl Condition {
    /// One that the program does not have, but that must hold as well.
    pub fn added(at: Step, kind: Kind, holds: Term, others: Vec<Other>) -> Condition {
        let evaluation = Evaluation { place: 0, count: 0, before: None };
        Condition { at, kind, holds, went: Way::Elsewhere, others, evaluation, forced: false }
    }
}

/// Which evaluation of a condition it is. Two runs that came as far in the same loop have the same there, whatever came before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// A number made of the site and of the calls that led there.
    pub place: u64,
    /// How many times this execution of the function has come there.
    pub count: u32,
    /// The way that it took the last time, and how many times in a row.
    pub before: Option<(Way, u32)>,
}

impl Evaluation {
    /// How many times in a row this way is taken, if it is taken now.
    pub fn in_a_row(&self, way: Way) -> u32 {
        match self.before {
            Some((last, times)) if last == way => times + 1,
            Some(_) | None => 1,
        }
    }
}

/// Another way than that of the run.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    pub holds: Term,
    pub way: Way,
}

/// Where control goes from a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// This way of a branch.
    Branch(bool),
    /// To the block of this position among the cases of a switch, the default last.
    Case(u32),
    /// Another one than the run's: nothing but the next run can tell which.
    Elsewhere,
}

/// What a run's path hinged on, in its order.
#[derive(Clone, Default, Debug)]
pub struct Path {
    pub conditions: Vec<Condition>,
    /// A number for all of them, in their order: two runs of which it is the same have the same turns.
    pub identity: u64,
    /// Conditions that were left out, since there were too many.
    pub beyond: u64,
}
