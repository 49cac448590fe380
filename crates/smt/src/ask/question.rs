//! A question as layers see it: constraints of three kinds, each known by its place.

use crate::hash::Set;
use crate::term::{Term, Terms};

/// A constraint's place. What is wanted comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Place {
    Known(usize),
    Soft(usize),
    Wanted(usize),
}

pub(super) struct Question<'a> {
    pub known: &'a [Term],
    pub soft: &'a [Term],
    /// Which soft constraints do not count any more.
    pub dropped: &'a Set<usize>,
    pub wanted: &'a [Term],
}

impl Question<'_> {
    pub fn constraint(&self, place: Place) -> Term {
        match place {
            Place::Known(at) => self.known[at],
            Place::Soft(at) => self.soft[at],
            Place::Wanted(at) => self.wanted[at],
        }
    }

    pub fn has(&self, place: Place) -> bool {
        match place {
            Place::Soft(at) => !self.dropped.contains(&at),
            Place::Known(_) | Place::Wanted(_) => true,
        }
    }

    /// All that count, in order.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let known = (0..self.known.len()).map(Place::Known);
        let soft = (0..self.soft.len()).map(Place::Soft).filter(|place| self.has(*place));
        known.chain(soft).chain((0..self.wanted.len()).map(Place::Wanted))
    }

    /// A constraint that no values of symbols satisfy, being a constant.
    pub fn never_satisfied(&self, terms: &Terms) -> Option<Place> {
        self.places().find(|place| terms.as_constant(self.constraint(*place)) == Some(0))
    }
}
