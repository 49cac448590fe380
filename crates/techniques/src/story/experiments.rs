//! What experiments showed, by place.

use std::collections::{BTreeMap, HashMap};

use abi::InstructionId;
use experiment::{Change, Intervention, Outcome};
use findings::story::{ChangeTold, Changed, ExperimentTold, OutcomeTold};
use findings::{Edit, Limit};
use program::debug::{place_text, value_text};
use program::{FunctionKey, Op, Site};
use replay::Step;

use super::observe::Seen;
use subject::place::location;
use subject::telling::value::OtherValues;
use subject::trying::edited::edited;
use subject::{Subject, TechniqueError};

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
) -> Result<Vec<ExperimentTold>, TechniqueError> {
    let mut rows: BTreeMap<Alike, (Step, u64)> = BTreeMap::new();
    let mut texts: HashMap<Site, Changed> = HashMap::new();
    let replaced = outcomes.iter().filter_map(|(plan, _)| match plan.first()?.change {
        Change::Replace(other) => Some((seen.at_clock.get(&plan[0].clock)?.0, other)),
        _ => None,
    });
    let values = OtherValues::of(subject, replaced)?;
    let mut elsewhere = 0;
    for (plan, outcome) in outcomes {
        let Some(first) = plan.first() else { continue };
        let Some(&(at, value)) = seen.at_clock.get(&first.clock) else {
            elsewhere += 1;
            continue;
        };
        let what = texts.entry(at.site).or_insert_with(|| changed(subject, at));
        let change = change(subject, at, what.clone(), (&first.change, value), &values);
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
    Ok(told.collect())
}

/// What a step chooses or assigns, as the source has it.
fn changed(subject: &Subject<'_, '_>, at: Step) -> Changed {
    let functions = &subject.run.functions;
    let function = functions.function(at.site.function);
    // It was executed, so it has been read.
    let Ok(module) = functions.module(at.site.function) else { return Changed::Unnamed };
    let debug = subject.sources.debug(at.site.function.module as usize);
    match &function.instruction(at.site.instruction).op {
        Op::Branch { condition, .. } => {
            Changed::Expression(value_text(module, debug, function, condition, None).into())
        }
        Op::Switch { value, .. } => Changed::Switch(value_text(module, debug, function, value, None).into()),
        Op::Store { address, value_type, .. } => {
            let place = place_text(module, debug, function, address, value_type.store_size(), None);
            Changed::Expression(place.into())
        }
        _ => Changed::Unnamed,
    }
}

fn change(
    subject: &Subject<'_, '_>,
    at: Step,
    changed: Changed,
    (change, value): (&Change, u64),
    values: &OtherValues,
) -> ChangeTold {
    match change {
        Change::Switch => ChangeTold::Made { changed, value: (value == 0).to_string().into() },
        Change::Replace(other) => ChangeTold::Made { changed, value: values.get(at, *other) },
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
