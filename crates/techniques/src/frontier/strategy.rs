//! Which members of a domain are examined next. Besides the paper's, the two it compares itself with (§6.3).

use graph::{Domain, VertexId, cut, narrow_ways};

use super::states::States;
use crate::{Subject, TechniqueError};

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

impl Strategy {
    /// None: there is nothing left to examine.
    pub fn choose(
        self,
        subject: &Subject<'_, '_>,
        states: &States,
        domain: &Domain,
    ) -> Result<Option<Chosen>, TechniqueError> {
        let spent = replay::ReplayError::Spent;
        let (graph, narrow, own) = (&states.whole.graph, &states.narrow, &states.own);
        if self == Strategy::Cut {
            let found = cut(graph, domain, narrow, own, subject.budget).map_err(spent)?;
            return Ok(found.map(|cut| {
                let if_clean = domain.behind(graph, &cut.members);
                Chosen { vertices: cut.members, if_clean }
            }));
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
