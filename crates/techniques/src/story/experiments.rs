//! What experiments showed, by place.

use std::collections::{BTreeMap, HashMap};

use abi::InstructionId;
use experiment::{Change, Intervention, Outcome};
use findings::story::{ExperimentTold, OutcomeTold};
use program::debug::{place_text, value_text};
use program::{FunctionKey, Op, Site, Type};
use replay::Step;
use source::told;

use super::observe::Seen;
use crate::Subject;
use crate::telling::place::location;
use crate::trying::edited::edited;

/// Rows shown, those that say most first.
const MOST: usize = 1000;

/// Experiments that are told alike.
type Alike = (OutcomeTold, FunctionKey, InstructionId, String);

/// Everything the lab knows, as rows.
pub fn experiments(
    subject: &Subject<'_, '_>,
    outcomes: &[(Vec<Intervention>, Outcome)],
    seen: &Seen,
    limits: &mut Vec<String>,
) -> Vec<ExperimentTold> {
    let mut rows: BTreeMap<Alike, (Step, u64)> = BTreeMap::new();
    let mut texts: HashMap<Site, (String, Type)> = HashMap::new();
    let mut elsewhere = 0;
    for (plan, outcome) in outcomes {
        let Some(first) = plan.first() else { continue };
        let Some(&(at, value)) = seen.at_clock.get(&first.clock) else {
            elsewhere += 1;
            continue;
        };
        let (what, ty) = texts.entry(at.site).or_insert_with(|| subject_of(subject, at));
        let change = match &first.change {
            Change::Edit(edit) => edited(subject, at, *edit).unwrap_or_else(|_| format!("{what} edited")),
            other => change(what, ty, other, value, plan.len() - 1),
        };
        let row =
            rows.entry((outcome_told(*outcome), at.site.function, at.site.instruction, change)).or_insert((at, 0));
        row.1 += 1;
    }
    if elsewhere > 0 {
        limits.push(format!(
            "{elsewhere} experiments changed what is not a step of the first thread, and are not listed"
        ));
    }
    if rows.len() > MOST {
        limits.push(format!("of {} rows of experiments the page has the first {MOST}", rows.len()));
    }
    let told = rows.into_iter().take(MOST).map(|((outcome, _, _, change), (at, count))| ExperimentTold {
        change,
        location: location(subject.run, at),
        outcome,
        count,
    });
    told.collect()
}

/// What a step chooses or assigns, in the program's words, and its type.
fn subject_of(subject: &Subject<'_, '_>, at: Step) -> (String, Type) {
    let functions = &subject.run.functions;
    let function = functions.function(at.site.function);
    // It was executed, so it has been read.
    let Ok(module) = functions.module(at.site.function) else { return ("the value".into(), Type::Int(64)) };
    let debug = subject.sources.debug(at.site.function.module as usize);
    match &function.instruction(at.site.instruction).op {
        Op::Branch { condition, .. } => {
            (format!("`{}`", value_text(module, debug, function, condition, None)), Type::Int(1))
        }
        Op::Switch { value, value_type, .. } => {
            (format!("the switch on `{}`", value_text(module, debug, function, value, None)), value_type.clone())
        }
        Op::Store { address, value_type, .. } => {
            let place = place_text(module, debug, function, address, value_type.store_size(), None);
            (format!("`{place}`"), value_type.clone())
        }
        _ => ("the value".into(), Type::Int(64)),
    }
}

fn change(what: &str, ty: &Type, change: &Change, value: u64, others: usize) -> String {
    let done = match change {
        Change::Switch => format!("{what} made {}", value == 0),
        Change::Replace(other) => format!("{what} made {}", told::value(ty, &[*other])),
        Change::Write { .. } => format!("memory changed before {what}"),
        Change::Force(choices) => format!("the way from {what} on forced for {} choices", choices.len()),
        Change::Stop => format!("the run ended at {what}"),
        Change::Edit(_) => format!("{what} edited"),
    };
    match others {
        0 => done,
        1 => format!("{done}, and one more change"),
        _ => format!("{done}, and {others} more changes"),
    }
}

fn outcome_told(outcome: Outcome) -> OutcomeTold {
    match outcome {
        Outcome::Passes => OutcomeTold::Passes,
        Outcome::FailsLater => OutcomeTold::FailsLater,
        Outcome::FailsOtherwise => OutcomeTold::FailsOtherwise,
        Outcome::Crashes => OutcomeTold::Crashes,
        Outcome::Hangs => OutcomeTold::Hangs,
        Outcome::FailsSame => OutcomeTold::FailsSame,
        Outcome::NeverReached => OutcomeTold::NeverReached,
        Outcome::CannotTell => OutcomeTold::CannotTell,
        Outcome::Refused => OutcomeTold::Refused,
    }
}
