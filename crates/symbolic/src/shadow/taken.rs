//! Which ways control went, whatever it went by.

use std::collections::HashSet;

use program::Site;
use replay::Observed;

use crate::path::Way;

/// Branches are the many: a byte each, by function and position. Switches are few.
#[derive(Default)]
pub(super) struct Taken {
    branches: Vec<Vec<u8>>,
    all: HashSet<(Site, Way)>,
}

impl Taken {
    /// Whether nothing more can be learnt here.
    pub fn note(&mut self, function: u32, step: &Observed<'_>, way: Way) -> bool {
        let mut is_settled = false;
        if let Way::Branch(taken) = way {
            let at = function as usize;
            if self.branches.len() <= at {
                self.branches.resize(at + 1, Vec::new());
            }
            let known = &mut self.branches[at];
            if known.is_empty() {
                known.resize(step.function().instructions.len(), 0);
            }
            let (seen, bit) = (&mut known[step.id().index()], 1 << u8::from(taken));
            let is_new = *seen & bit == 0;
            *seen |= bit;
            is_settled = *seen == 3;
            if !is_new {
                return is_settled;
            }
        }
        self.all.insert((step.site(), way));
        is_settled
    }

    pub fn finish(self) -> HashSet<(Site, Way)> {
        self.all
    }
}
