//! Values that experiments put in place of others, for claims.

use std::collections::BTreeMap;

use findings::Value;
use replay::{ReplayError, Step};
use source::told::tell_values;

use crate::Subject;

/// How values would be told of the steps that are given them.
pub struct OtherValues(BTreeMap<(Step, u64), String>);

impl OtherValues {
    /// One look at the run for all of them.
    pub fn of(
        subject: &Subject<'_, '_>,
        wanted: impl IntoIterator<Item = (Step, u64)>,
    ) -> Result<OtherValues, ReplayError> {
        let wanted: Vec<(Step, u64)> = wanted.into_iter().collect();
        let told = tell_values(subject.run, subject.sources, &wanted)?;
        Ok(OtherValues(wanted.into_iter().zip(told).filter_map(|(of, told)| Some((of, told?))).collect()))
    }

    pub fn get(&self, at: Step, value: u64) -> Value {
        self.0.get(&(at, value)).map_or_else(|| Value("another value".into()), |told| Value(told.clone()))
    }
}
