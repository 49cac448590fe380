//! Evidence without what says the same twice.
//!
//! One technique says of a change that it repairs the run, another what it reveals as well: that is one piece of evidence, and
//! what is said of it is all that either knows.

use findings::{Also, Change, Claim, Evidence, Outcome, Revealed};

pub fn folded(all: Vec<Evidence>) -> Vec<Evidence> {
    let mut kept: Vec<Evidence> = Vec::new();
    for evidence in all {
        if kept.iter().any(|other| evidence.claim.is_said_by(&other.claim)) {
            continue;
        }
        kept.retain(|other| !other.claim.is_said_by(&evidence.claim));
        match kept.iter_mut().find_map(|other| Some((joined(&other.claim, &evidence.claim)?, other))) {
            Some((claim, other)) if other.kind == evidence.kind => other.claim = claim,
            _ => kept.push(evidence),
        }
    }
    kept
}

/// Two claims as one, if they are of one change with one outcome.
fn joined(one: &Claim, other: &Claim) -> Option<Claim> {
    if let (
        Claim::Reveals { change, revealed, outcome },
        Claim::Reveals { change: same, revealed: also, outcome: right },
    ) = (one, other)
    {
        let revealed = match (revealed, also) {
            (Revealed::NoFailure, more) | (more, Revealed::NoFailure) => *more,
            _ => return None,
        };
        let outcome = outcome.zip(*right).and_then(|(one, other)| both(one, other)).filter(|_| is_same(change, same));
        return outcome.map(|outcome| Claim::Reveals { change: change.clone(), revealed, outcome: Some(outcome) });
    }
    let (change, outcome, reveals) = match (one, other) {
        (Claim::Repairs { change, outcome }, reveals @ Claim::Reveals { .. })
        | (reveals @ Claim::Reveals { .. }, Claim::Repairs { change, outcome }) => (change, outcome, reveals),
        _ => return None,
    };
    let Claim::Reveals { change: same, revealed, outcome: right } = reveals else { return None };
    let outcome = right.and_then(|right| both(*outcome, right)).filter(|_| is_same(change, same))?;
    // That there is no failure is no more than that all is right.
    Some(match revealed {
        Revealed::NoFailure => Claim::Repairs { change: change.clone(), outcome },
        _ => Claim::Reveals { change: change.clone(), revealed: *revealed, outcome: Some(outcome) },
    })
}

/// What comes right, if two claims mean the same by it: the first wrong line of the output has a number.
fn both(one: Outcome, other: Outcome) -> Option<Outcome> {
    match (one, other) {
        (line @ Outcome::OutputLine { .. }, Outcome::FirstWrong)
        | (Outcome::FirstWrong, line @ Outcome::OutputLine { .. }) => Some(line),
        _ => (one == other).then_some(one),
    }
}

/// Whether two changes are the same, though only one of them may say how often it took effect.
fn is_same(one: &Change, other: &Change) -> bool {
    match (one, other) {
        // Something else that is written there is so every time.
        (
            Change::Edit { edit, also: None | Some(Also::Always), .. },
            Change::Edit { edit: same, also: None | Some(Also::Always), .. },
        ) => edit == same,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use findings::{Edit, EvidenceKind};

    use super::*;

    fn edit(executions: Option<u64>) -> Change {
        let edit = Edit::Instead { written: "a < b".into(), other: "a <= b".into() };
        Change::Edit { edit, executions, also: None }
    }

    fn shown(claim: Claim) -> Evidence {
        Evidence { kind: EvidenceKind::Experiment, claim }
    }

    #[test]
    fn what_one_change_shows_is_said_once() {
        let outcome = Outcome::Output;
        let repairs = Claim::Repairs { change: edit(Some(3)), outcome };
        let reveals = |revealed, change| Claim::Reveals { change, revealed, outcome: Some(outcome) };
        let runs = Revealed::Runs { line: Some(7), user: None };
        let both = vec![shown(repairs.clone()), shown(reveals(runs, edit(None)))];
        assert_eq!(folded(both.clone()), [shown(reveals(runs, edit(Some(3))))]);
        assert_eq!(folded(both.into_iter().rev().collect()), [shown(reveals(runs, edit(Some(3))))]);
        let first = |outcome, revealed| Claim::Reveals { change: edit(None), revealed, outcome: Some(outcome) };
        let same = vec![
            shown(first(Outcome::FirstWrong, runs)),
            shown(Claim::Repairs { change: edit(None), outcome: Outcome::OutputLine { line: 2 } }),
        ];
        assert_eq!(folded(same), [shown(first(Outcome::OutputLine { line: 2 }, runs))]);
        let nothing_new = vec![shown(repairs.clone()), shown(reveals(Revealed::NoFailure, edit(None)))];
        assert_eq!(folded(nothing_new), [shown(repairs.clone())]);
    }

    #[test]
    fn other_changes_and_outcomes_are_said_apart() {
        let repairs = shown(Claim::Repairs { change: edit(Some(3)), outcome: Outcome::Output });
        let revealed = Revealed::DoesNotRun { line: 7 };
        let other = Claim::Reveals { change: edit(None), revealed, outcome: Some(Outcome::FirstWrong) };
        let all = vec![repairs, shown(other)];
        assert_eq!(folded(all.clone()), all);
    }
}
