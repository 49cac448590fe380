//! Random walks through random graphs: what the header promises of indices, and control parents against the textbook.

use std::sync::Arc;

use abi::{BlockId, FunctionId};
use program::{Cfg, ENTRY, Edge, FunctionKey, Shape};
use proptest::prelude::*;

use super::{Kind, Level, Nesting, Outline, Parent};

const FUNCTION: FunctionKey = FunctionKey { module: 0, function: FunctionId(0) };

/// A graph, and the choices of a walk through it.
fn walks() -> impl Strategy<Value = (Arc<Outline>, Vec<u8>)> {
    (1..9u32).prop_flat_map(|count| {
        let targets = prop::collection::vec((0..count).prop_map(BlockId), 0..4);
        let graph = prop::collection::vec(targets, count as usize)
            .prop_map(|successors| Arc::new(Outline::of_graph(Shape::of_graph(Cfg::from_successors(successors)))));
        (graph, prop::collection::vec(any::<u8>(), 0..120))
    })
}

/// The blocks a walk visits.
fn walk(outline: &Outline, choices: &[u8]) -> Vec<BlockId> {
    let mut visited = vec![ENTRY];
    for &choice in choices {
        let Some(&last) = visited.last() else { break };
        let targets = outline.shape.cfg.successors(last);
        match targets.len() {
            0 => break,
            count => visited.push(targets[usize::from(choice) % count]),
        }
    }
    visited
}

/// The textbook's stack: a branch is live until its post-dominator; a step depends on the latest live branch.
#[derive(Default)]
struct Live {
    branches: Vec<(BlockId, u64)>,
    before: Option<BlockId>,
}

impl Live {
    fn begin_block(&mut self, outline: &Outline, to: BlockId, clock: u64) -> Parent {
        if let Some(from) = self.before.replace(to) {
            if outline.shape.cfg.branches(from) {
                self.branches.push((from, clock));
            }
            let ends = |branch| outline.shape.post_dominators.ends_region(branch, Edge { from, to });
            while self.branches.last().is_some_and(|&(branch, _)| ends(branch)) {
                self.branches.pop();
            }
        }
        match self.branches.last() {
            Some(&(block, clock)) => Parent::Branch { block, clock },
            None => Parent::Call,
        }
    }
}

/// Whether an endless part can be entered elsewhere than at its head. What a later turn of it hangs on is then not seen in
/// the edges to its head.
fn has_odd_endless_part(outline: &Outline) -> bool {
    let (cfg, post_dominators) = (&outline.shape.cfg, &outline.shape.post_dominators);
    let is_head = |block: BlockId| {
        cfg.predecessors(block).iter().any(|&from| post_dominators.ends_endless_turn(Edge { from, to: block }))
    };
    cfg.order().iter().any(|&block| {
        let from_before = |from: &BlockId| cfg.is_reachable(*from) && !post_dominators.is_endless(*from);
        post_dominators.is_endless(block)
            && !is_head(block)
            && (block == ENTRY || cfg.predecessors(block).iter().any(from_before))
    })
}

fn index(nesting: &Nesting, block: BlockId) -> Vec<Level> {
    let mut index = nesting.levels().to_vec();
    index.extend(nesting.step(abi::InstructionId(block.0)));
    index
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    /// Strictly in order, so no two steps have the same index; and the stack is bounded by the graph, not by the walk.
    #[test]
    fn indices_are_in_the_order_of_execution((outline, choices) in walks()) {
        let mut nesting = Nesting::default();
        nesting.enter_from_outside(FUNCTION, outline.clone());
        let mut before: Vec<Level> = Vec::new();
        for (clock, block) in (0..).zip(walk(&outline, &choices)) {
            nesting.begin_block(block, clock);
            let now = index(&nesting, block);
            prop_assert!(before < now, "{before:?} and then {now:?}");
            prop_assert!(now.len() <= 2 + 2 * outline.shape.cfg.len());
            before = now;
        }
    }

    #[test]
    fn the_levels_that_changed_are_known((outline, choices) in walks()) {
        let mut nesting = Nesting::default();
        nesting.enter_from_outside(FUNCTION, outline.clone());
        let mut before = nesting.levels().to_vec();
        nesting.settle();
        for (clock, block) in (0..).zip(walk(&outline, &choices)) {
            nesting.begin_block(block, clock);
            let same = nesting.settle();
            prop_assert_eq!(&before[..same], &nesting.levels()[..same]);
            let common = before.iter().zip(nesting.levels()).take_while(|(a, b)| a == b).count();
            prop_assert!(same <= common);
            before = nesting.levels().to_vec();
        }
    }

    #[test]
    fn control_parents_are_the_textbook_s((outline, choices) in walks()) {
        prop_assume!(!has_odd_endless_part(&outline));
        let mut nesting = Nesting::default();
        let mut live = Live::default();
        nesting.enter_from_outside(FUNCTION, outline.clone());
        for (clock, block) in (0..).zip(walk(&outline, &choices)) {
            nesting.begin_block(block, clock);
            prop_assert_eq!(nesting.parent(), Some(live.begin_block(&outline, block, clock)));
        }
    }
}

fn outline(successors: &[&[u32]]) -> Arc<Outline> {
    let blocks = successors.iter().map(|targets| targets.iter().copied().map(BlockId).collect()).collect();
    Arc::new(Outline::of_graph(Shape::of_graph(Cfg::from_successors(blocks))))
}

/// The kinds of the levels around the last block of a path.
fn levels_after(outline: &Arc<Outline>, path: &[u32]) -> Vec<Kind> {
    let mut nesting = Nesting::default();
    nesting.enter_from_outside(FUNCTION, outline.clone());
    for (clock, &block) in (0..).zip(path) {
        nesting.begin_block(BlockId(block), clock);
    }
    nesting.levels()[1..].iter().map(|level| level.kind).collect()
}

/// `while (1) { if (2) 3; 4 } 5`: turns have numbers, and what follows the loop is not inside it.
#[test]
fn a_loop_is_one_level() {
    let outline = outline(&[&[1], &[2, 5], &[3, 4], &[4], &[1], &[]]);
    let to = |block| Kind::Outcome(BlockId(block));
    assert_eq!(levels_after(&outline, &[0]), []);
    assert_eq!(levels_after(&outline, &[0, 1]), [Kind::Turn(1)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 3]), [Kind::Turn(1), to(2), to(3)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 3, 4]), [Kind::Turn(1), to(2)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 3, 4, 1]), [Kind::Turn(2)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 4, 1, 2, 4, 1, 2]), [Kind::Turn(3), to(2)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 4, 1, 5]), []);
}

/// `while (1) { if (2) return; 3 } 4`: what follows depends on the way out, not on the number of turns.
#[test]
fn what_follows_a_loop_that_may_return_is_not_inside_its_last_turn() {
    let outline = outline(&[&[1], &[2, 4], &[5, 3], &[1], &[5], &[]]);
    let once = levels_after(&outline, &[0, 1, 4]);
    assert_eq!(once, [Kind::Outcome(BlockId(4))]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 3, 1, 2, 3, 1, 4]), once);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 3, 1, 2, 5]), []);
}

/// Two blocks that jump to each other, entered at either.
#[test]
fn irreducible_cycles_have_turns_too() {
    let outline = outline(&[&[1, 2], &[2, 3], &[1], &[]]);
    let to = |block| Kind::Outcome(BlockId(block));
    // The region of the first branch ends where both its ways meet.
    assert_eq!(levels_after(&outline, &[0, 2]), [to(2), Kind::Turn(1)]);
    assert_eq!(levels_after(&outline, &[0, 2, 1]), [Kind::Turn(1)]);
    assert_eq!(levels_after(&outline, &[0, 2, 1, 2]), [Kind::Turn(1), to(2)]);
    assert_eq!(levels_after(&outline, &[0, 2, 1, 2, 1]), [Kind::Turn(2)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 1]), [Kind::Turn(2)]);
    assert_eq!(levels_after(&outline, &[0, 1, 2, 1, 3]), []);
}

#[test]
fn calls_callbacks_and_returns_by_longjmp_are_levels() {
    let outline = outline(&[&[1], &[1, 2], &[]]);
    let mut nesting = Nesting::default();
    nesting.enter_from_outside(FUNCTION, outline.clone());
    nesting.begin_block(BlockId(0), 0);
    nesting.begin_block(BlockId(1), 0);
    nesting.calls(abi::InstructionId(1));
    nesting.enter(FUNCTION, outline.clone());
    assert_eq!(nesting.levels().last().map(|level| level.kind), Some(Kind::Call(0, FUNCTION)));
    nesting.leave();
    for ordinal in [1, 2] {
        nesting.enter_from_outside(FUNCTION, outline.clone());
        assert_eq!(nesting.levels().last().map(|level| level.kind), Some(Kind::Call(ordinal, FUNCTION)));
        nesting.leave();
    }
    nesting.begin_block(BlockId(1), 0);
    nesting.resume(BlockId(1), abi::InstructionId(1), 7);
    let kinds: Vec<Kind> = nesting.levels()[1..].iter().map(|level| level.kind).collect();
    assert_eq!(kinds, [Kind::Resumption(1), Kind::Turn(1)]);
    let call = abi::InstructionId(1);
    assert_eq!(nesting.parent(), Some(Parent::Resumption { call, clock: 7 }));
    nesting.leave();
    nesting.enter_from_outside(FUNCTION, outline);
    assert_eq!(nesting.levels().last().map(|level| level.kind), Some(Kind::Root(2, FUNCTION)));
}
