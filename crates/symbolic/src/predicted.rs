//! The way that a run on another input is predicted to go, and what leads it back where it went another one: addresses that were
//! no longer bound to their values may have changed what was read there. The run itself shows what is there now.

use replay::Step;
use smt::Term;

use crate::path::{Condition, Way};
use crate::shadow::{Shadow, Shadowed};

/// Steps at which control should go a certain way, in their order, the one that was turned last.
#[derive(Clone, Debug)]
pub struct Predicted {
    ways: Vec<(Step, Way)>,
}

/// How a run went, compared with what was predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Went {
    /// As predicted, to the end.
    AsPredicted,
    /// Another way at a step, at which so many of its own conditions must hold, and this, for it to go the predicted one.
    Elsewhere { conditions: usize, wanted: Term },
    /// Another way, and none of its symbols can tell why.
    Astray,
}

impl Predicted {
    /// None if it cannot be seen whether a run goes the way of this turn.
    pub(crate) fn of(before: &[Condition], turned: &Condition, way: Way) -> Option<Predicted> {
        if way == Way::Elsewhere {
            return None;
        }
        let known = before.iter().filter(|condition| condition.went != Way::Elsewhere);
        let known = known.map(|condition| (condition.at, condition.went));
        Some(Predicted { ways: known.chain([(turned.at, way)]).collect() })
    }

    /// To be called before the replay of the run.
    pub fn watch(&self, shadow: &mut Shadow<'_>) {
        shadow.ask_all(self.ways.iter().map(|(at, _)| *at));
    }

    /// Whether it took the other way where it was turned, whatever it did before.
    pub fn has_turned(&self, shadowed: &Shadowed) -> bool {
        self.ways.last().is_some_and(|(at, way)| shadowed.ways.get(at) == Some(way))
    }

    pub fn compare(&self, shadowed: &Shadowed) -> Went {
        let Some((at, way)) = self.ways.iter().find(|(at, way)| shadowed.ways.get(at) != Some(way)) else {
            return Went::AsPredicted;
        };
        let lead = shadowed.chosen.get(at).and_then(|chosen| {
            let other = chosen.others.iter().find(|other| other.way == *way)?;
            Some(Went::Elsewhere { conditions: chosen.before, wanted: other.holds })
        });
        lead.unwrap_or(Went::Astray)
    }
}
