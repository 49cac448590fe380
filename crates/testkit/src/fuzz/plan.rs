//! Plans of all kinds, with bytes changed.

use abi::Edit;
use recording::plan::{Change, Intervention, Plan, Steady};

use super::{Chance, Subject};

pub struct Plans(Vec<Vec<u8>>);

impl Plans {
    pub fn new() -> Plans {
        let edit = (0..=u32::MAX >> 8).find_map(|code| Edit::from_code(code, 3)).map(Change::Edit);
        let changes = [
            Change::Switch,
            Change::Replace(7),
            Change::Write { address: 0x1000, bytes: vec![1, 2, 3] },
            Change::Force(vec![1, 0, 1]),
            Change::Stop,
        ];
        let changes: Vec<Change> = changes.into_iter().chain(edit).collect();
        let all = |count: u64| {
            let clocks = (0..count).map(|clock| clock * 10);
            let interventions = clocks
                .zip(changes.iter().cycle())
                .map(|(clock, change)| Intervention { clock, change: change.clone() });
            Plan::new(interventions.collect(), Some(1000), Steady::at(1))
        };
        Plans([0, 1, 3, 6, 40].into_iter().map(|count| all(count).encode()).collect())
    }
}

impl Subject for Plans {
    fn input(&self, chance: &mut Chance) -> Vec<u8> {
        let mut bytes = chance.of(&self.0).clone();
        chance.change(&mut bytes);
        bytes
    }

    fn read(&self, input: &[u8]) {
        read(input);
    }
}

/// What is read means the same once it is written and read again.
pub fn read(input: &[u8]) {
    if let Some(plan) = Plan::decode(input) {
        assert_eq!(Plan::decode(&plan.encode()), Some(plan));
    }
}
