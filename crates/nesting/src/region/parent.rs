//! The dynamic control parent of a step: the one step whose outcome let it execute.
//!
//! It is the latest execution, in the same call, of a branch that took an edge the step's block depends on; if control
//! came back by `longjmp` since, or the block depends on no branch, it is that return or the call itself. The textbook's
//! stack of live predicates finds the same (see the tests); this needs no stack, and asks only when somebody wants to know.
//! They differ in one odd case: an endless loop that is entered elsewhere than at its head.

use abi::{BlockId, InstructionId};
use program::{Edge, RegionEnd};

use super::nesting::{Frame, Nesting};
use super::outline::Outline;

/// What a step is control dependent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parent {
    /// The branch at the end of this block, executed at this clock.
    Branch { block: BlockId, clock: u64 },
    /// `setjmp`, returning again.
    Resumption { call: InstructionId, clock: u64 },
    /// The call of its function.
    Call,
}

/// When each edge was last taken in a call.
#[derive(Clone, Default)]
pub(super) struct Choices {
    /// Serial number and clock, by number of the edge. What is not later than the call is of another call.
    taken: Vec<(u64, u64)>,
    entered: u64,
    /// When the present turn began of an endless loop control is in. It has no branch that decides on another turn, so
    /// what was decided in the one before is over.
    turned: u64,
    resumed: Option<(u64, Parent)>,
}

impl Choices {
    pub fn begin(&mut self, outline: &Outline, serial: u64) {
        // Old entries stay: they are known by their serial numbers, and clearing would cost with every call.
        if self.taken.len() < outline.edge_count() {
            self.taken.resize(outline.edge_count(), (0, 0));
        }
        self.entered = serial;
        self.turned = 0;
        self.resumed = None;
    }

    pub fn take(&mut self, outline: &Outline, edge: Edge, serial: u64, clock: u64) {
        if let Some(number) = outline.edge_number(edge) {
            self.taken[number] = (serial, clock);
        }
        if outline.shape.post_dominators.ends_endless_turn(edge) {
            self.turned = serial;
        }
    }

    pub fn resume(&mut self, serial: u64, clock: u64, call: InstructionId) {
        self.resumed = Some((serial, Parent::Resumption { call, clock }));
    }

    fn latest(&self, outline: &Outline, block: BlockId) -> Parent {
        let mut latest = self.resumed.unwrap_or((self.entered, Parent::Call));
        for &edge in outline.shape.control.parents(block) {
            let Some(number) = outline.edge_number(edge) else { continue };
            let (serial, clock) = self.taken[number];
            let is_over = serial <= self.turned && ends_within_turn(outline, edge.from);
            if serial > latest.0 && !is_over {
                latest = (serial, Parent::Branch { block: edge.from, clock });
            }
        }
        latest.1
    }
}

/// Whether the region of a branch ends in an endless loop, and so with a turn of it.
fn ends_within_turn(outline: &Outline, branch: BlockId) -> bool {
    let post_dominators = &outline.shape.post_dominators;
    match post_dominators.region_end(branch) {
        RegionEnd::Block(end) => post_dominators.is_endless(end),
        RegionEnd::Turn(_) => true,
        RegionEnd::Function => false,
    }
}

impl Nesting {
    /// What the steps of the block that control is in depend on. None before the first block of a function.
    pub fn parent(&self) -> Option<Parent> {
        let Frame { outline, block, choices, .. } = self.frames.last()?;
        Some(choices.latest(outline, (*block)?))
    }
}
