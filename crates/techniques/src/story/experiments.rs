//! What experiments showed, by place.

use std::collections::{BTreeMap, HashMap};

use abi::InstructionId;
use experiment::{Change, Intervention, Outcome};
use findings::story::{ChangeTold, Changed, ExperimentTold, OutcomeTold};
use findings::{Edit, Limit};
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
type Alike = (OutcomeTold, FunctionKey, InstructionId, ChangeTold, u64);

/// Everything the lab knows, as rows.
pub fn experiments(
    subject: &Subject<'_, '_>,
    outcomes: &[(Vec<Intervention>, Outcome)],
    seen: &Seen,
    limits: &mut Vec<Limit>,
) -> Vec<ExperimentTold> {
    let mut rows: BTreeMap<Alike, (Step, u64)> = BTreeMap::new();
    let mut texts: HashMap<Site, (Changed, Type)> = HashMap::new();
    let mut elsewhere = 0;
    for (plan, outcome) in outcomes {
        let Some(first) = plan.first() else { continue };
        let Some(&(at, value)) = seen.at_clock.get(&first.clock) else {
            elsewhere += 1;
            continue;
        };
        let (what, ty) = texts.entry(at.site).or_insert_with(|| changed(subject, at));
        let change = change(subject, at, (what.clone(), ty), &first.change, value);
        let others = plan.len() as u64 - 1;
        let alike = (outcome_told(*outcome), at.site.function, at.site.instruction, change, others);
        rows.entry(alike).or_insert((at, 0)).1 += 1;
    }
    if elsewhere > 0 {
        limits.push(Limit::NotListed { experiments: elsewhere });
    }
    if rows.len() > MOST {
        limits.push(Limit::PageRows { rows: rows.len() as u64, shown: MOST as u64 });
    }
    let told = rows.into_iter().take(MOST).map(|((outcome, _, _, change, others), (at, count))| ExperimentTold {
        change,
        others,
        location: location(subject.run, at),
        outcome,
        count,
    });
    told.collect()
}

/// What a step chooses or assigns, as the source has it, and its type.
fn changed(subject: &Subject<'_, '_>, at: Step) -> (Changed, Type) {
    let functions = &subject.run.functions;
    let function = functions.function(at.site.function);
    // It was executed, so it has been read.
    let Ok(module) = functions.module(at.site.function) else { return (Changed::Unnamed, Type::Int(64)) };
    let debug = subject.sources.debug(at.site.function.module as usize);
    match &function.instruction(at.site.instruction).op {
        Op::Branch { condition, .. } => {
            (Changed::Expression(value_text(module, debug, function, condition, None).into()), Type::Int(1))
        }
        Op::Switch { value, value_type, .. } => {
            (Changed::Switch(value_text(module, debug, function, value, None).into()), value_type.clone())
        }
        Op::Store { address, value_type, .. } => {
            let place = place_text(module, debug, function, address, value_type.store_size(), None);
            (Changed::Expression(place.into()), value_type.clone())
        }
        _ => (Changed::Unnamed, Type::Int(64)),
    }
}

fn change(
    subject: &Subject<'_, '_>,
    at: Step,
    (changed, ty): (Changed, &Type),
    change: &Change,
    value: u64,
) -> ChangeTold {
    match change {
        Change::Switch => ChangeTold::Made { changed, value: (value == 0).to_string().into() },
        Change::Replace(other) => ChangeTold::Made { changed, value: told::value(ty, &[*other]).into() },
        Change::Write { .. } => ChangeTold::Memory { changed },
        Change::Force(choices) => ChangeTold::Forced { changed, choices: choices.len() as u64 },
        Change::Stop => ChangeTold::Stopped { changed },
        Change::Edit(edit) => ChangeTold::Edited { edit: edited(subject, at, *edit).unwrap_or(Edit::Unnamed) },
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
