//! Natural loops and their nesting.
//!
//! A back edge leads to a block that dominates its source; the loop of a header is what reaches the sources of its back
//! edges without passing the header. Loops with one header are one loop; loops of different headers are nested or
//! disjoint. Cycles that can be entered at more than one block (`goto` into a loop) have no header and are no loops.

use std::fmt;

use crate::BlockId;
use crate::cfg::{Cfg, Edge};
use crate::dominators::Dominators;

/// A loop of a function; outer loops have smaller numbers than those inside them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

impl LoopId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop{}", self.0)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loops {
    loops: Vec<Loop>,
    /// By block.
    innermost: Vec<Option<LoopId>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Loop {
    header: BlockId,
    parent: Option<LoopId>,
    depth: u32,
}

impl Loops {
    pub fn of(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut loops = Loops { loops: Vec::new(), innermost: vec![None; cfg.len()] };
        // The header of an outer loop dominates those inside it, so it comes first in reverse postorder.
        for &header in cfg.order() {
            let is_latch = |from: &BlockId| dominators.dominates(header, *from);
            let latches: Vec<BlockId> = cfg.predecessors(header).iter().copied().filter(is_latch).collect();
            if latches.is_empty() {
                continue;
            }
            let id = LoopId(loops.loops.len() as u32);
            let parent = loops.innermost(header);
            let depth = parent.map_or(1, |parent| loops.depth(parent) + 1);
            loops.loops.push(Loop { header, parent, depth });
            loops.fill(id, latches, cfg);
        }
        loops
    }

    /// Marks all that reaches the latches. Inner loops come later and take their blocks over.
    fn fill(&mut self, id: LoopId, mut open: Vec<BlockId>, cfg: &Cfg) {
        let header = self.header(id);
        self.innermost[header.index()] = Some(id);
        while let Some(block) = open.pop() {
            if cfg.is_reachable(block) && self.innermost[block.index()] != Some(id) {
                self.innermost[block.index()] = Some(id);
                open.extend(cfg.predecessors(block));
            }
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }

    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    pub fn parent(&self, id: LoopId) -> Option<LoopId> {
        self.loops[id.index()].parent
    }

    pub fn header(&self, id: LoopId) -> BlockId {
        self.loops[id.index()].header
    }

    /// 1 for a loop in no other loop.
    pub fn depth(&self, id: LoopId) -> u32 {
        self.loops[id.index()].depth
    }

    /// The loop this block is the header of.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block).filter(|&id| self.header(id) == block)
    }

    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        let mut inner = self.innermost(block);
        while let Some(other) = inner
            && self.depth(other) > self.depth(id)
        {
            inner = self.parent(other);
        }
        inner == Some(id)
    }

    /// Whether the edge begins another turn of a loop.
    pub fn is_back_edge(&self, edge: Edge) -> bool {
        self.headed_by(edge.to).is_some_and(|id| self.contains(id, edge.from))
    }
}
