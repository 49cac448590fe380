//! A person's word on what the failing run did, as the paper has it: steps that are shown to somebody, the likeliest to be
//! wrong first, until one is called wrong. What is called right leaves the set, with all that only it depends on; what is
//! called wrong is where the next dependences are looked for.

use std::collections::{BTreeSet, HashSet};

use replay::Step;

use crate::pruning::Pruned;
use subject::asking::{Asked, Verdict, Witness};
use subject::place::own_location;
use subject::telling::deed::deeds;
use subject::telling::failure;
use subject::{Subject, TechniqueError};

/// What was said.
#[derive(Default)]
pub struct Testimony {
    pub benign: HashSet<Step>,
    pub corrupted: HashSet<Step>,
    unknown: HashSet<Step>,
    is_over: bool,
    /// The last answer called something wrong, so there may be more to ask.
    pub is_going_on: bool,
}

impl Testimony {
    /// Asks until something is called wrong, or there is nothing left to ask about. Gives the set without what is right,
    /// which `again` makes.
    pub fn gather(
        &mut self,
        subject: &Subject<'_, '_>,
        witness: &dyn Witness,
        mut set: Pruned,
        again: impl Fn(&HashSet<Step>) -> Result<Option<Pruned>, TechniqueError>,
    ) -> Result<Pruned, TechniqueError> {
        self.is_going_on = false;
        // Where the failure shows, nobody needs to be asked.
        let end = failure::end(subject)?;
        while !self.is_over {
            let is_open = |step: &Step| Some(*step) != end && !self.is_known(*step);
            let open: Vec<Step> = set.by_doubt(subject).into_iter().filter(is_open).collect();
            let Some((step, asked)) = question(subject, &open)? else { break };
            let waiting = subject.budget.wait();
            let verdict = witness.say(&asked);
            drop(waiting);
            match verdict {
                Verdict::Benign => {
                    self.benign.insert(step);
                    set = again(&self.benign)?.unwrap_or(set);
                }
                Verdict::Corrupted => {
                    self.corrupted.insert(step);
                    self.is_going_on = true;
                    break;
                }
                Verdict::Unknown => _ = self.unknown.insert(step),
                Verdict::Enough => self.is_over = true,
            }
        }
        Ok(set)
    }

    fn is_known(&self, step: Step) -> bool {
        [&self.benign, &self.corrupted, &self.unknown].iter().any(|known| known.contains(&step))
    }
}

/// The first of these steps that somebody can be shown.
fn question(subject: &Subject<'_, '_>, open: &[Step]) -> Result<Option<(Step, Asked)>, TechniqueError> {
    let mut places = open.iter().map(|step| own_location(subject.run, *step));
    let Some(position) = places.position(|place| place.is_some()) else { return Ok(None) };
    let step = open[position];
    let deed = deeds(subject.run, subject.sources, &BTreeSet::from([step]))?.remove(&step);
    let left = open.len() - position;
    Ok(own_location(subject.run, step).map(|location| (step, Asked { location, deed, left })))
}
