//! The whole dependence graph of what a walk finds, in about a hundred bytes for each step: for runs with ten million steps that
//! the failure depends on.
//!
//! Steps and what joins them are vertices alike, each with two links: a step to who used what it made and to who was executed
//! because of it, a join to the two that want the same place. The walk makes them in this form, so nobody's users are ever
//! listed. Later steps come before earlier ones, so each vertex leads to older ones only.
//!
//! The other graph (`graph`) lists all edges, and knows through which load each goes; it is for what people are shown.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use graph::{Graph, VertexId};
use program::{FunctionKey, Op, Type};
use replay::Step;

use super::{Demand, Mark, Slot, Source};
use crate::functions::Functions;

/// The vertex of the step that was asked about, if it has one.
const ASKED: VertexId = VertexId(1);

#[derive(Default)]
pub struct WholeGraph {
    pub graph: Graph,
    /// The vertices that are steps, in order. The first of all vertices is what was asked about.
    vertices: Vec<u32>,
    clocks: Vec<u64>,
    depths: Vec<u32>,
    slots: Vec<u32>,
    instructions: Vec<u32>,
    /// Functions by their slots.
    pub keys: Vec<FunctionKey>,
    /// The step that was asked about, if it is the vertex that leads to the first.
    asked: Option<Step>,
    /// Outside functions of which nothing is known, and how often what they did mattered.
    pub unknown: HashMap<String, u64>,
    /// There were more steps than wanted, or less time; the graph has the latest.
    pub is_cut: bool,
}

impl WholeGraph {
    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.vertices.len()
    }

    /// The step that a vertex is; none if it only joins others.
    pub fn step(&self, vertex: VertexId) -> Option<Step> {
        if vertex == ASKED && self.asked.is_some() {
            return self.asked;
        }
        let at = self.vertices.binary_search(&vertex.0).ok()?;
        let function = *self.keys.get(self.slots[at] as usize)?;
        let site = function.at(abi::InstructionId(self.instructions[at]));
        Some(Step { clock: self.clocks[at], depth: self.depths[at], site })
    }

    /// The vertices of a step, which may have been met more than once.
    pub fn vertices_of(&self, step: Step) -> Vec<VertexId> {
        // Clocks never rise from one step to the next.
        let first = self.clocks.partition_point(|clock| *clock > step.clock);
        let end = self.clocks.partition_point(|clock| *clock >= step.clock);
        let vertices = self.vertices[first..end].iter().map(|vertex| VertexId(*vertex));
        vertices.filter(|vertex| self.step(*vertex) == Some(step)).collect()
    }

    /// Which vertices are steps of these sites.
    pub fn those(&self, mut is_meant: impl FnMut(FunctionKey, abi::InstructionId) -> bool) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.graph.len());
        let mut known: HashMap<(u32, u32), bool> = HashMap::new();
        for (at, vertex) in self.vertices.iter().enumerate() {
            let (slot, instruction) = (self.slots[at], self.instructions[at]);
            let Some(&key) = self.keys.get(slot as usize) else { continue };
            let answer = known.entry((slot, instruction));
            let is_one = *answer.or_insert_with(|| is_meant(key, abi::InstructionId(instruction)));
            found.set(*vertex as usize, is_one);
        }
        if let Some(asked) = self.asked {
            found.set(ASKED.index(), is_meant(asked.site.function, asked.site.instruction));
        }
        found
    }

    /// Steps whose value an experiment can put another in place of: choices, and assignments of numbers and pointers, in the
    /// program's own code.
    pub fn changeable(&self, functions: &Functions<'_>) -> FixedBitSet {
        self.those(|key, instruction| {
            let at = functions.function(key).instruction(instruction);
            // The arrival of a parameter has no place: it is nobody's assignment.
            at.ticks
                && at.location.is_some_and(|location| location.line > 0)
                && !functions.is_twin(key)
                && match &at.op {
                    Op::Branch { .. } | Op::Switch { .. } => true,
                    Op::Store { value_type, .. } => match value_type {
                        Type::Int(bits) => *bits <= 64,
                        Type::Pointer => true,
                        _ => value_type.store_size() <= 8,
                    },
                    _ => false,
                }
        })
    }

    /// Steps that people would count: those of the program's own code.
    pub fn own(&self, functions: &Functions<'_>) -> FixedBitSet {
        self.those(|key, _| !functions.is_twin(key))
    }

    /// Bytes that are allocated.
    pub fn bytes(&self) -> usize {
        let arrays = self.vertices.capacity() + self.depths.capacity() + self.slots.capacity();
        self.graph.bytes() + 4 * (arrays + self.instructions.capacity()) + 8 * self.clocks.capacity()
    }
}

/// Builds the graph of a walk.
pub struct WholeBuilder {
    pub whole: WholeGraph,
    most: usize,
}

impl WholeBuilder {
    /// A graph of at most `most` steps.
    pub fn new(most: usize) -> WholeBuilder {
        WholeBuilder { whole: WholeGraph::default(), most }
    }

    /// Who wants what the walk looks for: a vertex of its own, in whose place nothing was executed.
    pub fn root(&mut self) -> Mark {
        mark(self.whole.graph.push([None, None]))
    }

    /// The same, where the step that is asked about is itself one to look at.
    pub fn root_at(&mut self, at: Step) -> Mark {
        let root = self.root();
        self.whole.asked = Some(at);
        mark(self.whole.graph.push([vertex(root), None]))
    }

    /// The graph; `keys` are the walk's.
    pub fn finish(mut self, keys: Vec<FunctionKey>) -> WholeGraph {
        self.whole.keys = keys;
        self.whole
    }
}

fn mark(vertex: VertexId) -> Mark {
    Mark(vertex.0 + 1)
}

fn vertex(mark: Mark) -> Option<VertexId> {
    mark.0.checked_sub(1).map(VertexId)
}

impl Demand for WholeBuilder {
    fn pass(&mut self, _: Step, _: Slot, mark: Mark) -> Mark {
        mark
    }

    fn meet(&mut self, at: Step, slot: Slot, data: Mark, control: Mark) -> Mark {
        let whole = &mut self.whole;
        if whole.vertices.len() >= self.most {
            whole.is_cut = true;
            return Mark::NOBODY;
        }
        let id = whole.graph.push([vertex(data), vertex(control)]);
        whole.vertices.push(id.0);
        whole.clocks.push(at.clock);
        whole.depths.push(at.depth);
        whole.slots.push(slot.0);
        whole.instructions.push(at.site.instruction.0);
        mark(id)
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        mark(self.whole.graph.push([vertex(a), vertex(b)]))
    }

    fn end(&mut self, _: Source, _: Mark) {}

    fn is_full(&self) -> bool {
        self.whole.is_cut
    }

    fn unknown(&mut self, _: Step, name: &str) {
        *self.whole.unknown.entry(name.to_owned()).or_default() += 1;
    }
}
