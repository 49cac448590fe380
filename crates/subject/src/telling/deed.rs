//! What steps did, for claims.

use std::collections::{BTreeSet, HashMap};

use execution::Run;
use findings::{Claim, Deed};
use program::Op;
use replay::{ReplayError, Step};
use source::sources::Sources;
use source::told::{Told, tell};

use crate::place::is_result_slot;

/// What chosen steps did; steps that the source has no words for are left out.
pub fn deeds(
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    steps: &BTreeSet<Step>,
) -> Result<HashMap<Step, Deed>, ReplayError> {
    let told = tell(run, sources, steps)?;
    Ok(told.into_iter().map(|(at, told)| (at, deed(run, at, told))).collect())
}

/// What a step did, as a claim.
pub fn did(deed: Option<&Deed>) -> Claim {
    deed.map_or(Claim::Executed, |deed| Claim::Did { deed: deed.clone() })
}

fn deed(run: &Run<'_>, at: Step, told: Told) -> Deed {
    match told {
        Told::Assigns { place, value } => {
            let function = run.functions.function(at.site.function);
            let is_result = match &function.instruction(at.site.instruction).op {
                Op::Store { address, .. } => is_result_slot(function, address),
                _ => false,
            };
            if is_result {
                Deed::SetResult { value: value.into() }
            } else {
                Deed::Assigned { place: place.into(), value: value.into() }
            }
        }
        Told::Decides { condition, outcome } => Deed::Decided { condition: condition.into(), outcome },
        Told::Chooses { value, of } => Deed::Chose { of: of.into(), value: value.into() },
        Told::Calls { name, arguments } => {
            Deed::Called { function: name.into(), arguments: arguments.into_iter().map(Into::into).collect() }
        }
        Told::Returns { function, value } => Deed::Returned { function: function.into(), value: value.map(Into::into) },
        Told::Has { expression, value } => Deed::Had { expression: expression.into(), value: value.into() },
    }
}
