//! The dependence graph near the failure, small enough to be drawn.
//!
//! Executions of one statement are one vertex. The statements of the chain are in it, then those nearest to the failure.
//! What lies between two of them in library twins is passed through.

use std::collections::{BTreeSet, HashMap, HashSet};

use execution::dependence::graph::{Dependence, VertexId};
use execution::nearness::Nearness;
use findings::story::{EdgeTold, GraphTold, Standing, VertexTold};
use program::Site;
use replay::Step;
use source::told::tell;

use super::chain::edge_kind;
use crate::why::Diagnosis;
use subject::place::{location, own_location};
use subject::{Subject, TechniqueError};

/// Statements drawn.
const MOST: usize = 18;
/// Findings that are marked as suspects.
const SUSPECTS: usize = 3;
/// Steps of library twins passed through for one statement.
const MOST_PASSED: usize = 2000;

/// A statement: the step that is told, how many there are, and how near the nearest is.
struct Statement {
    step: Step,
    vertices: Vec<VertexId>,
    distance: u32,
}

pub fn graph(subject: &Subject<'_, '_>, diagnosis: &Diagnosis) -> Result<GraphTold, TechniqueError> {
    let nearness = subject.nearness()?;
    let (statements, silent) = statements(subject, nearness);
    let Some(root) = nearness.graph.steps.first().copied() else { return Ok(GraphTold::default()) };
    let on_chain: HashMap<Site, Step> =
        diagnosis.way.iter().map(|passage| (site(passage.step), passage.step)).collect();
    let mut order: Vec<(&Site, &Statement)> = statements.iter().collect();
    order.sort_by_key(|(site, statement)| {
        (
            **site != self::site(root),
            !on_chain.contains_key(*site),
            statement.distance,
            std::cmp::Reverse(statement.step),
        )
    });
    let omitted = order.len().saturating_sub(MOST) as u64;
    order.truncate(MOST);
    // Of the executions of a statement, that of the chain is told.
    let step_of = |(site, statement): &(&Site, &Statement)| on_chain.get(*site).copied().unwrap_or(statement.step);
    order.sort_by_key(step_of);
    let steps: BTreeSet<Step> = order.iter().map(step_of).collect();
    let told = tell(subject.run, subject.sources, &steps)?;
    let suspects: HashSet<(&str, u32)> = diagnosis
        .findings
        .findings
        .iter()
        .take(SUSPECTS)
        .map(|finding| (finding.location.file.as_str(), finding.location.line))
        .collect();
    let vertices = order
        .iter()
        .map(|entry| {
            let step = step_of(entry);
            let location = location(subject.run, step);
            let is_root = site(step) == site(root);
            let is_suspect = location.as_ref().is_some_and(|at| suspects.contains(&(at.file.as_str(), at.line)));
            let text = told.get(&step).map(ToString::to_string);
            let standing = if is_root {
                Standing::Failure
            } else if is_suspect {
                Standing::Suspect
            } else if on_chain.contains_key(&site(step)) {
                Standing::Chain
            } else {
                Standing::Other
            };
            VertexTold { location, text, standing, steps: entry.1.vertices.len() as u64 }
        })
        .collect();
    Ok(GraphTold { vertices, edges: edges(nearness, &order, &silent), omitted })
}

fn site(step: Step) -> Site {
    step.site
}

/// The program's own statements among the steps of the graph, and sites that are none: those of library twins, and what the
/// compiler added between two statements, like the arrival of a parameter. The criterion is a statement in any case.
fn statements(subject: &Subject<'_, '_>, nearness: &Nearness) -> (HashMap<Site, Statement>, HashSet<Site>) {
    let mut statements: HashMap<Site, Statement> = HashMap::new();
    let mut silent: HashSet<Site> = HashSet::new();
    for (vertex, &step) in (0..).map(VertexId).zip(&nearness.graph.steps) {
        let is_known = statements.contains_key(&site(step)) || vertex == VertexId(0);
        let is_silent = || nearness.is_twin(vertex) || own_location(subject.run, step).is_none();
        if silent.contains(&site(step)) || (!is_known && is_silent()) {
            silent.insert(site(step));
            continue;
        }
        let distance = nearness.distance(vertex).unwrap_or(u32::MAX);
        // Later steps come first, so the first of a site is the one to tell.
        let known = statements.entry(site(step)).or_insert_with(|| Statement {
            step,
            vertices: Vec::new(),
            distance: u32::MAX,
        });
        known.vertices.push(vertex);
        known.distance = known.distance.min(distance);
    }
    (statements, silent)
}

/// Dependences between the statements that are drawn, each once; what is silent between them is passed through.
fn edges(nearness: &Nearness, drawn: &[(&Site, &Statement)], silent: &HashSet<Site>) -> Vec<EdgeTold> {
    let position: HashMap<Site, usize> = drawn.iter().enumerate().map(|(at, (site, _))| (**site, at)).collect();
    let by_user = nearness.graph.by_user();
    let mut edges: Vec<EdgeTold> = Vec::new();
    let mut known = HashSet::new();
    for (to, (_, statement)) in drawn.iter().enumerate() {
        let mut passed = HashSet::new();
        let mut open: Vec<&Dependence> =
            statement.vertices.iter().flat_map(|vertex| &by_user[vertex.0 as usize]).collect();
        while let Some(edge) = open.pop() {
            let step = nearness.graph.step(edge.from);
            if let Some(&from) = position.get(&site(step)) {
                if from != to && known.insert((from, to, edge_kind(edge.kind))) {
                    edges.push(EdgeTold { from, to, kind: edge_kind(edge.kind) });
                }
                continue;
            }
            if silent.contains(&site(step)) && passed.len() < MOST_PASSED && passed.insert(edge.from) {
                open.extend(&by_user[edge.from.0 as usize]);
            }
        }
    }
    edges.sort_by_key(|edge| (edge.from, edge.to, edge.kind));
    // One line between two statements is enough; that a value is used says more than that a choice was made.
    edges.dedup_by_key(|edge| (edge.from, edge.to));
    edges
}
