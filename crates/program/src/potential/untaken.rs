//! What a branch could have defined on a way that it did not take, prepared once so that many uses can be asked about.
//!
//! In a large function, an interpreter's loop for instance, most branches lead almost everywhere, and a walk over a run asks
//! each of them about each place that is read.

use std::collections::HashSet;
use std::sync::Arc;

use crate::FunctionKey;

use super::reach::{Use, region};
use super::{Place, Potential};
use crate::{Edge, InstructionId};

/// One way of a branch.
pub struct Untaken {
    function: FunctionKey,
    /// What may define something there, in the order of instructions.
    definitions: Vec<InstructionId>,
    /// All that may be defined, each once.
    places: Vec<Place>,
}

impl Potential<'_> {
    /// Computed when first asked for.
    pub fn untaken(&self, function: FunctionKey, edge: Edge) -> Arc<Untaken> {
        let mut known = self.untaken.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Arc::clone(known.entry((function, edge)).or_insert_with(|| Arc::new(self.untaken_of(function, edge))))
    }

    fn untaken_of(&self, function: FunctionKey, edge: Edge) -> Untaken {
        let body = self.function(function);
        let blocks = region(self.shape(function), edge).into_iter().map(|block| body.block(block));
        let all = blocks.flat_map(|block| (block.first.0..block.end.0).map(InstructionId));
        let mut definitions: Vec<_> = all.filter(|id| !self.defined(function, *id).is_empty()).collect();
        definitions.sort();
        let places: HashSet<Place> = definitions.iter().flat_map(|id| self.defined(function, *id)).copied().collect();
        Untaken { function, definitions, places: places.into_iter().collect() }
    }

    /// Whether there are [`Potential::definitions_if_taken`].
    pub fn could_define(&self, untaken: &Untaken, places: &[Place], at: Use) -> bool {
        let is_read = |defined: &Place| places.iter().any(|place| self.may_overlap(defined, place));
        let Untaken { function, definitions, places: all } = untaken;
        let is_definition = |id: &InstructionId| self.defined(*function, *id).iter().any(is_read);
        all.iter().any(is_read)
            && definitions.iter().any(|id| is_definition(id) && self.reaches(*function, *id, places, at))
    }

    /// As [`Potential::may_define`] tells.
    pub(super) fn defined(&self, function: FunctionKey, id: InstructionId) -> &[Place] {
        let all = self.facts(function).defined.get_or_init(|| {
            let count = self.function(function).instructions.len() as u32;
            (0..count).map(|id| self.may_define(function, InstructionId(id))).collect()
        });
        &all[id.index()]
    }
}
