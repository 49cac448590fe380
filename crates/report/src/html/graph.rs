//! The dependences around the failure, drawn.

use std::fmt::Write;

use findings::story::{EdgeKind, Standing, Story, VertexTold};
use maud::{Markup, html};

use super::chain::edge_class;
use super::layout::{Layout, Point, Sketch, layout};
use super::places::{Places, file_name};
use super::visible::visible;
use crate::english;

const HEIGHT: f64 = 46.0;
/// The width of a character of the text, which is of one width.
const CHARACTER: f64 = 7.3;
const PADDING: f64 = 24.0;
/// Longer texts are cut; the whole is told when asked for.
const LONGEST: usize = 34;
/// Around the drawing.
const MARGIN: f64 = 12.0;

const KINDS: [EdgeKind; 3] = [EdgeKind::Data, EdgeKind::Control, EdgeKind::Potential];

pub fn graph(story: &Story, places: &Places<'_>) -> Markup {
    let graph = &story.graph;
    let texts = graph.vertices.iter().map(|vertex| english::vertex(vertex, story.case.failure.as_ref()));
    let labels: Vec<Label> = graph.vertices.iter().zip(texts).map(|(vertex, text)| Label::new(vertex, text)).collect();
    let edges = graph.edges.iter().filter(|edge| edge.from < labels.len() && edge.to < labels.len());
    let edges: Vec<_> = edges.filter(|edge| edge.from != edge.to).collect();
    let layout = layout(&Sketch {
        widths: labels.iter().map(Label::width).collect(),
        height: HEIGHT,
        edges: edges.iter().map(|edge| (edge.from, edge.to)).collect(),
    });
    let view =
        format!("{:.0} {:.0} {:.0} {:.0}", -MARGIN, -MARGIN, layout.width + 2.0 * MARGIN, layout.height + 2.0 * MARGIN);
    html! {
        h2 #graph-title { "What the failure depends on" }
        p.legend {
            @for kind in KINDS.into_iter().filter(|kind| edges.iter().any(|edge| edge.kind == *kind)) {
                span.line.(edge_class(kind)) {} (meaning(kind)) " "
            }
            @if graph.omitted > 0 { span.omitted { (graph.omitted) " more statements are not drawn" } }
        }
        div.scroll.drawing tabindex="0" role="region" aria-labelledby="graph-title" {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) role="group" aria-label="Graph of dependences"
                width=(format!("{:.0}", layout.width + 2.0 * MARGIN)) height=(format!("{:.0}", layout.height + 2.0 * MARGIN)) {
                defs { @for kind in KINDS { (arrow(kind)) } }
                @for (edge, way) in edges.iter().zip(&layout.ways) {
                    path.edge.(edge_class(edge.kind)) d=(curve(way)) marker-end={ "url(#arrow-" (edge_class(edge.kind)) ")" } {}
                }
                @for (position, vertex) in graph.vertices.iter().enumerate() {
                    (vertex_drawn(vertex, &labels[position], &layout, position, places))
                }
            }
        }
    }
}

/// What a vertex says.
struct Label {
    place: String,
    text: String,
    /// The same, uncut.
    whole: String,
}

impl Label {
    fn new(vertex: &VertexTold, whole: String) -> Label {
        let place = match &vertex.location {
            Some(at) => format!("{}:{}", visible(file_name(&at.file)), at.line),
            None => "elsewhere".into(),
        };
        let times = if vertex.steps > 1 { format!("  ×{}", vertex.steps) } else { String::new() };
        Label { place: cut(&format!("{place}{times}")), text: cut(&visible(&whole)), whole }
    }

    fn width(&self) -> f64 {
        let longest = self.place.chars().count().max(self.text.chars().count());
        longest as f64 * CHARACTER + PADDING
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

fn vertex_drawn(vertex: &VertexTold, label: &Label, layout: &Layout, position: usize, places: &Places<'_>) -> Markup {
    let Point { x, y } = layout.tops[position];
    let width = label.width();
    let class = match vertex.standing {
        Standing::Failure => "failure",
        Standing::Suspect => "suspect",
        Standing::Chain => "on-chain",
        Standing::Other => "other",
    };
    let number = |value: f64| format!("{value:.1}");
    let drawn = html! {
        title { (visible(&label.whole)) }
        rect x=(number(x - width / 2.0)) y=(number(y)) width=(number(width)) height=(number(HEIGHT)) rx="7" {}
        text.place x=(number(x)) y=(number(y + 18.0)) { (label.place) }
        text x=(number(x)) y=(number(y + 35.0)) { (label.text) }
    };
    html! {
        @match vertex.location.as_ref().and_then(|at| places.id(at)) {
            Some(id) => a.vertex.(class) href={ "#" (id) } { (drawn) },
            None => g.vertex.(class) { (drawn) },
        }
    }
}

/// Straight where an edge passes a layer, curved between layers.
fn curve(way: &[Point]) -> String {
    let mut path = String::new();
    for (position, point) in way.iter().enumerate() {
        let Point { x, y } = *point;
        // Writing to a text does not fail.
        let _ = match position.checked_sub(1).map(|before| way[before]) {
            None => write!(path, "M{x:.1} {y:.1}"),
            Some(before) if (before.x - x).abs() < 0.05 => write!(path, "L{x:.1} {y:.1}"),
            Some(before) => {
                let middle = (before.y + y) / 2.0;
                write!(path, "C{:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}", before.x)
            }
        };
    }
    path
}

fn arrow(kind: EdgeKind) -> Markup {
    html! {
        marker id={ "arrow-" (edge_class(kind)) } viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"
            orient="auto-start-reverse" { path.head.(edge_class(kind)) d="M0 1L9 5L0 9z" {} }
    }
}

fn meaning(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Data => "its value is used",
        EdgeKind::Control => "it decides whether",
        EdgeKind::Potential => "it could have changed it",
    }
}
