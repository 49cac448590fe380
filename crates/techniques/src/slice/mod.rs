//! Slicing.
//!
//! # What it finds
//! Lines that the failure depends on: each contributed to it, or prevented something else.
//!
//! # How
//! From the failure backwards along dependences: values that were used, choices that decided whether a step executed, and
//! choices that prevented another value (a relevant slice). Where some lines of the output are right, source lines that few of
//! them depend on come first; then those nearest to the failure, counted in statements.
//!
//! # Where it departs from the paper
//! The slice is of steps, not of statements, so the distance is that of the nearest execution of a line. Right lines of the
//! output count as tests that pass.
//!
//! # What it misses
//! Nothing that the failure depends on, as long as what library calls do is known; but most of what it finds is innocent.
//! Constants in tables are no statements, so they are found at the lines that read them.
//!
//! # Reference
//! Korel and Laski, *Dynamic Program Slicing*; Gyimóthy, Beszédes and Forgács, *An Efficient Relevant Slicing Method for
//! Debugging*.

mod explain;

use std::collections::HashMap;

use execution::dependence::graph::VertexId;
use execution::nearness::Nearness;
use findings::{Limit, Location};
use replay::Step;

use subject::notebook::spent;
use subject::place::{is_common_end, own_location};
use subject::{Found, Subject, TechniqueError};

/// A line that the failure depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SliceLine {
    pub location: Location,
    /// In statements.
    pub distance: u32,
    /// The nearest to the failure first, later ones before earlier ones.
    pub steps: Vec<Step>,
}

/// Steps kept for each line.
const MOST_STEPS: usize = 100;

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    let nearness = subject.nearness()?;
    let right = subject.right_lines()?;
    let mut lines = lines(subject, nearness);
    lines.sort_by_key(|line| right.depending_on(&line.location.file, line.location.line));
    let tried = vec![explain::tried(nearness, &lines)];
    let mut limits = explain::limits(nearness);
    if !nearness.is_relevant {
        let spent = if subject.potential()?.is_some() { None } else { Some(spent(subject.budget)) };
        limits.push(Limit::NoPotential { spent });
    }
    Ok(Found { suspects: explain::suspects(subject, &lines, &right)?, limits, tried, ..Found::default() })
}

/// A step, how far it is from the failure, and where.
type Near = (u32, VertexId, Location);

/// The lines of the program's own code, the nearest to the failure first; of those as near, the latest first.
pub fn lines(subject: &Subject<'_, '_>, nearness: &Nearness) -> Vec<SliceLine> {
    let mut by_line: HashMap<(String, u32), Vec<Near>> = HashMap::new();
    for (position, &step) in (0..).zip(&nearness.graph.steps) {
        let vertex = VertexId(position);
        let Some(distance) = nearness.distance(vertex).filter(|_| !nearness.is_twin(vertex)) else { continue };
        if is_common_end(subject.run, step) {
            continue;
        }
        // What has no place of its own, like a parameter's arrival, nobody wrote.
        let Some(location) = own_location(subject.run, step) else { continue };
        by_line.entry((location.file.clone(), location.line)).or_default().push((distance, vertex, location));
    }
    let mut lines: Vec<SliceLine> = by_line
        .into_values()
        .filter_map(|mut steps| {
            // Steps of the graph are numbered from the latest on.
            steps.sort_by_key(|(distance, vertex, _)| (*distance, *vertex));
            let (distance, _, location) = steps.first()?.clone();
            let steps = steps.iter().take(MOST_STEPS).map(|(_, vertex, _)| nearness.graph.step(*vertex)).collect();
            Some(SliceLine { location, distance, steps })
        })
        .collect();
    lines.sort_by_key(|line| (line.distance, std::cmp::Reverse(line.steps.first().copied())));
    lines
}
