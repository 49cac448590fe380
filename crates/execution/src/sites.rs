//! The places of a run that store, branch or switch: when each was executed first, and how often.

use std::collections::HashMap;

use program::{Op, Site};
use replay::{Observed, Observer, ReplayError, Step};

use crate::functions::Functions;
use crate::run::Run;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExecutedSite {
    pub first: Step,
    pub executions: u64,
}

/// In the order of first execution. Code of library twins and signal handlers is left out.
pub fn executed_sites(run: &Run<'_>) -> Result<Vec<ExecutedSite>, ReplayError> {
    let watchers = run.forwards(|_, _| Watcher { functions: &run.functions, seen: HashMap::new() })?;
    let mut all: HashMap<Site, ExecutedSite> = HashMap::new();
    // Windows come in their order, so the first that knows a site knows its first step.
    for (key, seen) in watchers.into_iter().flat_map(|watcher| watcher.seen) {
        all.entry(key).and_modify(|known| known.executions += seen.executions).or_insert(seen);
    }
    let mut sites: Vec<ExecutedSite> = all.into_values().collect();
    sites.sort_by_key(|site| site.first);
    Ok(sites)
}

struct Watcher<'a, 'r> {
    functions: &'a Functions<'r>,
    seen: HashMap<Site, ExecutedSite>,
}

impl Observer for Watcher<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        if !matches!(step.instruction().op, Op::Store { .. } | Op::Branch { .. } | Op::Switch { .. }) {
            return;
        }
        let first = step.step();
        if self.functions.is_twin(first.site.function) {
            return;
        }
        let fresh = ExecutedSite { first, executions: 0 };
        self.seen.entry(first.site).or_insert(fresh).executions += 1;
    }
}
