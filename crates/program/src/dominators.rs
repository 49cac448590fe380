//! Dominators and post-dominators of a function's blocks, by one algorithm.
//!
//! The algorithm is Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm* (2001): about linear on the graphs
//! compilers make. petgraph has it too, but forwards only and without a virtual exit; on dense ids it is thirty lines.
//!
//! **Code that never reaches an exit.** Post-dominance is about the way to the exit, and an endless loop has none. Each
//! strongly connected part that control cannot leave is treated as if its turns ended with a test that could leave the
//! function: all edges that lead from inside the part to its *head* (its first block in reverse postorder) meet in a
//! hidden vertex, which goes on to the head or to the exit. So what every turn executes post-dominates what comes before it
//! in a turn, a `continue` splits a turn as it does in an ordinary loop, and every reachable block has a post-dominator.

use crate::BlockId;
use crate::cfg::{Cfg, ENTRY, Edge, postorder};

/// A tree of blocks: a block's ancestors are the blocks every path to it (from it, for post-dominators) goes through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominators {
    immediate: Vec<Option<BlockId>>,
    /// A block dominates those whose number lies in its span. Empty for unreachable blocks.
    spans: Vec<(u32, u32)>,
}

impl Dominators {
    pub fn of(cfg: &Cfg) -> Dominators {
        if cfg.is_empty() {
            return Dominators { immediate: Vec::new(), spans: Vec::new() };
        }
        let mut graph: Vec<Vec<usize>> = blocks(cfg).map(|b| successors(cfg, b).collect()).collect();
        graph.push(vec![ENTRY.index()]);
        Dominators::from_parents(&immediate_dominators(&graph, cfg.len()), cfg.len())
    }

    /// The nearest block that strictly dominates this one; none for the outermost and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block.index()]
    }

    /// Every block that is reachable dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (begin, end) = self.spans[a.index()];
        let (at, past) = self.spans[b.index()];
        begin <= at && past <= end && at < past
    }

    /// Vertices from `blocks` on are hidden; the root is the last of them and the only one without parent.
    fn from_parents(parents: &[Option<usize>], blocks: usize) -> Dominators {
        let mut children = vec![Vec::new(); parents.len()];
        for (vertex, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(vertex);
            }
        }
        let mut spans = vec![(0, 0); parents.len()];
        // In postorder a vertex stands right behind all it dominates.
        let order = postorder(parents.len() - 1, &children, |v| v);
        for (at, &vertex) in order.iter().enumerate() {
            let begin = children[vertex].first().map_or(at as u32, |&first| spans[first].0);
            spans[vertex] = (begin, at as u32 + 1);
        }
        spans.truncate(blocks);
        let visible = |vertex: usize| (vertex < blocks).then_some(BlockId(vertex as u32));
        let immediate = parents[..blocks].iter().map(|parent| parent.and_then(visible)).collect();
        Dominators { immediate, spans }
    }
}

/// The same, seen from the exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostDominators {
    tree: Dominators,
    ends: Vec<RegionEnd>,
    turns: Turns,
}

/// Where the region of a choice made at the end of a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionEnd {
    /// Where this block begins: the immediate post-dominator.
    Block(BlockId),
    /// With the turn of the endless loop that has this head.
    Turn(BlockId),
    /// With the function.
    Function,
}

impl PostDominators {
    pub fn of(cfg: &Cfg) -> PostDominators {
        let turns = Turns::of(cfg);
        // Blocks, then a hidden vertex for each part that never ends, then the exit.
        let count = cfg.len() + turns.heads.len() + 1;
        let exit = count - 1;
        let mut graph = vec![Vec::new(); count];
        for &from in cfg.order() {
            for &to in cfg.successors(from) {
                let target = match turns.ended_by(Edge { from, to }) {
                    Some(part) => cfg.len() + part,
                    None => to.index(),
                };
                graph[target].push(from.index());
            }
            if cfg.successors(from).is_empty() {
                graph[exit].push(from.index());
            }
        }
        graph[exit].extend(cfg.len()..exit);
        let parents = immediate_dominators(&graph, exit);
        let end = |parent: &Option<usize>| match parent {
            Some(block) if *block < cfg.len() => RegionEnd::Block(BlockId(*block as u32)),
            Some(hidden) if *hidden < exit => RegionEnd::Turn(turns.heads[hidden - cfg.len()]),
            Some(_) | None => RegionEnd::Function,
        };
        let ends = parents[..cfg.len()].iter().map(end).collect();
        PostDominators { tree: Dominators::from_parents(&parents, cfg.len()), ends, turns }
    }

    /// The nearest block that strictly post-dominates this one; none if only the exit does.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.immediate(block)
    }

    /// Whether every path from `b` to the exit goes through `a`. Every reachable block post-dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.tree.dominates(a, b)
    }

    /// Where the region of a choice made at the end of `block` ends.
    pub fn region_end(&self, block: BlockId) -> RegionEnd {
        self.ends[block.index()]
    }

    /// Whether the region of a choice made at the end of `block` is over when control takes this edge.
    pub fn ends_region(&self, block: BlockId, edge: Edge) -> bool {
        match self.region_end(block) {
            RegionEnd::Block(end) => end == edge.to,
            RegionEnd::Turn(head) => head == edge.to && self.ends_endless_turn(edge),
            RegionEnd::Function => false,
        }
    }

    /// Whether control that has come to this block can never leave the function by its own edges.
    pub fn is_endless(&self, block: BlockId) -> bool {
        self.turns.part[block.index()].is_some()
    }

    /// Whether the edge ends a turn of an endless loop, so that nothing on its far side depends on its being taken.
    pub fn ends_endless_turn(&self, edge: Edge) -> bool {
        self.turns.ended_by(edge).is_some()
    }
}

/// The parts of a graph that control cannot leave.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Turns {
    /// First block of each part.
    heads: Vec<BlockId>,
    /// The part each block belongs to.
    part: Vec<Option<u32>>,
}

impl Turns {
    fn of(cfg: &Cfg) -> Turns {
        let mut turns = Turns { heads: Vec::new(), part: vec![None; cfg.len()] };
        let leaves = can_leave(cfg);
        // The first block in order that cannot leave and is in no part yet need not be in a part that cannot be left
        // (it may lead into one), so the strongly connected components are told apart first.
        for component in cfg.components() {
            let inside = |block: &BlockId| component.contains(block);
            let last = component.iter().all(|&b| cfg.successors(b).iter().all(inside));
            if leaves[component[0].index()] || !last {
                continue;
            }
            let head = component.iter().copied().min_by_key(|&b| cfg.position(b));
            for block in &component {
                turns.part[block.index()] = Some(turns.heads.len() as u32);
            }
            turns.heads.extend(head);
        }
        turns
    }

    /// The part in which this edge ends a turn.
    fn ended_by(&self, edge: Edge) -> Option<usize> {
        let part = self.part[edge.from.index()]? as usize;
        (self.heads[part] == edge.to).then_some(part)
    }
}

/// For each block whether an exit can be reached from it.
fn can_leave(cfg: &Cfg) -> Vec<bool> {
    let mut leaves = vec![false; cfg.len()];
    let mut open: Vec<BlockId> = blocks(cfg).filter(|&b| cfg.successors(b).is_empty()).collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut leaves[block.index()], true) {
            open.extend(cfg.predecessors(block));
        }
    }
    leaves
}

/// The parent of each vertex in the dominator tree of the vertices reachable from `root`.
fn immediate_dominators(successors: &[Vec<usize>], root: usize) -> Vec<Option<usize>> {
    const UNKNOWN: usize = usize::MAX;
    let order = postorder(root, successors, |v| v);
    let mut rank = vec![UNKNOWN; successors.len()];
    for (at, &vertex) in order.iter().enumerate() {
        rank[vertex] = at;
    }
    let mut predecessors = vec![Vec::new(); successors.len()];
    for &from in &order {
        for &to in &successors[from] {
            predecessors[to].push(from);
        }
    }
    let mut parent = vec![UNKNOWN; successors.len()];
    // The root is its own parent while the algorithm runs, so that every walk ends.
    parent[root] = root;
    let mut changed = true;
    while changed {
        changed = false;
        for &vertex in order.iter().rev().filter(|&&v| v != root) {
            let known = predecessors[vertex].iter().copied().filter(|&p| parent[p] != UNKNOWN);
            // In this order at least one predecessor is known.
            let nearest = known.reduce(|a, b| meet(a, b, &parent, &rank)).unwrap_or(root);
            changed |= std::mem::replace(&mut parent[vertex], nearest) != nearest;
        }
    }
    parent[root] = UNKNOWN;
    parent.into_iter().map(|parent| (parent != UNKNOWN).then_some(parent)).collect()
}

/// The nearest common ancestor of two vertices in the tree so far.
fn meet(mut a: usize, mut b: usize, parent: &[usize], rank: &[usize]) -> usize {
    while a != b {
        if rank[a] < rank[b] {
            a = parent[a];
        } else {
            b = parent[b];
        }
    }
    a
}

fn blocks(cfg: &Cfg) -> impl Iterator<Item = BlockId> {
    (0..cfg.len() as u32).map(BlockId)
}

fn successors(cfg: &Cfg, block: BlockId) -> impl Iterator<Item = usize> + '_ {
    cfg.successors(block).iter().map(|b| b.index())
}
