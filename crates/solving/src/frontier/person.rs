//! A person's word on members that seem polluted: what is right is right whatever other values would do.

use std::collections::{BTreeSet, HashMap};

use replay::Step;

use subject::asking::{Asked, Verdict, Witness};
use subject::place::location;
use subject::telling::deed::deeds;
use subject::{Subject, TechniqueError};

/// What was said so far.
#[derive(Default)]
pub struct Said {
    verdicts: HashMap<Step, Verdict>,
    is_over: bool,
}

impl Said {
    /// Asks about a step, once.
    pub fn about(
        &mut self,
        subject: &Subject<'_, '_>,
        witness: &dyn Witness,
        step: Step,
        left: usize,
    ) -> Result<Verdict, TechniqueError> {
        if let Some(verdict) = self.verdicts.get(&step) {
            return Ok(*verdict);
        }
        if self.is_over {
            return Ok(Verdict::Unknown);
        }
        let Some(location) = location(subject.run, step) else { return Ok(Verdict::Unknown) };
        let deed = deeds(subject.run, subject.sources, &BTreeSet::from([step]))?.remove(&step);
        let waiting = subject.budget.wait();
        let verdict = witness.say(&Asked { location, deed, left });
        drop(waiting);
        self.is_over |= verdict == Verdict::Enough;
        self.verdicts.insert(step, verdict);
        Ok(verdict)
    }

    /// How many were called right, and how many wrong.
    pub fn counts(&self) -> (u64, u64) {
        let count = |wanted: Verdict| self.verdicts.values().filter(|said| **said == wanted).count() as u64;
        (count(Verdict::Benign), count(Verdict::Corrupted))
    }
}
