//! How much of a failure a change makes good.

use experiment::Outcome;
use findings::EvidenceKind;

/// The most first. What makes only the first wrong line right is a sign of what the output depends on, not yet of what is
/// wrong: measured, such places are no likelier than others that the failure depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Repair {
    /// The run is right.
    All,
    /// What was first wrong in the output is right, but not all that comes after it: the fault is at work more than once.
    First,
}

impl Repair {
    /// What a change that repairs so much is evidence of.
    pub fn evidence(self) -> EvidenceKind {
        match self {
            Repair::All => EvidenceKind::Experiment,
            Repair::First => EvidenceKind::Dependence,
        }
    }

    pub fn of(outcome: Outcome) -> Option<Repair> {
        match outcome {
            Outcome::Passes => Some(Repair::All),
            Outcome::FailsLater => Some(Repair::First),
            Outcome::FailsSame
            | Outcome::FailsOtherwise
            | Outcome::Crashes
            | Outcome::Hangs
            | Outcome::NeverReached
            | Outcome::CannotTell
            | Outcome::Refused => None,
        }
    }
}
