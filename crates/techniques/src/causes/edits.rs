//! What was edited between two versions of a program.

use std::collections::HashSet;

use abi::InstructionId;
use execution::FunctionKey;
use execution::align::versions::SiteMap;
use execution::dependence::Moment;
use execution::difference::{Side, Sides};

type Site = (FunctionKey, InstructionId);

/// Nothing, if both runs are of one program, unless a place of it computes something else in the reference.
#[derive(Default)]
pub struct Edits {
    /// Sites of the right version whose statement says something else in the left.
    changed: HashSet<Site>,
    /// Statements that the other version does not have.
    alone: Sides<HashSet<Site>>,
    functions: Sides<HashSet<FunctionKey>>,
    /// Computes something else in the reference.
    edited: Option<Site>,
}

impl Edits {
    pub fn at(edited: Moment) -> Edits {
        Edits { edited: Some((edited.function, edited.instruction)), ..Edits::default() }
    }

    pub fn of(map: &SiteMap) -> Edits {
        let mut edits = Edits::default();
        for (old, new, sites) in map.functions() {
            edits.changed.extend(sites.changed.iter().map(|(_, site)| (new, *site)));
            edits.alone.left.extend(sites.removed.iter().map(|site| (old, *site)));
            edits.alone.right.extend(sites.added.iter().map(|site| (new, *site)));
        }
        edits.functions.left.extend(map.removed.iter().copied());
        edits.functions.right.extend(map.added.iter().copied());
        edits
    }

    pub fn is_changed(&self, at: Moment) -> bool {
        self.changed.contains(&(at.function, at.instruction))
    }

    pub fn is_edited(&self, at: Moment) -> bool {
        self.edited == Some((at.function, at.instruction))
    }

    pub fn is_of_one_version(&self, side: Side, at: Moment) -> bool {
        self.alone.of(side).contains(&(at.function, at.instruction)) || self.functions.of(side).contains(&at.function)
    }
}
