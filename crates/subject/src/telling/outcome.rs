//! What comes right in a changed run, as far as the oracle says.

use failure::Failure;
use findings::{Brink, Claim, Count, Evidence, EvidenceKind, Outcome, Success};

use crate::{Repair, Subject};

pub fn outcome(subject: &Subject<'_, '_>, repair: Repair) -> Outcome {
    if repair == Repair::First {
        return Outcome::OutputLine { line: first_wrong(subject) };
    }
    match subject.lab.oracle() {
        oracle if oracle.output.is_some() => Outcome::Output,
        oracle if oracle.status.is_some() => Outcome::ExitStatus,
        oracle if oracle.check.is_some() => Outcome::Check,
        _ => Outcome::Run,
    }
}

/// That a run comes to where the failing one failed, and goes on.
pub fn reaches_failure(subject: &Subject<'_, '_>) -> Evidence {
    let place = match subject.question.failure {
        Failure::Assertion { .. } => Brink::Assertion,
        _ => Brink::Crash,
    };
    Evidence { kind: EvidenceKind::Experiment, claim: Claim::ReachesFailure { place } }
}

/// The number of the first line of the output that is not as expected.
fn first_wrong(subject: &Subject<'_, '_>) -> u64 {
    let found = &subject.lab.baseline().ran.output;
    let expected = subject.lab.oracle().output.as_deref().unwrap_or_default();
    let same = found.iter().zip(expected).take_while(|(found, expected)| found == expected);
    same.filter(|(found, _)| **found == b'\n').count() as u64 + 1
}

/// How many experiments made a run better, and at how many places of the source.
pub fn success(repairs: impl Fn(Repair) -> u64, places: impl Fn(Repair) -> u64) -> Success {
    let count = |repair| Count { changes: repairs(repair), places: places(repair) };
    Success { run: count(Repair::All), first: count(Repair::First) }
}
