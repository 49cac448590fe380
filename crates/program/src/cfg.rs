//! The control-flow graph of a function: which block may follow which.
//!
//! `indirectbr` was rewritten to switches before the IR was saved, so the terminator names all its targets. A call that
//! does not come back (`exit`, `longjmp`, a throw out of a plain call) is no edge: the graph says where control goes when
//! each instruction of a block completes.

use crate::{BlockId, Function, Op};

/// Control going from one block to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    pub from: BlockId,
    pub to: BlockId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cfg {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    /// Reachable blocks, each before those that can only be reached through it (reverse postorder).
    order: Vec<BlockId>,
    /// Position in `order`; [`UNREACHABLE`] if not there.
    position: Vec<u32>,
}

const UNREACHABLE: u32 = u32::MAX;

/// The block a function begins with.
pub const ENTRY: BlockId = BlockId(0);

impl Cfg {
    /// A function without body has no blocks, and so has its graph.
    pub fn of(function: &Function) -> Cfg {
        Cfg::from_successors(function.blocks.iter().map(|block| targets(function.terminator(block))).collect())
    }

    /// The graph with these successors of each block; the first block is the entry.
    pub fn from_successors(mut successors: Vec<Vec<BlockId>>) -> Cfg {
        for targets in &mut successors {
            keep_first(targets);
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, targets) in successors.iter().enumerate() {
            for to in targets {
                predecessors[to.index()].push(BlockId(from as u32));
            }
        }
        let mut order = if successors.is_empty() { Vec::new() } else { postorder(0, &successors, |b| b.index()) };
        order.reverse();
        let mut position = vec![UNREACHABLE; successors.len()];
        for (at, &block) in order.iter().enumerate() {
            position[block] = at as u32;
        }
        let order = order.into_iter().map(|block| BlockId(block as u32)).collect();
        Cfg { successors, predecessors, order, position }
    }

    /// How many blocks the function has, reachable or not.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Distinct, in the order the terminator names them.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.index()]
    }

    /// Distinct, in the order of blocks.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()] != UNREACHABLE
    }

    /// Whether control has a choice at the end of the block.
    pub fn branches(&self, block: BlockId) -> bool {
        self.successors(block).len() > 1
    }

    /// Reachable blocks in reverse postorder: without loops, each after all its predecessors.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// Strongly connected components of the reachable blocks (Kosaraju's algorithm).
    pub fn components(&self) -> Vec<Vec<BlockId>> {
        let mut seen = vec![false; self.len()];
        let mut components = Vec::new();
        for &root in &self.order {
            let mut component = Vec::new();
            let mut open = vec![root];
            while let Some(block) = open.pop() {
                if self.is_reachable(block) && !std::mem::replace(&mut seen[block.index()], true) {
                    component.push(block);
                    open.extend(self.predecessors(block));
                }
            }
            if !component.is_empty() {
                components.push(component);
            }
        }
        components
    }

    /// Position of a reachable block in [`Cfg::order`].
    pub fn position(&self, block: BlockId) -> Option<usize> {
        let position = self.position[block.index()];
        (position != UNREACHABLE).then_some(position as usize)
    }
}

/// Where control may go on in the same function after this instruction.
fn targets(terminator: &Op) -> Vec<BlockId> {
    match terminator {
        Op::Jump { target } => vec![*target],
        Op::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Op::Switch { default, cases, .. } => {
            std::iter::once(*default).chain(cases.iter().map(|&(_, target)| target)).collect()
        }
        Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
        Op::Return { .. } | Op::Resume { .. } | Op::Unreachable => Vec::new(),
        Op::Binary { .. }
        | Op::FNeg { .. }
        | Op::ICmp { .. }
        | Op::FCmp { .. }
        | Op::Cast { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::Phi { .. }
        | Op::Alloca { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::ElementPointer { .. }
        | Op::ReadModifyWrite { .. }
        | Op::CompareExchange { .. }
        | Op::Fence
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::ExtractElement { .. }
        | Op::InsertElement { .. }
        | Op::Shuffle { .. }
        | Op::Call(_)
        | Op::LandingPad => Vec::new(),
    }
}

/// Drops all but the first of each target. A switch may have thousands, so they are not compared each with each.
fn keep_first(targets: &mut Vec<BlockId>) {
    if targets.len() > 1 {
        let mut seen = std::collections::HashSet::new();
        targets.retain(|target| seen.insert(*target));
    }
}

/// Vertices reachable from `root`, each after those first reached from it. Not recursive: functions may have any number
/// of blocks.
pub(crate) fn postorder<T: Copy>(root: usize, successors: &[Vec<T>], index: impl Fn(T) -> usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    // A vertex and how many of its successors were visited.
    let mut open = vec![(root, 0)];
    seen[root] = true;
    while let Some((vertex, visited)) = open.last_mut() {
        if let Some(&next) = successors[*vertex].get(*visited) {
            *visited += 1;
            let next = index(next);
            if !seen[next] {
                seen[next] = true;
                open.push((next, 0));
            }
        } else {
            order.push(*vertex);
            open.pop();
        }
    }
    order
}
