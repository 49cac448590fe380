//! Asking a person which tests are right, the most telling first.
//!
//! A test tells much if it did about half of what is most suspicious now: whichever the answer is, much of that is no longer
//! so. When no test is left that tells any of it apart, there is nothing to ask.

use std::collections::HashSet;

use experiment::{Case, Input, Ran};
use spectrum::{Coverage, Formula, Group, Spectrum, Tuple};

use super::{Generated, Verdict};

/// Somebody who knows what is right.
pub trait Person: Sync {
    fn say(&self, test: &Shown<'_>) -> Said;
}

/// What a person is shown.
pub struct Shown<'a> {
    pub case: &'a Case,
    pub input: &'a Input,
    pub ran: &'a Ran,
    /// How many tests could be asked about after this one, at most.
    pub left: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Right,
    Wrong,
    Unknown,
    /// No more questions.
    Enough,
}

/// A test without a verdict.
pub struct Pending {
    /// Position among the tests.
    pub test: usize,
    pub did: Coverage,
}

/// Asks as long as an answer tells something.
pub(super) fn ask(generated: &mut Generated, case: &Case, mut pending: Vec<Pending>, person: &dyn Person) {
    while let Some(best) = most_telling(&generated.measured.spectrum, &pending) {
        let Pending { test, did } = pending.swap_remove(best);
        let asked = &generated.tests[test];
        let said = person.say(&Shown { case, input: &asked.input, ran: &asked.ran, left: pending.len() });
        let verdict = match said {
            Said::Enough => {
                generated.tests[test].verdict = Verdict::Undecided;
                break;
            }
            Said::Unknown => Verdict::Undecided,
            Said::Right => Verdict::Passes,
            Said::Wrong => Verdict::Fails,
        };
        generated.questions += 1;
        generated.tests[test].verdict = verdict;
        match verdict {
            Verdict::Passes => generated.measured.add(Group::Passing, did),
            Verdict::Fails => generated.measured.add(Group::Failing, did),
            Verdict::FailsOtherwise | Verdict::Pending | Verdict::Undecided => {}
        }
    }
    for rest in pending {
        generated.tests[rest.test].verdict = Verdict::Undecided;
    }
}

/// The position of the test that tells most; none if no test tells anything.
fn most_telling(spectrum: &Spectrum<Tuple>, pending: &[Pending]) -> Option<usize> {
    let worst = most_suspicious(spectrum);
    let telling = |at: &usize| {
        let done = pending[*at].did.keys().filter(|tuple| worst.contains(tuple)).count();
        done.min(worst.len() - done)
    };
    let best = (0..pending.len()).rev().max_by_key(telling)?;
    (telling(&best) > 0).then_some(best)
}

fn most_suspicious(spectrum: &Spectrum<Tuple>) -> HashSet<&Tuple> {
    let suspicion = |counts| Formula::Ochiai.suspicion(counts);
    let highest = spectrum.deeds().map(|(_, counts)| suspicion(counts)).fold(0.0, f64::max);
    let worst = spectrum.deeds().filter(|(_, counts)| suspicion(*counts) >= highest - 1e-9);
    worst.map(|(tuple, _)| tuple).collect()
}

#[cfg(test)]
mod tests {
    use findings::Line;
    use spectrum::Did;

    use super::*;

    fn did(lines: &[u32]) -> Coverage {
        let tuple =
            |line: &u32| Tuple { line: Line { file: "a.c".into(), line: *line }, column: 0, did: Did::Executed };
        lines.iter().map(|line| (tuple(line), "f".to_owned())).collect()
    }

    #[test]
    fn the_test_that_halves_what_is_suspicious_is_asked_about_first() {
        let mut spectrum = Spectrum::default();
        let add = |spectrum: &mut Spectrum<Tuple>, group, lines: &[u32]| spectrum.add(group, did(lines).into_keys());
        add(&mut spectrum, Group::Failing, &[1, 2, 3, 4, 5, 6]);
        let pending = |all: &[&[u32]]| -> Vec<Pending> {
            all.iter().enumerate().map(|(test, lines)| Pending { test, did: did(lines) }).collect()
        };
        let all = pending(&[&[1], &[1, 2, 3, 9], &[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5, 6]]);
        assert_eq!(most_telling(&spectrum, &all), Some(1));
        // After it has passed, 4 to 6 are left.
        add(&mut spectrum, Group::Passing, &[1, 2, 3, 9]);
        assert_eq!(most_telling(&spectrum, &pending(&[&[1], &[1, 2, 3, 4, 5]])), Some(1));
        assert_eq!(most_telling(&spectrum, &pending(&[&[1], &[1, 2, 3, 4, 5, 6], &[9]])), None);
        assert_eq!(most_telling(&spectrum, &[]), None);
    }
}
