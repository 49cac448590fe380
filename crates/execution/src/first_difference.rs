//! When an edit of a place begins to matter: until then, the edited run is the run that was recorded.

use std::collections::HashMap;

use abi::Edit;
use program::Site;
use replay::{Observed, Observer, ReplayError, Step};

use crate::run::Run;

/// For each place and edit of it the first step that goes on with another value; `None` if none does.
pub fn first_differences(run: &Run<'_>, edits: &[(Site, Edit)]) -> Result<Vec<Option<Step>>, ReplayError> {
    let mut by_site: HashMap<Site, Vec<usize>> = HashMap::new();
    for (position, (site, _)) in edits.iter().enumerate() {
        by_site.entry(*site).or_default().push(position);
    }
    let watchers = run.forwards(|_, _| Watcher { by_site: &by_site, edits, first: vec![None; edits.len()] })?;
    let mut first = vec![None; edits.len()];
    for watcher in watchers {
        for (known, found) in first.iter_mut().zip(watcher.first) {
            *known = known.or(found);
        }
    }
    Ok(first)
}

struct Watcher<'a> {
    by_site: &'a HashMap<Site, Vec<usize>>,
    edits: &'a [(Site, Edit)],
    first: Vec<Option<Step>>,
}

impl Observer for Watcher<'_> {
    fn step(&mut self, step: &Observed<'_>) {
        let at = step.step();
        for &position in self.by_site.get(&at.site).into_iter().flatten() {
            if self.first[position].is_none() && step.would_differ(self.edits[position].1) {
                self.first[position] = Some(at);
            }
        }
    }
}
