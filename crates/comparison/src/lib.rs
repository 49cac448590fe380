//! Two recorded runs compared: where they part, which values differ, and what brought about the difference in the end.
//!
//! In: two runs, of one program or of two versions of it. Out: the first choice that goes another way, the first
//! statement with another value, the chain of differences behind a failure or a byte of output; changed statements that
//! were executed.
//! Deliberately absent: running anything again, so that a difference behind another is one it depends on, not one
//! proven to cause it; sentences.
//!
//! `values` notes what statements do while a run goes by, in words (`word`) that mean the same in both runs (`terms`,
//! `objects`); `survey` walks along both and keeps the alignment as bits (`order`, `bits`); `subject` says what is to be
//! explained, `causes` finds the differences behind it, `chain` puts them in order.

mod side;
mod bits;
mod order;
mod word;
mod terms;
mod objects;
mod values;
mod ignore;
mod pair;
mod survey;
mod window;
mod subject;
mod initial;
mod causes;
mod chain;

use std::collections::{BTreeSet, HashMap};

use replay::{ReplayError, Step};

use execution::Window;
use execution::slice::SliceError;

pub use causes::{Behind, Cause, CauseId, Causes, causes};
pub use chain::{Link, Standing, chain};
pub use ignore::{IgnoreError, Ignored, Variable};
pub use initial::{Held, Initial, InitialValue};
pub use order::{Name, Order, Ordinal};
pub use pair::{Pair, site_map};
pub use side::{Side, Sides};
pub use subject::{Difference, FirstByte, Subject, first_byte, subject, written};
pub use survey::{Differing, Executed, Parting, SiteOf, Survey, Why, survey};

/// All that is found out about two runs.
pub struct Comparison {
    pub survey: Survey,
    pub subject: Option<Subject>,
    /// The differences behind the subject; empty without one.
    pub chain: Vec<Link>,
    pub causes: Causes,
}

/// Compares two runs; of the differences behind the subject at most `most` are looked at.
pub fn compare(pair: &Pair<'_, '_>, ignored: &Sides<Ignored>, most: usize) -> Result<Comparison, SliceError> {
    let survey = survey(pair, ignored)?;
    let subject = subject(pair, &survey.order)?;
    let found = match &subject {
        Some(Subject { criteria, .. }) if criteria.left.is_some() || criteria.right.is_some() => {
            causes(pair, &survey.order, criteria, most)?
        }
        _ => Causes::default(),
    };
    let chain = chain(pair, &survey.order, &found);
    Ok(Comparison { survey, subject, chain, causes: found })
}

/// What a statement of one of the runs is called; `None` for steps that are none.
pub fn name(pair: &Pair<'_, '_>, order: &Order, side: Side, at: Step) -> Result<Option<Name>, ReplayError> {
    let run = pair.runs.of(side);
    let mut found = None;
    // A window may begin with the clock the one before ended with.
    for window in (run.window_at(at.clock).0..=run.window_at(at.clock + 1).0).map(Window) {
        window::visit_window(run, window, order.first(side, window), |step, ordinal, is_statement| {
            if is_statement && step.clock == at.clock && step.step() == at {
                found = Some(order.name(side, ordinal));
            }
        })?;
    }
    Ok(found)
}

/// The executions of statements in the runs that have them.
pub fn executions(
    pair: &Pair<'_, '_>,
    order: &Order,
    names: &[Name],
) -> Result<HashMap<Name, Sides<Option<Step>>>, ReplayError> {
    let mut found: HashMap<Name, Sides<Option<Step>>> = names.iter().map(|name| (*name, Sides::default())).collect();
    for side in [Side::Left, Side::Right] {
        let wanted: BTreeSet<Ordinal> = names.iter().filter_map(|name| order.ordinal(side, *name)).collect();
        let executions = window::executions(pair.runs.of(side), order, side, &wanted)?;
        for (name, execution) in &mut found {
            *execution.of_mut(side) = order.ordinal(side, *name).and_then(|ordinal| executions.get(&ordinal).copied());
        }
    }
    Ok(found)
}
