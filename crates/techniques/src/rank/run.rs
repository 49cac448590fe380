//! Runs a suite: records each test, judges it, and counts what it did.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::Budget;
use experiment::sandbox::Walls;
use experiment::{LabError, Limits, Test, Verdict};
use recording::folder::Folder;
use source::coverage::coverage;
use spectrum::{Coverage, Group};

use super::{Measured, RankError};
use subject::Progress;
use subject::trying::tested::tested;

/// Runs the tests, several at a time. They count in their order, whichever ends first.
pub fn measure(
    tests: &[Test],
    walls: Walls,
    limits: &Limits,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Measured, RankError> {
    let folder = Folder::new("rank").map_err(LabError::Io)?;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let count = if limits.workers == 0 { cores } else { limits.workers }.min(tests.len());
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<Result<Tested, RankError>>>> = Mutex::new(tests.iter().map(|_| None).collect());
    let work = || {
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(position).filter(|_| !budget.is_over()) else { return };
            let path = folder.path().join(format!("{position}.flt"));
            let tested = tested(test, walls, limits, &path, budget, |recording| coverage(recording, budget));
            results.lock().expect("nobody panics holding it")[position] = Some(tested);
            progress.tried("tests", done.fetch_add(1, Ordering::Relaxed) + 1, tests.len());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(work);
        }
    });
    let results = results.into_inner().expect("nobody panics holding it");
    let mut measured = Measured::default();
    for (test, tested) in tests.iter().zip(results) {
        let (verdict, coverage) = match tested {
            Some(Ok(tested)) => tested,
            Some(Err(error)) if error.spent().is_none() => return Err(error),
            Some(Err(_)) | None => {
                measured.not_run += 1;
                continue;
            }
        };
        let group = match verdict {
            Verdict::Right => Group::Passing,
            Verdict::Wrong => {
                measured.failing.push(test.name.clone());
                Group::Failing
            }
            Verdict::CannotTell => {
                measured.undecided.push(test.name.clone());
                continue;
            }
        };
        measured.add(group, coverage);
    }
    Ok(measured)
}

type Tested = (Verdict, Coverage);
