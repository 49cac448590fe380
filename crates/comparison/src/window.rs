//! The statements of a window with their numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use program::FunctionKey;
use replay::{Observed, Observer, ReplayError, Step};

use super::order::{Order, Ordinal};
use super::side::Side;
use execution::{Run, Window};
use nesting::region::Outline;

/// Gives `visit` every instruction of a window with the number of the statement it is or comes before, and whether it is
/// that statement.
pub fn visit_window(
    run: &Run<'_>,
    window: Window,
    first: Ordinal,
    visit: impl FnMut(&Observed<'_>, Ordinal, bool),
) -> Result<(), ReplayError> {
    run.replay(window, Counter { run, next: first, outlines: HashMap::new(), latest: None, visit })?;
    Ok(())
}

/// The steps that have these numbers.
pub fn executions(
    run: &Run<'_>,
    order: &Order,
    side: Side,
    wanted: &BTreeSet<Ordinal>,
) -> Result<HashMap<Ordinal, Step>, ReplayError> {
    let mut by_window: BTreeMap<Window, BTreeSet<Ordinal>> = BTreeMap::new();
    for &ordinal in wanted {
        by_window.entry(order.window(side, ordinal)).or_default().insert(ordinal);
    }
    let mut found = HashMap::new();
    for (window, wanted) in by_window {
        visit_window(run, window, order.first(side, window), |step, ordinal, is_statement| {
            if is_statement && wanted.contains(&ordinal) {
                found.insert(ordinal, step.step());
            }
        })?;
    }
    Ok(found)
}

/// Counts as [`nesting::align`] does.
struct Counter<'a, 'r, V> {
    run: &'a Run<'r>,
    next: Ordinal,
    outlines: HashMap<FunctionKey, Arc<Outline>>,
    /// The function of the latest step: most steps are of the same as the one before.
    latest: Option<(FunctionKey, Arc<Outline>)>,
    visit: V,
}

impl<V: FnMut(&Observed<'_>, Ordinal, bool)> Observer for Counter<'_, '_, V> {
    fn step(&mut self, step: &Observed<'_>) {
        let key = FunctionKey { module: step.module_position() as u32, function: step.function().id };
        if self.latest.as_ref().is_none_or(|(latest, _)| *latest != key) {
            let functions = &self.run.functions;
            let make = || Arc::new(Outline::of(functions.function(key), functions.shape(key)));
            self.latest = Some((key, self.outlines.entry(key).or_insert_with(make).clone()));
        }
        let is_statement = self.latest.as_ref().is_some_and(|(_, outline)| outline.is_statement(step.id()));
        (self.visit)(step, self.next, is_statement);
        self.next += u64::from(is_statement);
    }
}
