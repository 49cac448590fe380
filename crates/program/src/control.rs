//! Control dependence: which choices decide whether a block executes.
//!
//! A block B depends on the edge P → S iff P has a choice, B post-dominates S (or is S), and B does not strictly
//! post-dominate P (Ferrante, Ottenstein and Warren, 1987; here with the edge as label). A loop's predicate depends on
//! itself. All instructions of a block share its dependences. In endless loops the end of a turn counts as a way out; see
//! `dominators`.

use crate::BlockId;
use crate::cfg::{Cfg, Edge};
use crate::dominators::PostDominators;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlDependence {
    parents: Vec<Vec<Edge>>,
    /// Edges that something depends on, sorted, with what does.
    controlled: Vec<(Edge, Vec<BlockId>)>,
}

impl ControlDependence {
    pub fn of(cfg: &Cfg, post_dominators: &PostDominators) -> ControlDependence {
        let mut parents = vec![Vec::new(); cfg.len()];
        let mut controlled = Vec::new();
        for from in (0..cfg.len() as u32).map(BlockId).filter(|&b| cfg.is_reachable(b) && cfg.branches(b)) {
            let end = post_dominators.immediate(from);
            for &to in cfg.successors(from) {
                let edge = Edge { from, to };
                if post_dominators.ends_endless_turn(edge) {
                    continue;
                }
                // The blocks between the successor and the predicate's own post-dominator, up the tree.
                let mut dependent = Vec::new();
                let mut next = Some(to);
                while next != end
                    && let Some(block) = next
                {
                    parents[block.index()].push(edge);
                    dependent.push(block);
                    next = post_dominators.immediate(block);
                }
                if !dependent.is_empty() {
                    controlled.push((edge, dependent));
                }
            }
        }
        controlled.sort_by_key(|&(edge, _)| edge);
        ControlDependence { parents, controlled }
    }

    /// The edges this block depends on, in the order of their blocks. Empty: it executes whenever the function is
    /// entered and every call comes back.
    pub fn parents(&self, block: BlockId) -> &[Edge] {
        &self.parents[block.index()]
    }

    /// The blocks that depend on this edge, in the order in which control meets them.
    pub fn controlled_by(&self, edge: Edge) -> &[BlockId] {
        match self.controlled.binary_search_by_key(&edge, |&(edge, _)| edge) {
            Ok(at) => &self.controlled[at].1,
            Err(_) => &[],
        }
    }
}
