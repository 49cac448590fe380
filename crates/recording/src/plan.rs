//! What is changed in a run on purpose. An empty plan changes nothing.

use abi::{Edit, IS_FILLED, InterventionKind, PlanHeader};
use serde::{Deserialize, Serialize};

/// One change, addressed by the clock of the unchanged run's first thread.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Intervention {
    pub clock: u64,
    pub change: Change,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Change {
    /// The branch goes the other way.
    Switch,
    /// The value that is stored, branched on or switched on is this one.
    Replace(u64),
    /// Memory has these bytes before the step takes effect.
    Write { address: u64, bytes: Vec<u8> },
    /// From here on branches and switches go by these values.
    Force(Vec<u64>),
    /// The run ends.
    Stop,
    /// From here on the place of the step computes something else.
    Edit(#[serde(with = "edit_as_words")] Edit),
}

/// An edit in a file: its code and its number.
mod edit_as_words {
    use abi::Edit;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(edit: &Edit, serializer: S) -> Result<S::Ok, S::Error> {
        (edit.code(), edit.number).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Edit, D::Error> {
        let (code, number) = <(u32, u64)>::deserialize(deserializer)?;
        Edit::from_code(code, number).ok_or_else(|| D::Error::custom("an edit of an unknown kind"))
    }
}

/// The changes of one run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plan {
    /// In the order of their clocks.
    interventions: Vec<Intervention>,
    /// The run ends when the clock gets there.
    pub budget: Option<u64>,
    pub steady: Steady,
}

/// What is the same in all runs of a lab, though no program says so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Steady {
    /// What the program is told the time is at its start: nanoseconds since 1970.
    pub epoch: u64,
    pub locals: Locals,
}

/// What a local holds that was never assigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Locals {
    /// What happens to be there, as in any run.
    AsFound,
    /// This in every byte.
    Filled(u8),
}

impl Steady {
    pub fn at(epoch: u64) -> Steady {
        Steady { epoch, locals: Locals::AsFound }
    }
}

const INTERVENTION_SIZE: usize = size_of::<abi::Intervention>();
const HEADER_SIZE: usize = size_of::<PlanHeader>();

impl Plan {
    pub fn new(mut interventions: Vec<Intervention>, budget: Option<u64>, steady: Steady) -> Plan {
        interventions.sort_by_key(|intervention| intervention.clock);
        Plan { interventions, budget, steady }
    }

    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    /// As the runtime reads it; see `abi`.
    pub fn encode(&self) -> Vec<u8> {
        let mut fixed = Vec::new();
        let mut rest: Vec<u8> = Vec::new();
        let rest_begins = HEADER_SIZE + self.interventions.len() * INTERVENTION_SIZE;
        for Intervention { clock, change } in &self.interventions {
            let mut length = None;
            let (kind, operand, bytes) = match change {
                Change::Switch => (InterventionKind::Switch, 0, Vec::new()),
                Change::Replace(value) => (InterventionKind::Replace, *value, Vec::new()),
                Change::Write { address, bytes } => (InterventionKind::Write, *address, bytes.clone()),
                Change::Force(values) => {
                    (InterventionKind::Force, 0, values.iter().flat_map(|v| v.to_le_bytes()).collect())
                }
                Change::Stop => (InterventionKind::Stop, 0, Vec::new()),
                Change::Edit(edit) => {
                    length = Some(edit.code());
                    (InterventionKind::Edit, edit.number, Vec::new())
                }
            };
            let length = length.unwrap_or(bytes.len() as u32);
            fixed.extend(clock.to_le_bytes());
            fixed.extend(operand.to_le_bytes());
            for word in [(rest_begins + rest.len()) as u32, length, kind as u32, 0] {
                fixed.extend(word.to_le_bytes());
            }
            rest.extend(bytes);
        }
        let mut all = Vec::with_capacity(rest_begins + rest.len());
        all.extend(self.budget.unwrap_or(u64::MAX).to_le_bytes());
        all.extend(self.steady.epoch.to_le_bytes());
        let fills = match self.steady.locals {
            Locals::AsFound => 0,
            Locals::Filled(byte) => IS_FILLED | u64::from(byte),
        };
        all.extend(fills.to_le_bytes());
        all.extend((self.interventions.len() as u32).to_le_bytes());
        all.extend(((rest_begins + rest.len()) as u32).to_le_bytes());
        all.extend(fixed);
        all.extend(rest);
        all
    }

    /// The inverse of [`encode`](Plan::encode).
    pub fn decode(bytes: &[u8]) -> Option<Plan> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let budget = Some(long(0)?).filter(|&budget| budget != u64::MAX);
        let fills = long(16)?;
        let locals = if fills & IS_FILLED == 0 { Locals::AsFound } else { Locals::Filled(fills as u8) };
        let (steady, count) = (Steady { epoch: long(8)?, locals }, word(24)? as usize);
        if count.checked_mul(INTERVENTION_SIZE)? > bytes.len() {
            return None;
        }
        let mut interventions = Vec::with_capacity(count);
        // No two have the same bytes; a plan that says so would take far more memory than it is long.
        let mut left = bytes.len();
        for at in (0..count).map(|position| HEADER_SIZE + position * INTERVENTION_SIZE) {
            let (offset, length) = (word(at + 16)? as usize, word(at + 20)? as usize);
            let kind = InterventionKind::from_number(word(at + 24)?)?;
            let own = match kind {
                InterventionKind::Edit => &[],
                _ => bytes.get(offset..offset.checked_add(length)?)?,
            };
            left = left.checked_sub(own.len())?;
            let change = match kind {
                InterventionKind::Switch => Change::Switch,
                InterventionKind::Replace => Change::Replace(long(at + 8)?),
                InterventionKind::Write => Change::Write { address: long(at + 8)?, bytes: own.to_vec() },
                InterventionKind::Force => {
                    let words = own.chunks_exact(8).map(|w| u64::from_le_bytes(w.try_into().unwrap_or_default()));
                    Change::Force(words.collect())
                }
                InterventionKind::Stop => Change::Stop,
                InterventionKind::Edit => Change::Edit(Edit::from_code(length as u32, long(at + 8)?)?),
            };
            interventions.push(Intervention { clock: long(at)?, change });
        }
        Some(Plan { interventions, budget, steady })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            Just(Change::Switch),
            any::<u64>().prop_map(Change::Replace),
            (any::<u64>(), proptest::collection::vec(any::<u8>(), 0..40))
                .prop_map(|(address, bytes)| Change::Write { address, bytes }),
            proptest::collection::vec(any::<u64>(), 0..9).prop_map(Change::Force),
            Just(Change::Stop),
            edit().prop_map(Change::Edit),
        ]
    }

    fn edit() -> impl Strategy<Value = Edit> {
        let code =
            (1..=8_u8, 1..=33_u8, 1..=64_u8, 1..=64_u8).prop_map(|(a, b, c, d)| u32::from_le_bytes([a, b, c, d]));
        (code, any::<u64>()).prop_filter_map("of a known kind", |(code, number)| Edit::from_code(code, number))
    }

    proptest! {
        #[test]
        fn plans_come_back_as_they_were(
            changes in proptest::collection::vec((any::<u64>(), change()), 0..12),
            budget in proptest::option::of(0..u64::MAX),
            epoch in any::<u64>(),
            filled in proptest::option::of(any::<u8>()),
        ) {
            let interventions = changes.into_iter().map(|(clock, change)| Intervention { clock, change }).collect();
            let locals = filled.map_or(Locals::AsFound, Locals::Filled);
            let plan = Plan::new(interventions, budget, Steady { epoch, locals });
            prop_assert_eq!(Plan::decode(&plan.encode()), Some(plan));
        }

        #[test]
        fn no_plan_takes_more_memory_than_it_is_long(count in 2_u64..50) {
            let bytes = vec![1; 100];
            let write = |clock| Intervention { clock, change: Change::Write { address: 1, bytes: bytes.clone() } };
            let mut encoded = Plan::new((0..count).map(write).collect(), None, Steady::at(0)).encode();
            // All of them have the bytes of the first.
            let first: [u8; 4] = encoded[HEADER_SIZE + 16..HEADER_SIZE + 20].try_into().unwrap();
            for at in (0..count as usize).map(|position| HEADER_SIZE + position * INTERVENTION_SIZE + 16) {
                encoded[at..at + 4].copy_from_slice(&first);
            }
            encoded.truncate(HEADER_SIZE + count as usize * INTERVENTION_SIZE + bytes.len());
            prop_assert_eq!(Plan::decode(&encoded).is_some(), count as usize * bytes.len() <= encoded.len());
        }

        #[test]
        fn bytes_of_any_kind_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Plan::decode(&bytes);
        }
    }
}
