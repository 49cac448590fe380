//! The analyses of control flow against their definitions, on random graphs and on C.

mod by_definition;

use by_definition::{Slow, all, check_control};
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

fn dominates(slow: &Slow, a: BlockId, b: BlockId) -> bool {
    let (a, b) = (a.index(), b.index());
    slow.reached(ENTRY.index(), None).contains(&b) && !slow.reached(ENTRY.index(), Some(a)).contains(&b)
}

fn post_dominates(slow: &Slow, a: BlockId, b: BlockId) -> bool {
    let (a, b, exit) = (a.index(), b.index(), slow.successors.len() - 1);
    slow.reached(b, None).contains(&exit) && !slow.reached(b, Some(a)).contains(&exit)
}

fn check(cfg: &Cfg) {
    let slow = Slow::of(cfg);
    let dominators = Dominators::of(cfg);
    let post_dominators = PostDominators::of(cfg);
    let reachable: Vec<BlockId> = all(cfg).filter(|&b| cfg.is_reachable(b)).collect();
    for a in all(cfg) {
        for b in all(cfg) {
            assert_eq!(dominators.dominates(a, b), dominates(&slow, a, b), "{a} dominates {b}");
            let both = cfg.is_reachable(a) && cfg.is_reachable(b);
            let expected = both && post_dominates(&slow, a, b);
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

fn check_loops(cfg: &Cfg, slow: &Slow, loops: &Loops) {
    let plain = Slow { successors: all(cfg).map(|b| cfg.successors(b).iter().map(|b| b.index()).collect()).collect() };
    // Each header with its loop.
    let mut expected: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    for header in all(cfg) {
        let latches: Vec<BlockId> =
            all(cfg).filter(|&b| cfg.successors(b).contains(&header) && dominates(slow, header, b)).collect();
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
