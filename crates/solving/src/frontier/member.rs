//! The members of a cut: what each did in the failing run, and so what about it can be changed.

use std::collections::{BTreeSet, HashMap};

use execution::assignments::{Assignment, assignments};
use execution::predicates::{Predicate, predicates_at};
use experiment::Change;
use graph::VertexId;
use replay::Step;

use super::states::States;
use subject::trying::other_ways::other_ways;
use subject::{Subject, TechniqueError};

#[derive(Clone, Debug)]
pub struct Member {
    pub vertex: VertexId,
    pub at: Step,
    pub state: State,
}

#[derive(Clone, Debug)]
pub enum State {
    /// A condition, and the other ways it could have gone.
    Decided(Predicate, Vec<Change>),
    Assigned(Assignment),
}

impl Member {
    pub fn is_decision(&self) -> bool {
        matches!(self.state, State::Decided(..))
    }
}

/// In the order of execution. Vertices of which nothing can be changed after all are left out.
pub fn members(
    subject: &Subject<'_, '_>,
    states: &States,
    vertices: &[VertexId],
) -> Result<Vec<Member>, TechniqueError> {
    members_at(subject, &vertices.iter().filter_map(|vertex| Some((states.step(*vertex)?, *vertex))).collect())
}

/// The same of steps whose vertices are known.
pub fn members_at(subject: &Subject<'_, '_>, by_step: &HashMap<Step, VertexId>) -> Result<Vec<Member>, TechniqueError> {
    let steps: BTreeSet<Step> = by_step.keys().copied().collect();
    let mut members = Vec::new();
    for assignment in assignments(subject.run, &steps)? {
        let (at, vertex) = (assignment.at, by_step[&assignment.at]);
        members.push(Member { vertex, at, state: State::Assigned(assignment) });
    }
    for predicate in predicates_at(subject.run, &steps)? {
        let (at, vertex) = (predicate.at, by_step[&predicate.at]);
        let ways = other_ways(subject.run, &predicate);
        members.push(Member { vertex, at, state: State::Decided(predicate, ways) });
    }
    members.sort_by_key(|member| member.at);
    Ok(members)
}
