//! Two yardsticks that know nothing of experiments: what every technique must be better than.

use std::collections::HashMap;

use anyhow::{Context, Result};
use execution::dependence::graph::{Builder, VertexId};
use execution::dependence::{Follow, Mark, Walk};
use execution::nearness::Nearness;
use execution::slice::Request;
use source::lines::line_of;

use crate::failing_run::FailingRun;

/// Steps of a slice that are looked at, the latest: what `faultline` itself looks at.
pub const MOST_STEPS: usize = 300_000;

/// The lines executed last before the failure shows, the latest first.
pub fn nearest(failing: &FailingRun<'_, '_>) -> Result<Vec<u32>> {
    let end = failing.criterion.as_ref().and_then(|criterion| criterion.step(failing.run)).or(failing.run.end());
    let executed = failing.executed(end.context("an empty run")?.clock)?;
    let mut lines: Vec<_> = executed.into_iter().collect();
    lines.sort_by_key(|(_, when)| std::cmp::Reverse(*when));
    Ok(lines.into_iter().map(|(line, _)| line).collect())
}

/// The lines of the dynamic slice of the failure as Korel and Laski have it (values used and choices made), in the order of
/// the distance of their nearest execution, counted in dependences; of those as near, the latest first. None of what
/// `faultline slice` adds: no potential dependences, no right lines of the output.
pub fn plain_slice(failing: &FailingRun<'_, '_>) -> Result<Vec<u32>> {
    let Some(criterion) = &failing.criterion else { return Ok(Vec::new()) };
    let functions = &failing.run.functions;
    let root = criterion.step(failing.run);
    let walk = Walk::new(functions, Follow::DataAndControl, Builder::new(functions, MOST_STEPS));
    let mark = |builder: &mut Builder<'_>| root.map_or(Mark::NOBODY, |at| builder.root(at));
    let graph = Request::of(criterion).within(failing.reach).walk(failing.run, walk, mark)?.demand.graph;
    let nearness = Nearness::of(functions, graph);
    // Steps of the graph are numbered from the latest on.
    let mut by_line: HashMap<u32, (u32, VertexId)> = HashMap::new();
    for (vertex, step) in (0..).map(VertexId).zip(&nearness.graph.steps) {
        let Some(distance) = nearness.distance(vertex) else { continue };
        let module = functions.module(step.site.function)?;
        let location = functions.instruction(step.site).location;
        let Some(line) = location.and_then(|location| line_of(module, location)) else { continue };
        if failing.is_ours(&line.file) {
            let known = by_line.entry(line.line).or_insert((distance, vertex));
            *known = (distance, vertex).min(*known);
        }
    }
    let mut lines: Vec<_> = by_line.into_iter().collect();
    lines.sort_by_key(|(_, place)| *place);
    Ok(lines.into_iter().map(|(line, _)| line).collect())
}
