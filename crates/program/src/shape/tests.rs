//! The analyses of control flow against their definitions, on random graphs and on C.

use proptest::prelude::*;

use crate::lower::tests::compile;
use crate::{BlockId, Cfg, ControlDependence, Dominators, ENTRY, Edge, Loops, PostDominators, RegionEnd, Repeats};

/// Any graph of up to ten blocks: reducible or not, with exits or without, with blocks nothing leads to.
fn graphs() -> impl Strategy<Value = Cfg> {
    (1..10u32).prop_flat_map(|count| {
        let targets = prop::collection::vec((0..count).prop_map(BlockId), 0..4);
        prop::collection::vec(targets, count as usize).prop_map(Cfg::from_successors)
    })
}

/// Vertices, the last of which is the exit; where control may go from each.
struct Slow {
    successors: Vec<Vec<usize>>,
}

impl Slow {
    /// The reachable part of the graph, and the ways out of endless loops that the header of `dominators` describes.
    fn of(cfg: &Cfg) -> Slow {
        let mut plain = Slow { successors: vec![Vec::new(); cfg.len()] };
        for block in all(cfg).filter(|&b| cfg.is_reachable(b)) {
            plain.successors[block.index()] = cfg.successors(block).iter().map(|b| b.index()).collect();
        }
        let mut slow = Slow { successors: plain.successors.clone() };
        let exits = |v: usize| plain.successors[v].is_empty();
        for block in all(cfg).filter(|&b| cfg.is_reachable(b)) {
            let after = plain.reached(block.index(), None);
            let part: Vec<usize> =
                after.iter().copied().filter(|&v| plain.reached(v, None).contains(&block.index())).collect();
            let is_head = part.iter().all(|&v| cfg.position(block) <= cfg.position(BlockId(v as u32)));
            if part.len() < after.len() || after.iter().any(|&v| exits(v)) || !is_head {
                continue;
            }
            let hidden = slow.successors.len();
            for &v in &part {
                for target in slow.successors[v].iter_mut().filter(|t| **t == block.index()) {
                    *target = hidden;
                }
            }
            // The exit is not there yet and gets the number after the last hidden vertex.
            slow.successors.push(vec![block.index(), usize::MAX]);
        }
        let exit = slow.successors.len();
        for (v, targets) in slow.successors.iter_mut().enumerate() {
            targets.iter_mut().filter(|t| **t == usize::MAX).for_each(|t| *t = exit);
            if targets.is_empty() && v < cfg.len() && cfg.is_reachable(BlockId(v as u32)) {
                targets.push(exit);
            }
        }
        slow.successors.push(Vec::new());
        slow
    }

    /// All that can be reached from a vertex, itself included, without the one that was taken away.
    fn reached(&self, from: usize, without: Option<usize>) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            if Some(v) != without && !reached.contains(&v) {
                reached.push(v);
                open.extend(&self.successors[v]);
            }
        }
        reached
    }

    fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (a.index(), b.index());
        self.reached(ENTRY.index(), None).contains(&b) && !self.reached(ENTRY.index(), Some(a)).contains(&b)
    }

    fn post_dominates(&self, a: usize, b: usize) -> bool {
        let exit = self.successors.len() - 1;
        self.reached(b, None).contains(&exit) && !self.reached(b, Some(a)).contains(&exit)
    }

    /// Where an edge of the graph leads here.
    fn target(&self, cfg: &Cfg, edge: Edge) -> usize {
        let position = cfg.successors(edge.from).iter().position(|&to| to == edge.to);
        self.successors[edge.from.index()][position.expect("the edge is there")]
    }
}

fn all(cfg: &Cfg) -> impl Iterator<Item = BlockId> + use<> {
    (0..cfg.len() as u32).map(BlockId)
}

fn check(cfg: &Cfg) {
    let slow = Slow::of(cfg);
    let dominators = Dominators::of(cfg);
    let post_dominators = PostDominators::of(cfg);
    let reachable: Vec<BlockId> = all(cfg).filter(|&b| cfg.is_reachable(b)).collect();
    for a in all(cfg) {
        for b in all(cfg) {
            assert_eq!(dominators.dominates(a, b), slow.dominates(a, b), "{a} dominates {b}");
            let both = cfg.is_reachable(a) && cfg.is_reachable(b);
            let expected = both && slow.post_dominates(a.index(), b.index());
            assert_eq!(post_dominators.dominates(a, b), expected, "{a} post-dominates {b}");
        }
        check_immediate(a, dominators.immediate(a), &reachable, |a, b| dominators.dominates(a, b));
        check_immediate(a, post_dominators.immediate(a), &reachable, |a, b| post_dominators.dominates(a, b));
    }
    check_control(cfg, &slow, &ControlDependence::of(cfg, &post_dominators));
    let loops = Loops::of(cfg, &dominators);
    check_loops(cfg, &slow, &loops);
    check_repeats(cfg, &loops);
}

/// The immediate dominator is the strict dominator that all strict dominators dominate.
fn check_immediate(
    block: BlockId,
    immediate: Option<BlockId>,
    reachable: &[BlockId],
    dominates: impl Fn(BlockId, BlockId) -> bool,
) {
    let strict: Vec<BlockId> = reachable.iter().copied().filter(|&a| a != block && dominates(a, block)).collect();
    let expected = strict.iter().copied().find(|&nearest| strict.iter().all(|&a| dominates(a, nearest)));
    assert_eq!(immediate, expected, "of {block}");
}

fn check_control(cfg: &Cfg, slow: &Slow, control: &ControlDependence) {
    for block in all(cfg) {
        let mut expected = Vec::new();
        for from in all(cfg).filter(|&p| cfg.is_reachable(p) && cfg.branches(p)) {
            let strictly = from != block && slow.post_dominates(block.index(), from.index());
            for &to in cfg.successors(from) {
                let edge = Edge { from, to };
                if slow.post_dominates(block.index(), slow.target(cfg, edge)) && !strictly {
                    expected.push(edge);
                }
            }
        }
        assert_eq!(control.parents(block), expected, "of {block}");
        for &edge in control.parents(block) {
            assert!(control.controlled_by(edge).contains(&block));
        }
    }
    for from in all(cfg) {
        for &to in cfg.successors(from) {
            let edge = Edge { from, to };
            assert!(control.controlled_by(edge).iter().all(|&b| control.parents(b).contains(&edge)));
        }
    }
}

fn check_loops(cfg: &Cfg, slow: &Slow, loops: &Loops) {
    let plain = Slow { successors: all(cfg).map(|b| cfg.successors(b).iter().map(|b| b.index()).collect()).collect() };
    // Each header with its loop.
    let mut expected: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    for header in all(cfg) {
        let latches: Vec<BlockId> =
            all(cfg).filter(|&b| cfg.successors(b).contains(&header) && slow.dominates(header, b)).collect();
        let reaches_latch =
            |b: BlockId| latches.iter().any(|l| plain.reached(b.index(), Some(header.index())).contains(&l.index()));
        if !latches.is_empty() {
            let inside = |b: &BlockId| *b == header || (cfg.is_reachable(*b) && reaches_latch(*b));
            expected.push((header, all(cfg).filter(inside).collect()));
        }
    }
    assert_eq!(loops.ids().count(), expected.len());
    for (header, body) in &expected {
        let id = loops.headed_by(*header).expect("a loop");
        for block in all(cfg) {
            assert_eq!(loops.contains(id, block), body.contains(&block), "{block} in the loop of {header}");
        }
    }
    for block in all(cfg) {
        let smallest = expected.iter().filter(|(_, body)| body.contains(&block)).min_by_key(|(_, body)| body.len());
        assert_eq!(loops.innermost(block).map(|id| loops.header(id)), smallest.map(|(header, _)| *header));
    }
    for id in loops.ids() {
        let header = loops.header(id);
        let around = expected.iter().filter(|(other, body)| *other != header && body.contains(&header));
        let nearest = around.min_by_key(|(_, body)| body.len()).map(|(other, _)| *other);
        assert_eq!(loops.parent(id).map(|parent| loops.header(parent)), nearest);
        assert!(loops.parent(id).is_none_or(|parent| parent < id));
    }
}

/// Repeats are nested or disjoint; every edge that goes backwards turns one that has both its ends, and a loop is turned at
/// its header only.
fn check_repeats(cfg: &Cfg, loops: &Loops) {
    let repeats = Repeats::of(cfg, loops);
    for from in all(cfg).filter(|&b| cfg.is_reachable(b)) {
        for &to in cfg.successors(from) {
            match repeats.turned_by(cfg, Edge { from, to }) {
                None => assert!(cfg.position(from) < cfg.position(to)),
                Some(id) => {
                    assert!(repeats.contains(id, from) && repeats.contains(id, to));
                    assert!(!repeats.is_loop(id) || repeats.first(id) == to);
                }
            }
        }
        // A block that is not in a cycle has all its loops as repeats.
        let mut outer = repeats.innermost(from);
        let mut depth = 0;
        let mut is_in_cycle = false;
        while let Some(id) = outer {
            assert!(repeats.contains(id, from));
            assert!(repeats.parent(id).is_none_or(|parent| parent < id && repeats.is_loop(parent)));
            is_in_cycle |= !repeats.is_loop(id);
            depth += 1;
            outer = repeats.parent(id);
        }
        let loop_depth = loops.innermost(from).map_or(0, |id| loops.depth(id));
        assert!(is_in_cycle || depth == loop_depth);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn as_defined(cfg in graphs()) {
        check(&cfg);
    }
}

fn graph(successors: &[&[u32]]) -> Cfg {
    Cfg::from_successors(successors.iter().map(|targets| targets.iter().copied().map(BlockId).collect()).collect())
}

fn edge(from: u32, to: u32) -> Edge {
    Edge { from: BlockId(from), to: BlockId(to) }
}

#[test]
fn a_while_loop_depends_on_itself() {
    let cfg = graph(&[&[1], &[2, 3], &[1], &[]]);
    check(&cfg);
    let control = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
    assert_eq!(control.parents(BlockId(1)), [edge(1, 2)]);
    assert_eq!(control.parents(BlockId(2)), [edge(1, 2)]);
    assert_eq!(control.parents(BlockId(3)), []);
    assert_eq!(control.controlled_by(edge(1, 2)), [BlockId(2), BlockId(1)]);
}

/// `for (;;) { if (a) continue; y; }`: a turn has two ways, and no turn depends on the one before.
#[test]
fn an_endless_loop_has_turns() {
    let cfg = graph(&[&[1], &[1, 2], &[1]]);
    check(&cfg);
    let post_dominators = PostDominators::of(&cfg);
    let control = ControlDependence::of(&cfg, &post_dominators);
    assert_eq!(control.parents(BlockId(1)), []);
    assert_eq!(control.parents(BlockId(2)), [edge(1, 2)]);
    assert_eq!(post_dominators.immediate(BlockId(1)), None);
    assert_eq!(post_dominators.region_end(BlockId(1)), RegionEnd::Turn(BlockId(1)));
    assert_eq!(post_dominators.immediate(BlockId(0)), Some(BlockId(1)));
}

/// `for (;;) { if (a) x; y; }`: y is not in doubt.
#[test]
fn what_every_endless_turn_does_is_not_in_doubt() {
    let cfg = graph(&[&[1], &[2, 3], &[3], &[1]]);
    check(&cfg);
    let post_dominators = PostDominators::of(&cfg);
    let control = ControlDependence::of(&cfg, &post_dominators);
    assert_eq!(control.parents(BlockId(2)), [edge(1, 2)]);
    assert_eq!(control.parents(BlockId(3)), []);
    assert_eq!(post_dominators.immediate(BlockId(1)), Some(BlockId(3)));
}

/// The twins are slow, so only functions that are not huge.
#[test]
fn as_defined_on_compiled_functions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/transparency");
    let mut checked = 0;
    for name in ["switches.c", "endless_loops.c", "gnu_c.c", "varargs.c", "exceptions.cpp"] {
        let source = std::fs::read_to_string(format!("{folder}/{name}")).expect("the fixture is there");
        let module = compile(if name.ends_with(".c") { "c" } else { "c++" }, &source);
        for function in module.functions.iter().filter(|f| (2..40).contains(&f.blocks.len())) {
            check(&Cfg::of(function));
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} functions");
}

#[test]
fn functions_without_body_have_no_shape() {
    check(&graph(&[]));
}
