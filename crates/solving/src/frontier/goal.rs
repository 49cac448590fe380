//! What a changed run is asked for: that the failure does not occur, or, once conditions alone are known to be polluted, that these
//! come out otherwise (the paper's new property P′: of the combinations that are polluted one, and of that all members).

use std::collections::{BTreeSet, HashMap, HashSet};

use execution::Run;
use execution::predicates::predicates_at;
use nesting::index::{Index, indices_of, partners_of};
use replay::{ReplayError, Step};

use super::member::{Member, State};
use subject::{Subject, TechniqueError};

pub enum Goal {
    Failure,
    Decisions(Decisions),
}

pub struct Decisions {
    /// Combinations, each of steps of the failing run.
    pub ways: Vec<Vec<Step>>,
    /// What they branched on there.
    values: HashMap<Step, u64>,
    indices: HashMap<Step, Index>,
}

impl Decisions {
    pub fn of(subject: &Subject<'_, '_>, ways: Vec<Vec<&Member>>) -> Result<Decisions, TechniqueError> {
        let mut values = HashMap::new();
        for member in ways.iter().flatten() {
            if let State::Decided(predicate, _) = &member.state {
                values.insert(member.at, predicate.value);
            }
        }
        let steps: HashSet<Step> = values.keys().copied().collect();
        let indices = indices_of(subject.run, &steps)?;
        let ways = ways.into_iter().map(|way| way.into_iter().map(|member| member.at).collect()).collect();
        Ok(Decisions { ways, values, indices })
    }

    /// Whether one of the combinations came out otherwise in another run.
    pub fn hold(&self, run: &Run<'_>) -> Result<bool, ReplayError> {
        let partners = partners_of(run, &self.indices)?;
        let there: BTreeSet<Step> = partners.values().copied().collect();
        let values: HashMap<Step, u64> =
            predicates_at(run, &there)?.into_iter().map(|predicate| (predicate.at, predicate.value)).collect();
        let is_other = |step: &Step| {
            let value = partners.get(step).and_then(|partner| values.get(partner));
            value.is_some_and(|value| self.values.get(step) != Some(value))
        };
        Ok(self.ways.iter().any(|way| way.iter().all(is_other)))
    }

    /// Where its steps are in another run, for a shadow to be asked about.
    pub fn partners(&self, run: &Run<'_>) -> Result<HashMap<Step, Step>, ReplayError> {
        partners_of(run, &self.indices)
    }
}
