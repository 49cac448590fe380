//! When an edit of a place begins to matter: until then, the edited run is the run that was recorded.

use std::collections::HashMap;

use abi::{Edit, InstructionId};
use replay::{Observer, ReplayError, Step};

use crate::dependence::Moment;
use crate::functions::Functions;
use crate::run::Run;
use crate::trace::FunctionKey;

/// For each place and edit of it the first step that goes on with another value; `None` if none does.
pub fn first_differences(
    run: &Run<'_>,
    edits: &[(FunctionKey, InstructionId, Edit)],
) -> Result<Vec<Option<Moment>>, ReplayError> {
    let mut by_site: HashMap<(FunctionKey, InstructionId), Vec<usize>> = HashMap::new();
    for (position, (function, instruction, _)) in edits.iter().enumerate() {
        by_site.entry((*function, *instruction)).or_default().push(position);
    }
    let watchers = run.forwards(|_, _| Watcher {
        functions: &run.functions,
        by_site: &by_site,
        edits,
        first: vec![None; edits.len()],
        handlers: 0,
    })?;
    let mut first = vec![None; edits.len()];
    for watcher in watchers {
        for (known, found) in first.iter_mut().zip(watcher.first) {
            *known = known.or(found);
        }
    }
    Ok(first)
}

struct Watcher<'a, 'r> {
    functions: &'a Functions<'r>,
    by_site: &'a HashMap<(FunctionKey, InstructionId), Vec<usize>>,
    edits: &'a [(FunctionKey, InstructionId, Edit)],
    first: Vec<Option<Moment>>,
    handlers: u32,
}

impl Observer for Watcher<'_, '_> {
    fn step(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let Some(at) = self.functions.moment(step) else { return };
        for &position in self.by_site.get(&(at.function, at.instruction)).into_iter().flatten() {
            if self.first[position].is_none() && step.would_differ(self.edits[position].2) {
                self.first[position] = Some(at);
            }
        }
    }

    fn interrupted(&mut self) {
        self.handlers += 1;
    }

    fn resumed(&mut self) {
        self.handlers -= 1;
    }
}
