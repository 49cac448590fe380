//! What following the nesting of a run looks up for a function, prepared for speed.

use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::{Cfg, Edge, Function, Op, RegionEnd, Shape, Statements};

/// The control flow of a function, and marks on its instructions.
#[derive(Debug)]
pub struct Outline {
    pub shape: Arc<Shape>,
    /// By instruction.
    marks: Vec<u8>,
    /// By block: whether the region of some branch ends here.
    ends_regions: Vec<bool>,
    /// By block: the number of its first edge, if it has a choice.
    first_edge: Vec<u32>,
    edges: u32,
    /// By block.
    terminator: Vec<InstructionId>,
}

const BEGINS_BLOCK: u8 = 1;
const CALLS: u8 = 2;
const IS_STATEMENT: u8 = 4;

impl Outline {
    pub fn of(function: &Function, shape: Arc<Shape>) -> Outline {
        let mut marks = vec![0; function.instructions.len()];
        for block in &function.blocks {
            marks[block.first.index()] |= BEGINS_BLOCK;
        }
        for (instruction, mark) in function.instructions.iter().zip(&mut marks) {
            if matches!(instruction.op, Op::Call(_) | Op::Invoke { .. }) {
                *mark |= CALLS;
            }
        }
        for root in Statements::of(function).roots() {
            marks[root.index()] |= IS_STATEMENT;
        }
        let terminator = function.blocks.iter().map(|block| InstructionId(block.end.0 - 1)).collect();
        Outline::new(shape, marks, terminator)
    }

    /// For graphs without instructions: each block has one, a statement.
    #[cfg(test)]
    pub(super) fn of_graph(shape: Shape) -> Outline {
        let count = shape.cfg.len();
        let terminator = (0..count as u32).map(InstructionId).collect();
        Outline::new(Arc::new(shape), vec![BEGINS_BLOCK | IS_STATEMENT; count], terminator)
    }

    fn new(shape: Arc<Shape>, marks: Vec<u8>, terminator: Vec<InstructionId>) -> Outline {
        let cfg = &shape.cfg;
        let mut ends_regions = vec![false; cfg.len()];
        let mut first_edge = vec![0; cfg.len()];
        let mut edges = 0;
        for block in (0..cfg.len() as u32).map(BlockId).filter(|&b| cfg.branches(b)) {
            first_edge[block.index()] = edges;
            edges += cfg.successors(block).len() as u32;
            match shape.post_dominators.region_end(block) {
                RegionEnd::Block(end) | RegionEnd::Turn(end) => ends_regions[end.index()] = true,
                RegionEnd::Function => {}
            }
        }
        Outline { shape, marks, ends_regions, first_edge, edges, terminator }
    }

    pub(super) fn cfg(&self) -> &Cfg {
        &self.shape.cfg
    }

    pub(super) fn is_plain(&self, instruction: InstructionId) -> bool {
        self.marks[instruction.index()] == 0
    }

    pub(super) fn begins_block(&self, instruction: InstructionId) -> bool {
        self.marks[instruction.index()] & BEGINS_BLOCK != 0
    }

    pub(super) fn calls(&self, instruction: InstructionId) -> bool {
        self.marks[instruction.index()] & CALLS != 0
    }

    /// Whether the instruction is the root of a statement.
    pub fn is_statement(&self, instruction: InstructionId) -> bool {
        self.marks[instruction.index()] & IS_STATEMENT != 0
    }

    pub(super) fn ends_regions(&self, block: BlockId) -> bool {
        self.ends_regions[block.index()]
    }

    pub fn terminator(&self, block: BlockId) -> InstructionId {
        self.terminator[block.index()]
    }

    /// Position of a block in the order of blocks. Only reachable blocks execute.
    pub fn position(&self, block: BlockId) -> u32 {
        self.cfg().position(block).map_or(u32::MAX, |position| position as u32)
    }

    /// How many edges leave blocks that have a choice.
    pub(super) fn edge_count(&self) -> usize {
        self.edges as usize
    }

    /// The number of an edge that leaves a block with a choice.
    pub(super) fn edge_number(&self, edge: Edge) -> Option<usize> {
        let targets = self.cfg().successors(edge.from);
        let position = targets.iter().position(|&to| to == edge.to)?;
        (targets.len() > 1).then(|| self.first_edge[edge.from.index()] as usize + position)
    }
}
