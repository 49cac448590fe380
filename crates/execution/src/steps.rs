//! Finds steps of a run that meet a condition.

use replay::{Observed, Observer, ReplayError, Step};

use crate::run::{Run, Window};

/// The latest step that is meant; windows are looked at from the last on.
pub fn last(run: &Run<'_>, is_meant: impl Fn(&Observed<'_>) -> bool) -> Result<Option<Step>, ReplayError> {
    for window in (0..=run.last_window().0).rev() {
        let found = run.replay(Window(window), Finder::new(&is_meant, u64::MAX))?.found;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The `n`-th step that is meant, counted from 1.
pub fn nth(run: &Run<'_>, n: u64, is_meant: impl Fn(&Observed<'_>) -> bool) -> Result<Option<Step>, ReplayError> {
    let mut before = 0;
    for window in 0..=run.last_window().0 {
        let finder = run.replay(Window(window), Finder::new(&is_meant, n.saturating_sub(before)))?;
        before += finder.count;
        if before >= n {
            return Ok(finder.found);
        }
    }
    Ok(None)
}

/// How many steps that are meant there are up to and with a step.
pub fn count_until(run: &Run<'_>, end: Step, is_meant: impl Fn(&Observed<'_>) -> bool) -> Result<u64, ReplayError> {
    let is_meant = |step: &Observed<'_>| step.clock <= end.clock && is_meant(step);
    let mut count = 0;
    for window in 0..=run.window_at(end.clock).0 {
        count += run.replay(Window(window), Finder::new(&is_meant, u64::MAX))?.count;
    }
    Ok(count)
}

/// Keeps the latest step that is meant, of the first so many.
struct Finder<'a, F> {
    is_meant: &'a F,
    most: u64,
    count: u64,
    found: Option<Step>,
}

impl<'a, F> Finder<'a, F> {
    fn new(is_meant: &'a F, most: u64) -> Finder<'a, F> {
        Finder { is_meant, most, count: 0, found: None }
    }
}

impl<F: Fn(&Observed<'_>) -> bool> Observer for Finder<'_, F> {
    fn step(&mut self, step: &Observed<'_>) {
        if self.count >= self.most || !(self.is_meant)(step) {
            return;
        }
        self.count += 1;
        self.found = Some(step.step());
    }
}
