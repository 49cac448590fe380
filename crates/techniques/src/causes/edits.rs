//! What was edited between two versions of a program.

use std::collections::HashSet;

use comparison::{Side, Sides};
use nesting::align::versions::SiteMap;
use program::{FunctionKey, Site};
use replay::Step;

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
    pub fn at(edited: Step) -> Edits {
        Edits { edited: Some(edited.site), ..Edits::default() }
    }

    pub fn of(map: &SiteMap) -> Edits {
        let mut edits = Edits::default();
        for (old, new, sites) in map.functions() {
            edits.changed.extend(sites.changed.iter().map(|(_, site)| new.at(*site)));
            edits.alone.left.extend(sites.removed.iter().map(|site| old.at(*site)));
            edits.alone.right.extend(sites.added.iter().map(|site| new.at(*site)));
        }
        edits.functions.left.extend(map.removed.iter().copied());
        edits.functions.right.extend(map.added.iter().copied());
        edits
    }

    pub fn is_changed(&self, at: Step) -> bool {
        self.changed.contains(&at.site)
    }

    pub fn is_edited(&self, at: Step) -> bool {
        self.edited == Some(at.site)
    }

    pub fn is_of_one_version(&self, side: Side, at: Step) -> bool {
        self.alone.of(side).contains(&at.site) || self.functions.of(side).contains(&at.site.function)
    }
}
