//! What is claimed of places at which a statement may be missing.

use std::collections::HashMap;

use findings::{Claim, Deed, Evidence, Location, Outcome};
use replay::Step;

use super::gap::{Gap, Sign};
use super::places::Suspicion;
use super::stale::Stale;
use crate::effect::Righted;
use subject::place::location;
use subject::telling::outcome::outcome;
use subject::telling::value::OtherValues;
use subject::{Repair, Subject, TechniqueError};

/// `what`: what the step did after which the place is named.
pub fn claims(
    subject: &Subject<'_, '_>,
    suspicion: &Suspicion<'_>,
    place: &Location,
    what: Claim,
    known: &HashMap<Step, Deed>,
) -> Result<(Vec<Claim>, Vec<Evidence>), TechniqueError> {
    let alone = |claim: Claim| (vec![claim.clone()], vec![Evidence::by_dependence(claim)]);
    let behind = |at: Step, claim: Claim| {
        (vec![because(subject, at, place, what.clone()), claim.clone()], vec![Evidence::by_dependence(claim)])
    };
    Ok(match suspicion {
        Suspicion::NotSet(gap, stale) => not_set(subject, gap, stale, known)?,
        Suspicion::LeftLoop(one) => behind(one.at, Claim::LeftLoop),
        Suspicion::FirstTime(one) => behind(one.at, Claim::FirstTime),
        Suspicion::NoCase(at) => {
            let line = location(subject.run, *at).map_or(0, |place| place.line);
            let value = match known.get(at) {
                Some(Deed::Chose { value, .. }) => Some(value.clone()),
                _ => None,
            };
            alone(Claim::NoCase { line, value })
        }
    })
}

/// What ran because of a condition, or what was done, where it is the condition itself.
fn because(subject: &Subject<'_, '_>, at: Step, place: &Location, what: Claim) -> Claim {
    match location(subject.run, at) {
        Some(condition) if condition.line != place.line => Claim::ExecutedBecause { condition },
        _ => what,
    }
}

/// Why a value may not have been set anew at a place, and what shows that it should have been.
fn not_set(
    subject: &Subject<'_, '_>,
    gap: &Gap,
    stale: &Stale,
    known: &HashMap<Step, Deed>,
) -> Result<(Vec<Claim>, Vec<Evidence>), TechniqueError> {
    let variable = match known.get(&stale.user) {
        Some(Deed::Had { expression, .. }) => Some(expression.clone()),
        _ => None,
    };
    let line = location(subject.run, stale.user).map_or(0, |place| place.line);
    let deed = known.get(&gap.step).cloned();
    let sign = match gap.sign {
        Sign::Began => findings::Sign::HasItFromHere,
        Sign::Begins | Sign::Sets => findings::Sign::SetsWhatBelongsWithIt,
        Sign::Wrote { times } | Sign::Counts { times } => findings::Sign::AsOftenAsTooSmall { deed, times },
        Sign::Guards => findings::Sign::CouldHaveSet { deed },
        Sign::Given => findings::Sign::LeftUnchanged { deed },
        Sign::Lasts => findings::Sign::Lasts,
        Sign::Keeps => findings::Sign::Keeps,
        Sign::Ends => findings::Sign::FunctionEnds,
        Sign::Enters => findings::Sign::FunctionBegins,
    };
    let values = OtherValues::of(subject, [stale.right, stale.value].map(|value| (stale.user, value)))?;
    let [right, value] = [stale.right, stale.value].map(|value| values.get(stale.user, value));
    let at = stale.address.map(|_| line);
    let change = findings::Change::Variable { variable: variable.clone(), line: at, value: right, instead: value };
    let outcome = match stale.effect.righted {
        Righted::All => outcome(subject, Repair::All),
        _ => Outcome::FirstWrong,
    };
    let claim = Claim::NotSet { variable, line, sign };
    // It shows that the value is wrong, not that this is the place to set it.
    let evidence = [Claim::Repairs { change, outcome }, claim.clone()].map(Evidence::by_dependence);
    Ok((vec![claim], evidence.into()))
}
