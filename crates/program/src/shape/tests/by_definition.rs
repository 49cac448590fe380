//! Dominance and control dependence by their definitions. Tests of other crates include this file, too.

use super::{BlockId, Cfg, ControlDependence, Edge};

/// Vertices, the last of which is the exit; where control may go from each.
pub struct Slow {
    pub successors: Vec<Vec<usize>>,
}

impl Slow {
    /// The reachable part of the graph, and the ways out of endless loops that the header of `dominators` describes.
    pub fn of(cfg: &Cfg) -> Slow {
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
    pub fn reached(&self, from: usize, without: Option<usize>) -> Vec<usize> {
        let mut is_reached = vec![false; self.successors.len()];
        let mut reached = Vec::new();
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            if Some(v) != without && v != usize::MAX && !std::mem::replace(&mut is_reached[v], true) {
                reached.push(v);
                open.extend(&self.successors[v]);
            }
        }
        reached
    }

    /// Of each vertex, whether the exit can be reached from it without the one that was taken away.
    fn exits_without(&self, without: Option<usize>) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.successors.len()];
        for (v, targets) in self.successors.iter().enumerate() {
            targets.iter().for_each(|&target| before[target].push(v));
        }
        let mut exits = vec![false; self.successors.len()];
        let mut open = vec![self.successors.len() - 1];
        while let Some(v) = open.pop() {
            if Some(v) != without && !std::mem::replace(&mut exits[v], true) {
                open.extend(&before[v]);
            }
        }
        exits
    }

    /// Where an edge of the graph leads here.
    fn target(&self, cfg: &Cfg, edge: Edge) -> usize {
        let position = cfg.successors(edge.from).iter().position(|&to| to == edge.to);
        self.successors[edge.from.index()][position.expect("the edge is there")]
    }
}

pub fn all(cfg: &Cfg) -> impl Iterator<Item = BlockId> + use<> {
    (0..cfg.len() as u32).map(BlockId)
}

/// A block depends on an edge if it post-dominates the edge's target, and does not strictly post-dominate its source.
pub fn check_control(cfg: &Cfg, slow: &Slow, control: &ControlDependence) {
    let exits = slow.exits_without(None);
    for block in all(cfg) {
        let exits_without = slow.exits_without(Some(block.index()));
        let post_dominates = |v: usize| exits[v] && !exits_without[v];
        let mut expected = Vec::new();
        for from in all(cfg).filter(|&p| cfg.is_reachable(p) && cfg.branches(p)) {
            let strictly = from != block && post_dominates(from.index());
            for &to in cfg.successors(from) {
                let edge = Edge { from, to };
                if post_dominates(slow.target(cfg, edge)) && !strictly {
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
