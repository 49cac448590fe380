//! Which members of a domain are examined next. Besides the paper's, the two it compares itself with (§6.3).

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use graph::{Domain, VertexId, cut, narrow_ways};
use program::Site;

use super::states::States;
use subject::{Subject, TechniqueError};

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// The smallest set that all ways go through.
    #[default]
    Cut,
    /// Those nearest to the end.
    SingleStep,
    /// Those in the middle of the longest way.
    Bisection,
}

/// What is examined in a turn, and what is left if none of it is polluted.
pub struct Chosen {
    pub vertices: Vec<VertexId>,
    pub if_clean: Domain,
}

/// Which places of the program the last cuts were at. A loop of a thousand turns has a thousand cuts that are as narrow, one
/// behind the other; where they are at the same places again and again, ever more of them are left out, and at most half
/// of what is left. Any cut will do to narrow a domain, so this costs no exactness.
#[derive(Default)]
pub struct Habit {
    sites: BTreeSet<Site>,
    times: u32,
}

impl Habit {
    /// A cut has been made.
    fn note(&mut self, sites: BTreeSet<Site>) {
        self.times = if sites == self.sites { self.times + 1 } else { 0 };
        self.sites = sites;
    }
}

/// So many cuts at the same places are made before some are left out.
const PATIENCE: u32 = 2;

fn sites(states: &States, members: &[VertexId]) -> BTreeSet<Site> {
    members.iter().filter_map(|member| Some(states.step(*member)?.site)).collect()
}

impl Strategy {
    /// None: there is nothing left to examine.
    pub fn choose(
        self,
        subject: &Subject<'_, '_>,
        states: &States,
        domain: &Domain,
        habit: &mut Habit,
    ) -> Result<Option<Chosen>, TechniqueError> {
        let spent = replay::ReplayError::Spent;
        let (graph, narrow, own) = (&states.whole.graph, &states.narrow, &states.own);
        if self == Strategy::Cut {
            let Some(mut found) = cut(graph, domain, narrow, own, subject.budget).map_err(spent)? else {
                return Ok(None);
            };
            habit.note(sites(states, &found.members));
            if habit.times >= PATIENCE {
                let few = farther(states, domain, habit);
                let other = cut(graph, domain, &few, own, subject.budget).map_err(spent)?;
                found = other.filter(|other| other.members.len() <= found.members.len()).unwrap_or(found);
            }
            let if_clean = domain.behind(graph, &found.members);
            return Ok(Some(Chosen { vertices: found.members, if_clean }));
        }
        let ways = narrow_ways(graph, domain, narrow, own, subject.budget).map_err(spent)?;
        let (Some(nearest), Some(farthest)) =
            (ways.iter().map(|(_, far)| *far).min(), ways.iter().map(|(_, far)| *far).max())
        else {
            return Ok(None);
        };
        let at = if self == Strategy::SingleStep { nearest } else { nearest + (farthest - nearest) / 2 };
        // As many as there are at this distance, or at the next one where there are some.
        let at = ways.iter().map(|(_, far)| *far).filter(|far| *far >= at).min().unwrap_or(nearest);
        let vertices: Vec<VertexId> = ways.iter().filter(|(_, far)| *far == at).map(|(vertex, _)| *vertex).collect();
        let mut if_clean = domain.clone();
        for (vertex, far) in &ways {
            // One step after the other goes on towards the entry; halves are the half that is nearer to the end.
            let is_done = if self == Strategy::SingleStep { *far <= at } else { *far >= at };
            if is_done {
                if_clean.set_aside(*vertex);
            }
        }
        Ok(Some(Chosen { vertices, if_clean }))
    }
}

/// What may be in a cut but for the latest executions of the places that cuts have been at.
fn farther(states: &States, domain: &Domain, habit: &Habit) -> FixedBitSet {
    let mut few = states.narrow.clone();
    let inside = states.whole.graph.leading_to(&domain.ends, &domain.inside);
    for site in &habit.sites {
        let of_site = states.whole.those(|key, instruction| key.at(instruction) == *site);
        let executed: Vec<usize> = inside.intersection(&of_site).collect();
        // Later steps have lower numbers.
        let left_out = (1_usize << habit.times.min(40)).min(executed.len() / 2);
        for at in &executed[..left_out] {
            few.set(*at, false);
        }
    }
    few
}
