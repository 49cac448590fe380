//! Which definitions can reach which uses, along all paths of a function.

use std::collections::HashSet;

use crate::FunctionKey;

use super::Potential;
use super::place::Place;
use crate::{BlockId, Edge, InstructionId, Op, Shape};

/// Where a value is used, seen from the function of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// In the same call of the same function, by this instruction.
    Here(InstructionId),
    /// In another function, or in another call of this one.
    Elsewhere,
}

/// The definitions that may reach a use from inside its function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reaching {
    /// In the order of instructions; calls stand for what they may write.
    pub definitions: Vec<InstructionId>,
    /// Some path from the entry defines nothing.
    pub from_entry: bool,
}

impl Potential<'_> {
    /// The instructions that may define one of `places` if the branch at `untaken.from` took this edge, before control is
    /// where it would have come anyway (the branch's post-dominator), and whose value may reach the use. Empty: the
    /// branch has no say in what the use reads.
    /// [`Potential::could_define`] tells faster whether there are any.
    pub fn definitions_if_taken(
        &self,
        function: FunctionKey,
        untaken: Edge,
        places: &[Place],
        at: Use,
    ) -> Vec<InstructionId> {
        let shape = self.shape(function);
        let body = self.function(function);
        let mut definitions = Vec::new();
        for block in region(shape, untaken) {
            let block = body.block(block);
            for id in (block.first.0..block.end.0).map(InstructionId) {
                if self.may_define_any(function, id, places) && self.reaches(function, id, places, at) {
                    definitions.push(id);
                }
            }
        }
        definitions.sort();
        definitions
    }

    /// Whether the value an instruction defines may still be there at the use: on some path nothing surely overwrites it.
    pub(super) fn reaches(&self, function: FunctionKey, definition: InstructionId, places: &[Place], at: Use) -> bool {
        let shape = self.shape(function);
        let body = self.function(function);
        // Blocks entered at their beginning.
        let mut seen = vec![false; body.blocks.len()];
        let mut open = vec![(shape.block_of(definition), InstructionId(definition.0 + 1))];
        while let Some((block, first)) = open.pop() {
            let mut overwritten = false;
            for id in (first.0..body.block(block).end.0).map(InstructionId) {
                match at {
                    Use::Here(user) if user == id => return true,
                    // Nobody knows what a callee reads.
                    Use::Elsewhere if body.instruction(id).op.call().is_some() => return true,
                    Use::Here(_) | Use::Elsewhere => {}
                }
                if self.surely_defines(function, id, places) {
                    overwritten = true;
                    break;
                }
            }
            if overwritten {
                continue;
            }
            let next = shape.cfg.successors(block);
            if next.is_empty() && at == Use::Elsewhere {
                return true;
            }
            let fresh = next.iter().copied().filter(|b| !std::mem::replace(&mut seen[b.index()], true));
            open.extend(fresh.map(|b| (b, body.block(b).first)));
        }
        false
    }

    /// The definitions of `places` that may reach an instruction, found backwards.
    pub fn reaching_definitions(&self, function: FunctionKey, at: InstructionId, places: &[Place]) -> Reaching {
        let shape = self.shape(function);
        let body = self.function(function);
        let mut reaching = Reaching::default();
        let mut seen = HashSet::new();
        // Blocks and where in them to begin, backwards.
        let mut open = vec![(shape.block_of(at), at)];
        while let Some((block, before)) = open.pop() {
            let mut overwritten = false;
            for id in (body.block(block).first.0..before.0).rev().map(InstructionId) {
                let is_definition = |defined| places.iter().any(|place| self.may_overlap(defined, place));
                if self.defined(function, id).iter().any(is_definition) {
                    reaching.definitions.push(id);
                }
                if self.surely_defines(function, id, places) {
                    overwritten = true;
                    break;
                }
            }
            if overwritten {
                continue;
            }
            reaching.from_entry |= block == crate::ENTRY;
            for &from in shape.cfg.predecessors(block) {
                if shape.cfg.is_reachable(from) && seen.insert(from) {
                    open.push((from, body.block(from).end));
                }
            }
        }
        reaching.definitions.sort();
        reaching.definitions.dedup();
        reaching
    }

    /// The edges that decide which definition of `places` reaches a use (summary control dependences, definition 3.1 of Li, Li,
    /// Huo and Feng). Each leads, by control dependences, to a definition that may reach the use; those that the use itself
    /// hangs on are left out, since they are found by following control dependences.
    ///
    /// Departs from algorithm 2 of the paper in that no phis are placed: where a loop surely assigns, there is none behind it,
    /// and yet its condition decides, by the definition, how often it does. Calls define what they may write.
    pub fn deciding_edges(&self, function: FunctionKey, at: InstructionId, places: &[Place]) -> Vec<Edge> {
        let reaching = self.reaching_definitions(function, at, places);
        let shape = self.shape(function);
        let own = self.controlling(function, [shape.block_of(at)]);
        let own_branches: HashSet<BlockId> = own.iter().map(|edge| edge.from).collect();
        let definitions = reaching.definitions.iter().map(|&definition| shape.block_of(definition));
        let mut edges: Vec<Edge> = self.controlling(function, definitions).into_iter().collect();
        edges.retain(|edge| !own_branches.contains(&edge.from));
        edges.sort();
        edges
    }

    /// All edges from which control dependences lead to one of these blocks.
    fn controlling(&self, function: FunctionKey, blocks: impl IntoIterator<Item = BlockId>) -> HashSet<Edge> {
        let control = &self.shape(function).control;
        let mut open: Vec<BlockId> = blocks.into_iter().collect();
        let mut edges = HashSet::new();
        while let Some(block) = open.pop() {
            for &edge in control.parents(block) {
                if edges.insert(edge) {
                    open.push(edge.from);
                }
            }
        }
        edges
    }

    /// Whether after this instruction nothing is left of an earlier definition of the place.
    fn surely_defines(&self, function: FunctionKey, instruction: InstructionId, places: &[Place]) -> bool {
        let [place] = places else { return false };
        let Some(wanted) = place.bytes.filter(|_| place.base.is_variable()) else { return false };
        let Op::Store { value_type, .. } = &self.function(function).instruction(instruction).op else {
            return false;
        };
        let size = value_type.store_size();
        match self.defined(function, instruction) {
            [stored] => {
                let exact = |bytes: &super::Bytes| (bytes.end - bytes.begin) as u64 == size;
                stored.base == place.base && stored.bytes.filter(exact).is_some_and(|bytes| bytes.covers(wanted))
            }
            _ => false,
        }
    }
}

/// Blocks control can come to after this edge before the region of the branch it leaves is over.
pub(super) fn region(shape: &Shape, first: Edge) -> HashSet<BlockId> {
    let mut reached = HashSet::new();
    let mut open = vec![first];
    while let Some(edge) = open.pop() {
        if !shape.post_dominators.ends_region(first.from, edge) && reached.insert(edge.to) {
            open.extend(shape.cfg.successors(edge.to).iter().map(|&to| Edge { from: edge.to, to }));
        }
    }
    reached
}
