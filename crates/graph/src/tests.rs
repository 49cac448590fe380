//! Cuts against all subsets of vertices, on small graphs of any shape.

use budget::Budget;
use fixedbitset::FixedBitSet;
use proptest::prelude::*;

use crate::{Domain, Graph, VertexId, cut};

fn set(members: &[bool]) -> FixedBitSet {
    members.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at).collect()
}

fn sized(members: &[bool]) -> FixedBitSet {
    let mut set = set(members);
    set.grow(members.len());
    set
}

/// Whether an end can be reached: from a vertex that begins, over vertices that are left.
///
/// By the definition: ways begin at narrow vertices that nothing on a way leads to, and at the first narrow vertices behind
/// what is right.
struct Slow<'g> {
    graph: &'g Graph,
    domain: &'g Domain,
    narrow: &'g FixedBitSet,
}

impl Slow<'_> {
    /// All ways from narrow vertices to ends, as lists of vertices; the first is narrow and nothing narrow leads to it inside,
    /// or something right leads to it over wide vertices.
    fn ways(&self) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for begin in self.begins() {
            self.extend(vec![begin], &mut all);
        }
        all
    }

    fn extend(&self, way: Vec<usize>, all: &mut Vec<Vec<usize>>) {
        let last = *way.last().unwrap();
        for to in self.graph.links(VertexId(last as u32)).map(VertexId::index) {
            if self.domain.ends.contains(to) {
                all.push(way.clone());
            } else if self.domain.inside.contains(to) {
                self.extend([&way[..], &[to]].concat(), all);
            }
        }
    }

    fn leads(&self, from: usize) -> bool {
        let mut all = Vec::new();
        self.extend(vec![from], &mut all);
        !all.is_empty()
    }

    fn begins(&self) -> Vec<usize> {
        let inside = |at: usize| self.domain.inside.contains(at) && !self.domain.ends.contains(at);
        let candidates: Vec<usize> =
            (0..self.graph.len()).filter(|&at| inside(at) && self.narrow.contains(at) && self.leads(at)).collect();
        let is_begin = |&at: &usize| {
            let has_narrow_before = candidates.iter().any(|&other| other != at && self.comes_to(other, at));
            let is_behind = (0..self.graph.len())
                .filter(|right| self.domain.begins.contains(*right))
                .any(|right| self.comes_to_over_wide(right, at));
            !has_narrow_before || is_behind
        };
        candidates.iter().copied().filter(is_begin).collect()
    }

    fn comes_to(&self, from: usize, to: usize) -> bool {
        self.graph.links(VertexId(from as u32)).map(VertexId::index).any(|next| {
            next == to
                || self.domain.inside.contains(next) && !self.domain.ends.contains(next) && self.comes_to(next, to)
        })
    }

    fn comes_to_over_wide(&self, from: usize, to: usize) -> bool {
        self.graph.links(VertexId(from as u32)).map(VertexId::index).any(|next| {
            let is_wide = self.domain.inside.contains(next) && !self.narrow.contains(next);
            next == to || is_wide && !self.domain.ends.contains(next) && self.comes_to_over_wide(next, to)
        })
    }

    /// The size of a smallest cut, and the least sum of distances of one of that size.
    fn best(&self, far: &[u32]) -> Option<(u32, u64)> {
        let ways = self.ways();
        if ways.is_empty() {
            return None;
        }
        let narrow: Vec<usize> = (0..self.graph.len()).filter(|at| self.narrow.contains(*at)).collect();
        let mut best = None;
        for subset in 0_u32..1 << narrow.len() {
            let members: Vec<usize> =
                narrow.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1).map(|(_, at)| *at).collect();
            if ways.iter().all(|way| way.iter().any(|at| members.contains(at))) {
                let cost = members.iter().map(|at| u64::from(far[*at])).fold(0, u64::saturating_add);
                let this = (subset.count_ones(), cost);
                best = Some(best.map_or(this, |best: (u32, u64)| best.min(this)));
            }
        }
        best
    }
}

/// A graph, which of its vertices are narrow, and which make ways longer.
fn graphs(most: usize) -> impl Strategy<Value = (Graph, FixedBitSet, FixedBitSet)> {
    let vertex = (any::<u32>(), any::<u32>(), 0..3u8, proptest::bool::weighted(0.6), proptest::bool::weighted(0.8));
    proptest::collection::vec(vertex, 2..most).prop_map(|vertices| {
        let mut graph = Graph::default();
        let (mut narrow, mut counted) = (Vec::new(), Vec::new());
        for (position, (a, b, links, is_narrow, is_counted)) in vertices.into_iter().enumerate() {
            let older = |to: u32| (position > 0).then(|| VertexId(to % position as u32));
            let to = match links {
                0 => [older(a.min(3)), None],
                1 => [older(a), None],
                _ => [older(a), older(b)],
            };
            graph.push(to);
            narrow.push(is_narrow);
            counted.push(is_counted || is_narrow);
        }
        (graph, sized(&narrow), sized(&counted))
    })
}

fn agree(graph: &Graph, domain: &Domain, narrow: &FixedBitSet, counted: &FixedBitSet) -> Result<(), TestCaseError> {
    let slow = Slow { graph, domain, narrow };
    let far = graph.distances(&domain.ends, &domain.inside, counted);
    let found = cut(graph, domain, narrow, counted, &Budget::unlimited()).unwrap();
    let measured = found.as_ref().map(|cut| {
        let cost = cut.members.iter().map(|member| u64::from(far[member.index()])).sum();
        (cut.members.len() as u32, cost)
    });
    prop_assert_eq!(measured, slow.best(&far));
    if let Some(cut) = found {
        let members: Vec<usize> = cut.members.iter().map(|member| member.index()).collect();
        prop_assert!(members.iter().all(|member| narrow.contains(*member)));
        prop_assert!(slow.ways().iter().all(|way| way.iter().any(|at| members.contains(at))));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_cut_is_the_smallest_and_of_those_the_nearest((graph, narrow, counted) in graphs(14)) {
        agree(&graph, &Domain::whole(&graph, VertexId(0)), &narrow, &counted)?;
    }

    #[test]
    fn so_it_is_in_what_is_left_of_a_domain((graph, narrow, counted) in graphs(14), ups in any::<u8>()) {
        let mut domain = Domain::whole(&graph, VertexId(0));
        for turn in 0..4 {
            let Some(cut) = cut(&graph, &domain, &narrow, &counted, &Budget::unlimited()).unwrap() else { break };
            let before = domain.inside.count_ones(..);
            domain = if ups >> turn & 1 == 1 {
                domain.before(&graph, &cut.members[..1])
            } else {
                domain.behind(&graph, &cut.members)
            };
            prop_assert!(domain.inside.count_ones(..) < before, "each turn leaves less");
            agree(&graph, &domain, &narrow, &counted)?;
        }
    }
}

#[test]
fn of_equal_cuts_the_nearest_to_the_end_is_taken() {
    // A chain: 3 leads to 2, that to 1, that to the end.
    let mut graph = Graph::default();
    let mut last = None;
    for _ in 0..4 {
        last = Some(graph.push([last, None]));
    }
    let all = sized(&[true; 4]);
    let found = cut(&graph, &Domain::whole(&graph, VertexId(0)), &all, &all, &Budget::unlimited()).unwrap();
    assert_eq!(found.unwrap().members, [VertexId(1)]);
}

#[test]
fn wide_vertices_are_in_no_cut() {
    let mut graph = Graph::default();
    let end = graph.push([None, None]);
    let wide = graph.push([Some(end), None]);
    let (a, b) = (graph.push([Some(wide), None]), graph.push([Some(wide), None]));
    let narrow = sized(&[false, false, true, true]);
    let counted = sized(&[true; 4]);
    let found = cut(&graph, &Domain::whole(&graph, end), &narrow, &counted, &Budget::unlimited()).unwrap();
    assert_eq!(found.unwrap().members, [a, b]);
}
