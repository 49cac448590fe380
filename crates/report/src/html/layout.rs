//! A graph in layers, for drawing: boxes that do not overlap, edges that do not run through them.
//!
//! The textbook's four stages (Sugiyama, Tagawa and Toda): layers by the longest way, a *bend* in each layer an edge
//! passes, an order in each layer that has few crossings, then positions. Edges change their place between layers only,
//! and pass a layer straight down at their bend, which has room of its own there.

/// What is to be laid out. Edges go from earlier vertices to later ones, most of them; the others are loops.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub widths: Vec<f64>,
    pub height: f64,
    pub edges: Vec<(usize, usize)>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// The middle of each vertex's upper side.
    pub tops: Vec<Point>,
    /// For each edge, the points it goes through, from its first vertex to its last.
    pub ways: Vec<Vec<Point>>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Between boxes of a layer, between layers, and around an edge.
const GAP: f64 = 24.0;
const LAYER_GAP: f64 = 52.0;
const BEND: f64 = 10.0;
const SWEEPS: usize = 12;

/// A vertex, or a bend of an edge.
#[derive(Clone, Copy)]
struct Spot {
    width: f64,
    layer: usize,
}

pub fn layout(sketch: &Sketch) -> Layout {
    let downward: Vec<(usize, usize)> = sketch.edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let layers = layers(sketch.widths.len(), &downward);
    let mut spots: Vec<Spot> =
        sketch.widths.iter().zip(&layers).map(|(&width, &layer)| Spot { width, layer }).collect();
    // Each edge as a row of spots, one in each layer it touches.
    let rows: Vec<Vec<usize>> = downward.iter().map(|&edge| row(edge, &mut spots)).collect();
    let mut links: Vec<(usize, usize)> = rows.iter().flat_map(|row| row.windows(2).map(|w| (w[0], w[1]))).collect();
    links.sort_unstable();
    links.dedup();
    let neighbours = Neighbours::new(spots.len(), &links);
    let order = order(&spots, &links, &neighbours);
    let xs = positions(&spots, &order, &neighbours);
    let y = |layer: usize| layer as f64 * (sketch.height + LAYER_GAP);
    let tops: Vec<Point> = layers.iter().zip(&xs).map(|(&layer, &x)| Point { x, y: y(layer) }).collect();
    let ways = rows.iter().zip(&sketch.edges).map(|(row, &(from, to))| {
        let mut way = Vec::new();
        for (position, &spot) in row.iter().enumerate() {
            let (x, top) = (xs[spot], y(spots[spot].layer));
            if position > 0 {
                way.push(Point { x, y: top });
            }
            if position + 1 < row.len() {
                way.push(Point { x, y: top + sketch.height });
            }
        }
        if from > to {
            way.reverse();
        }
        way
    });
    let right = spots.iter().zip(&xs).map(|(spot, x)| x + spot.width / 2.0).fold(0.0, f64::max);
    let count = layers.iter().max().map_or(0, |last| last + 1);
    let height = (y(count) - LAYER_GAP).max(0.0);
    Layout { width: right, height, tops, ways: ways.collect() }
}

/// The length of the longest way to each vertex; one that nothing leads to stands right above what it leads to.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut sorted = edges.to_vec();
    sorted.sort_unstable();
    let mut layers = vec![0; count];
    for &(from, to) in sorted.iter().filter(|(from, to)| from != to) {
        layers[to] = layers[to].max(layers[from] + 1);
    }
    for vertex in (0..count).rev() {
        let has_before = edges.iter().any(|&(from, to)| to == vertex && from != vertex);
        let next = edges.iter().filter(|&&(from, to)| from == vertex && to != vertex).map(|&(_, to)| layers[to]).min();
        if let Some(next) = next.filter(|_| !has_before) {
            layers[vertex] = next - 1;
        }
    }
    layers
}

/// The spots of an edge, with a new bend in each layer between.
fn row((from, to): (usize, usize), spots: &mut Vec<Spot>) -> Vec<usize> {
    let mut row = vec![from];
    for layer in spots[from].layer + 1..spots[to].layer {
        row.push(spots.len());
        spots.push(Spot { width: BEND, layer });
    }
    if from != to {
        row.push(to);
    }
    row
}

struct Neighbours {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

impl Neighbours {
    fn new(count: usize, links: &[(usize, usize)]) -> Neighbours {
        let mut neighbours = Neighbours { above: vec![Vec::new(); count], below: vec![Vec::new(); count] };
        for &(upper, lower) in links {
            neighbours.below[upper].push(lower);
            neighbours.above[lower].push(upper);
        }
        neighbours
    }
}

/// The spots of each layer from left to right: each goes to the middle of its neighbours, layer by layer, down and up; the
/// order with the fewest crossings is kept.
fn order(spots: &[Spot], links: &[(usize, usize)], neighbours: &Neighbours) -> Vec<Vec<usize>> {
    let count = spots.iter().map(|spot| spot.layer + 1).max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (position, spot) in spots.iter().enumerate() {
        layers[spot.layer].push(position);
    }
    let mut best = layers.clone();
    let mut fewest = crossings(spots.len(), &layers, links);
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        for turn in 1..count {
            let (layer, beside) = if is_down { (turn, turn - 1) } else { (count - 1 - turn, count - turn) };
            let places = places(spots.len(), &layers[beside]);
            let towards = if is_down { &neighbours.above } else { &neighbours.below };
            let own = self::places(spots.len(), &layers[layer]);
            // Without neighbours it stays where it is.
            let wish = |spot: usize| middle(towards[spot].iter().map(|&other| places[other])).unwrap_or(own[spot]);
            layers[layer].sort_by(|&a, &b| wish(a).total_cmp(&wish(b)));
        }
        let now = crossings(spots.len(), &layers, links);
        if now < fewest {
            (best, fewest) = (layers.clone(), now);
        }
    }
    best
}

/// How far from the left each spot of a layer is.
fn places(count: usize, layer: &[usize]) -> Vec<f64> {
    let mut places = vec![0.0; count];
    layer.iter().enumerate().for_each(|(place, &spot)| places[spot] = place as f64);
    places
}

fn middle(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn crossings(count: usize, layers: &[Vec<usize>], links: &[(usize, usize)]) -> usize {
    let mut layer_of = vec![0; count];
    let mut place = vec![0; count];
    for (number, layer) in layers.iter().enumerate() {
        for (position, &spot) in layer.iter().enumerate() {
            (layer_of[spot], place[spot]) = (number, position);
        }
    }
    let mut crossed = 0;
    for (position, &(a, b)) in links.iter().enumerate() {
        for &(c, d) in &links[position + 1..] {
            let crosses = layer_of[a] == layer_of[c]
                && (place[a] as i64 - place[c] as i64) * (place[b] as i64 - place[d] as i64) < 0;
            crossed += usize::from(crosses);
        }
    }
    crossed
}

/// The middle of each spot: as near to its neighbours as the order and the gaps allow.
fn positions(spots: &[Spot], order: &[Vec<usize>], neighbours: &Neighbours) -> Vec<f64> {
    let mut xs = vec![0.0; spots.len()];
    for layer in order {
        let mut left = 0.0;
        for &spot in layer {
            xs[spot] = left + spots[spot].width / 2.0;
            left += spots[spot].width + GAP;
        }
    }
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        for turn in 0..order.len() {
            let layer = &order[if is_down { turn } else { order.len() - 1 - turn }];
            let towards = if is_down { &neighbours.above } else { &neighbours.below };
            let wishes: Vec<f64> = layer
                .iter()
                .map(|&spot| middle(towards[spot].iter().map(|&other| xs[other])).unwrap_or(xs[spot]))
                .collect();
            let apart: Vec<f64> =
                layer.windows(2).map(|pair| (spots[pair[0]].width + spots[pair[1]].width) / 2.0 + GAP).collect();
            for (&spot, x) in layer.iter().zip(keep_apart(&wishes, &apart)) {
                xs[spot] = x;
            }
        }
    }
    let left = spots.iter().zip(&xs).map(|(spot, x)| x - spot.width / 2.0).fold(f64::INFINITY, f64::min);
    xs.iter_mut().for_each(|x| *x -= left);
    xs
}

/// Positions nearest to the wishes (least squares) that are in order and at least so far apart. With the distances taken
/// off, that is isotonic regression: neighbours in the wrong order are pooled at their mean.
fn keep_apart(wishes: &[f64], apart: &[f64]) -> Vec<f64> {
    let mut offsets = vec![0.0];
    for distance in apart {
        offsets.push(offsets[offsets.len() - 1] + distance);
    }
    // Sum and count of each pool.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        pools.push((wish - offset, 1));
        while let [.., (before, count), (sum, own)] = pools[..]
            && before / count as f64 > sum / own as f64
        {
            pools.pop();
            pools.pop();
            pools.push((before + sum, count + own));
        }
    }
    let levelled = pools.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    levelled.zip(&offsets).map(|(level, offset)| level + offset).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_diamond_is_drawn_as_one() {
        let sketch = Sketch { widths: vec![100.0; 4], height: 40.0, edges: vec![(0, 1), (0, 2), (1, 3), (2, 3)] };
        let layout = layout(&sketch);
        let xs: Vec<f64> = layout.tops.iter().map(|top| top.x).collect();
        assert!((xs[0] - xs[3]).abs() < 0.01 && (xs[0] * 2.0 - xs[1] - xs[2]).abs() < 0.01, "{xs:?}");
        assert_eq!(layout.tops[1].y, layout.tops[2].y);
        assert_eq!(layout.ways[0].len(), 2);
    }

    #[test]
    fn what_is_empty_has_no_size() {
        let layout = layout(&Sketch { widths: Vec::new(), height: 40.0, edges: Vec::new() });
        assert_eq!((layout.width, layout.height), (0.0, 0.0));
    }

    fn sketches() -> impl Strategy<Value = Sketch> {
        (1..18usize).prop_flat_map(|count| {
            let edges = proptest::collection::vec((0..count, 0..count), 0..40);
            (proptest::collection::vec(40.0..260.0f64, count), edges).prop_map(|(widths, edges)| Sketch {
                widths,
                height: 44.0,
                edges,
            })
        })
    }

    proptest! {
        #[test]
        fn boxes_do_not_overlap_and_edges_leave_them_alone(sketch in sketches()) {
            let layout = layout(&sketch);
            let sides = |v: usize| (layout.tops[v].x - sketch.widths[v] / 2.0, layout.tops[v].x + sketch.widths[v] / 2.0);
            for a in 0..sketch.widths.len() {
                prop_assert!(sides(a).0 > -0.01 && sides(a).1 < layout.width + 0.01);
                prop_assert!(layout.tops[a].y + sketch.height <= layout.height + 0.01);
                for b in 0..a {
                    let is_apart = sides(a).1 < sides(b).0 || sides(b).1 < sides(a).0;
                    prop_assert!(layout.tops[a].y != layout.tops[b].y || is_apart);
                }
            }
            for (way, &(from, to)) in layout.ways.iter().zip(&sketch.edges) {
                for pair in way.windows(2) {
                    let (top, bottom) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
                    // Straight through a layer, beside its boxes; or between two layers, where there are none.
                    for v in (0..sketch.widths.len()).filter(|v| *v != from && *v != to) {
                        let within = layout.tops[v].y >= top - 0.01 && layout.tops[v].y + sketch.height <= bottom + 0.01;
                        if within && bottom - top < sketch.height + 0.01 {
                            prop_assert_eq!(pair[0].x, pair[1].x);
                            prop_assert!(pair[0].x < sides(v).0 || pair[0].x > sides(v).1);
                        }
                    }
                    prop_assert!((bottom - top - sketch.height).abs() < 0.01 || (bottom - top - LAYER_GAP).abs() < 0.01);
                }
            }
        }

        /// The slow twin pushes a little at a time.
        #[test]
        fn positions_are_the_nearest_that_keep_apart(
            wishes in proptest::collection::vec(-50.0..50.0f64, 1..7),
            gap in 1.0..20.0f64,
        ) {
            let apart = vec![gap; wishes.len() - 1];
            let found = keep_apart(&wishes, &apart);
            let cost = |xs: &[f64]| xs.iter().zip(&wishes).map(|(x, wish)| (x - wish).powi(2)).sum::<f64>();
            let holds = |xs: &[f64]| xs.windows(2).all(|pair| pair[1] - pair[0] >= gap - 1e-6);
            prop_assert!(holds(&found));
            for first in 0..found.len() {
                for last in first..found.len() {
                    for push in [-0.01, 0.01] {
                        let mut other = found.clone();
                        other[first..=last].iter_mut().for_each(|x| *x += push);
                        prop_assert!(!holds(&other) || cost(&other) >= cost(&found) - 1e-9);
                    }
                }
            }
        }
    }
}
