//! Variables that surely have a value: where an assignment replaces another one.

use std::collections::{HashMap, HashSet};

use abi::InstructionId;

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::model::{BlockId, Function, Op};

/// Those assignments to variables without an address before which another of the same size was executed in any case.
pub fn assigned_before(function: &Function) -> HashSet<InstructionId> {
    let mut by_variable: HashMap<(InstructionId, u64), Vec<(BlockId, InstructionId)>> = HashMap::new();
    for (block, members) in (0..).map(BlockId).zip(&function.blocks) {
        for id in (members.first.0..members.end.0).map(InstructionId) {
            if let Op::Store { local: Some(local), value_type, .. } = &function.instruction(id).op {
                by_variable.entry((*local, value_type.store_size())).or_default().push((block, id));
            }
        }
    }
    let dominators = Dominators::of(&Cfg::of(function));
    let mut all = HashSet::new();
    for stores in by_variable.into_values() {
        for &(block, id) in &stores {
            // Instructions of a block are numbered in their order.
            let is_before = |&(other, earlier): &(BlockId, InstructionId)| {
                if other == block { earlier < id } else { dominators.dominates(other, block) }
            };
            if stores.iter().any(is_before) {
                all.insert(id);
            }
        }
    }
    all
}
