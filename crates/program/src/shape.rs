//! All that is known about a function's control flow without running it, computed once.

use crate::cfg::Cfg;
use crate::control::ControlDependence;
use crate::dominators::{Dominators, PostDominators};
use crate::loops::Loops;
use crate::repeats::Repeats;
use crate::{BlockId, Function, InstructionId};

#[derive(Clone, Debug)]
pub struct Shape {
    pub cfg: Cfg,
    pub dominators: Dominators,
    pub post_dominators: PostDominators,
    pub control: ControlDependence,
    pub loops: Loops,
    pub repeats: Repeats,
    /// By instruction.
    blocks: Vec<BlockId>,
}

impl Shape {
    pub fn of(function: &Function) -> Shape {
        let sizes = function.blocks.iter().map(|block| (block.end.0 - block.first.0) as usize);
        let blocks = sizes.zip(0..).flat_map(|(size, id)| std::iter::repeat_n(BlockId(id), size)).collect();
        Shape::new(Cfg::of(function), blocks)
    }

    /// The shape of a graph, each of whose blocks has one instruction.
    pub fn of_graph(cfg: Cfg) -> Shape {
        let blocks = (0..cfg.len() as u32).map(BlockId).collect();
        Shape::new(cfg, blocks)
    }

    fn new(cfg: Cfg, blocks: Vec<BlockId>) -> Shape {
        let dominators = Dominators::of(&cfg);
        let post_dominators = PostDominators::of(&cfg);
        let control = ControlDependence::of(&cfg, &post_dominators);
        let loops = Loops::of(&cfg, &dominators);
        let repeats = Repeats::of(&cfg, &loops);
        Shape { cfg, dominators, post_dominators, control, loops, repeats, blocks }
    }

    /// The block an instruction stands in.
    pub fn block_of(&self, instruction: InstructionId) -> BlockId {
        self.blocks[instruction.index()]
    }
}

#[cfg(test)]
mod tests;
