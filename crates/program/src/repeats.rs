//! What can execute again in one call of a function: natural loops, and cycles that are none, in one nesting.
//!
//! For counting turns every way around must be counted, also in cycles that can be entered at several blocks. Such an
//! *irreducible* cycle is a strongly connected component of the graph without the back edges of natural loops. A natural
//! loop whose header lies in one is no repeat of its own: it counts as turns of the cycle.
//!
//! A *turn* of a natural loop begins when its header is entered from inside it; a turn of an irreducible cycle when control
//! goes backwards in the order of blocks (reverse postorder) inside it. So within one turn of everything around it, control
//! only goes forwards in that order and meets no block twice.

use std::collections::HashSet;

use crate::cfg::{Cfg, Edge};
use crate::loops::Loops;
use crate::{BlockId, LoopId};

/// A natural loop, or an irreducible cycle with all in it; outer ones have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RepeatId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeats {
    repeats: Vec<Repeat>,
    /// By block.
    innermost: Vec<Option<RepeatId>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Repeat {
    /// The header of a loop; the first block in order of a cycle.
    first: BlockId,
    is_loop: bool,
    parent: Option<RepeatId>,
    depth: u32,
}

impl Repeats {
    pub fn of(cfg: &Cfg, loops: &Loops) -> Repeats {
        let cycles = cycles(cfg, loops);
        let in_cycle: HashSet<BlockId> = cycles.iter().flatten().copied().collect();
        let mut bodies: Vec<(bool, Vec<BlockId>)> = Vec::new();
        for id in loops.ids().filter(|&id| !in_cycle.contains(&loops.header(id))) {
            bodies.push((true, body(cfg, loops, id)));
        }
        bodies.extend(cycles.into_iter().map(|cycle| (false, cycle)));
        // Loops and cycles are nested or disjoint, so the larger of two that meet is the outer one.
        bodies.sort_by_key(|(_, body)| (std::cmp::Reverse(body.len()), cfg.position(body[0])));
        let mut repeats = Repeats { repeats: Vec::new(), innermost: vec![None; cfg.len()] };
        for (is_loop, body) in bodies {
            let id = RepeatId(repeats.repeats.len() as u32);
            let parent = repeats.innermost[body[0].index()];
            let depth = parent.map_or(1, |parent| repeats.depth(parent) + 1);
            repeats.repeats.push(Repeat { first: body[0], is_loop, parent, depth });
            for block in body {
                repeats.innermost[block.index()] = Some(id);
            }
        }
        repeats
    }

    pub fn innermost(&self, block: BlockId) -> Option<RepeatId> {
        self.innermost[block.index()]
    }

    pub fn parent(&self, id: RepeatId) -> Option<RepeatId> {
        self.repeats[id.0 as usize].parent
    }

    /// The block that stands for it: the header of a loop, the first block in order of a cycle.
    pub fn first(&self, id: RepeatId) -> BlockId {
        self.repeats[id.0 as usize].first
    }

    /// Whether it is a natural loop.
    pub fn is_loop(&self, id: RepeatId) -> bool {
        self.repeats[id.0 as usize].is_loop
    }

    pub fn contains(&self, id: RepeatId, block: BlockId) -> bool {
        let mut inner = self.innermost(block);
        while let Some(other) = inner
            && self.depth(other) > self.depth(id)
        {
            inner = self.parent(other);
        }
        inner == Some(id)
    }

    /// What begins another turn when control takes this edge.
    pub fn turned_by(&self, cfg: &Cfg, edge: Edge) -> Option<RepeatId> {
        if cfg.position(edge.to) > cfg.position(edge.from) {
            return None;
        }
        // Going backwards to a block outside cycles is entering its loop's header from inside.
        self.innermost(edge.to)
    }

    fn depth(&self, id: RepeatId) -> u32 {
        self.repeats[id.0 as usize].depth
    }
}

/// The blocks of a loop, in order; its header is the first.
fn body(cfg: &Cfg, loops: &Loops, id: LoopId) -> Vec<BlockId> {
    cfg.order().iter().copied().filter(|&block| loops.contains(id, block)).collect()
}

/// The irreducible cycles, disjoint, each in order.
fn cycles(cfg: &Cfg, loops: &Loops) -> Vec<Vec<BlockId>> {
    // A cycle without back edges of loops exists only if some edge goes backwards that is none.
    let goes_back = |from: BlockId, to: BlockId| cfg.position(to) <= cfg.position(from);
    let is_odd = |from: BlockId, to: BlockId| goes_back(from, to) && !loops.is_back_edge(Edge { from, to });
    if !cfg.order().iter().any(|&from| cfg.successors(from).iter().any(|&to| is_odd(from, to))) {
        return Vec::new();
    }
    let forward = |from: BlockId| {
        let is_back = move |to: &BlockId| loops.is_back_edge(Edge { from, to: *to });
        cfg.successors(from).iter().copied().filter(move |to| !is_back(to)).collect()
    };
    let without: Vec<Vec<BlockId>> = (0..cfg.len() as u32).map(|block| forward(BlockId(block))).collect();
    let mut cycles: Vec<HashSet<BlockId>> = Cfg::from_successors(without)
        .components()
        .into_iter()
        .filter(|c| c.len() > 1)
        .map(HashSet::from_iter)
        .collect();
    // Loops inside a cycle belong to it, and may connect it with further ones.
    loop {
        let before: usize = cycles.iter().map(HashSet::len).sum();
        let count = cycles.len();
        for id in loops.ids() {
            let header = loops.header(id);
            if let Some(cycle) = cycles.iter_mut().find(|cycle| cycle.contains(&header)) {
                cycle.extend(body(cfg, loops, id));
            }
        }
        cycles = merged(cycles);
        if cycles.len() == count && cycles.iter().map(HashSet::len).sum::<usize>() == before {
            break;
        }
    }
    let in_order = |cycle: HashSet<BlockId>| cfg.order().iter().copied().filter(|b| cycle.contains(b)).collect();
    cycles.into_iter().map(in_order).collect()
}

fn merged(cycles: Vec<HashSet<BlockId>>) -> Vec<HashSet<BlockId>> {
    let mut merged: Vec<HashSet<BlockId>> = Vec::new();
    for mut cycle in cycles {
        let (meeting, apart): (Vec<_>, Vec<_>) = merged.into_iter().partition(|other| !other.is_disjoint(&cycle));
        cycle.extend(meeting.into_iter().flatten());
        merged = apart;
        merged.push(cycle);
    }
    merged
}
