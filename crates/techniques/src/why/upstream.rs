//! What steps that matter have in common.
//!
//! A step whose change repairs the run is wrong itself, or used a wrong value. Where several such steps use values that
//! one line made, that line explains them all.

use std::collections::HashMap;

use execution::dependence::Kind;
use replay::Step;

use subject::place::{is_common_end, is_outside_call, own_location};
use subject::{Subject, TechniqueError};

/// Lines by what experiments say of what comes after them.
#[derive(Default)]
pub struct Upstream {
    by_line: HashMap<(String, u32), Support>,
    /// How many such steps there are.
    pub places: u32,
}

/// The steps that use what a line made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Support {
    pub places: u32,
    /// How far the nearest of them is, in statements.
    pub nearest: u32,
}

/// Steps that are looked at; those that come later in their list are the less likely ones.
const MOST: usize = 8;

impl Upstream {
    pub fn of(&self, file: &str, line: u32) -> Option<Support> {
        self.by_line.get(&(file.to_owned(), line)).copied()
    }
}

/// What these steps used, line by line: along values only, since a choice before them decided that they were executed,
/// not which way they went.
pub fn upstream(subject: &Subject<'_, '_>, changed: &[Step]) -> Result<Upstream, TechniqueError> {
    let nearness = subject.nearness()?;
    let mut upstream = Upstream::default();
    for &step in changed.iter().take(MOST) {
        let Some(start) = nearness.vertex(step) else { continue };
        upstream.places += 1;
        let mut distances: HashMap<(String, u32), u32> = HashMap::new();
        for (vertex, distance) in nearness.reached(start, |edge| edge.kind == Kind::Data).steps() {
            let step = nearness.graph.step(vertex);
            // What was read from outside is given, right or wrong: every value of a program comes from there.
            if vertex == start || nearness.is_twin(vertex) || is_outside_call(subject.run, step) {
                continue;
            }
            let Some(place) = own_location(subject.run, step).filter(|_| !is_common_end(subject.run, step)) else {
                continue;
            };
            let known = distances.entry((place.file, place.line)).or_insert(distance);
            *known = distance.min(*known);
        }
        for (line, distance) in distances {
            let support = upstream.by_line.entry(line).or_insert(Support { places: 0, nearest: distance });
            support.places += 1;
            support.nearest = support.nearest.min(distance);
        }
    }
    Ok(upstream)
}
