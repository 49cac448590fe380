//! Which of several steps explains the others: a wrong one makes those wrong that depend on it.

use execution::dependence::graph::VertexId;
use replay::Step;

use crate::{Subject, TechniqueError};

/// For each step, how many of the others depend on it.
pub fn explained(subject: &Subject<'_, '_>, steps: &[Step]) -> Result<Vec<usize>, TechniqueError> {
    let nearness = subject.nearness()?;
    let vertices: Vec<Option<VertexId>> = steps.iter().map(|step| nearness.vertex(*step)).collect();
    let mut explains = vec![0; steps.len()];
    for (user, start) in vertices.iter().enumerate() {
        let Some(start) = start else { continue };
        let depended = nearness.reached(*start, |_| true);
        for (other, vertex) in vertices.iter().enumerate() {
            let is_depended_on = vertex.is_some_and(|vertex| depended.distance(vertex).is_some());
            explains[other] += usize::from(other != user && is_depended_on);
        }
    }
    Ok(explains)
}
