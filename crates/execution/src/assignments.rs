//! Assignments: what chosen steps stored, and what was there before.

use std::collections::{BTreeSet, HashMap};

use abi::InstructionId;
use program::{Function, Module, Op, Type};
use replay::{Leaving, Observed, Observer, ReplayError, Step};

use crate::run::Run;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    pub at: Step,
    pub ty: Type,
    pub value: u64,
    /// What it took the place of, if the program stored that not long before.
    pub before: Option<u64>,
}

/// Those of the steps that store a number or a pointer, in the order of execution; only their windows are replayed.
pub fn assignments(run: &Run<'_>, steps: &BTreeSet<Step>) -> Result<Vec<Assignment>, ReplayError> {
    let mut all = Vec::new();
    for (window, wanted) in run.by_window(steps) {
        let watcher = Watcher { wanted, stored: HashMap::new(), frames: Vec::new(), entered: 0, found: Vec::new() };
        all.extend(run.replay(window, watcher)?.found);
    }
    Ok(all)
}

/// Where something is stored.
#[derive(PartialEq, Eq, Hash)]
enum Place {
    Address(u64),
    /// A variable that has no address, in one execution of its function: by how many were entered before it (zero if
    /// that was in an earlier window), and how many are on the stack.
    Local {
        entered: u64,
        depth: usize,
        local: InstructionId,
    },
}

struct Watcher {
    wanted: BTreeSet<Step>,
    /// How many bytes, and which.
    stored: HashMap<Place, (u64, u64)>,
    /// For each function that was entered in this window, how many were entered before it.
    frames: Vec<u64>,
    entered: u64,
    found: Vec<Assignment>,
}

impl Observer for Watcher {
    fn step(&mut self, step: &Observed<'_>) {
        let Op::Store { value, value_type, address, local, .. } = &step.instruction().op else { return };
        let &[value] = step.went_on_with(value) else { return };
        let place = match (local, step.operand(address).first()) {
            (Some(local), _) => {
                let entered = self.frames.last().copied().unwrap_or(0);
                Place::Local { entered, depth: step.depth, local: *local }
            }
            (None, Some(address)) => Place::Address(*address),
            (None, None) => return,
        };
        let size = value_type.store_size();
        let before = self.stored.insert(place, (size, value)).filter(|(other, _)| *other == size);
        if !matches!(value_type, Type::Int(_) | Type::Float(_) | Type::Pointer) {
            return;
        }
        let at = step.step();
        if !self.wanted.contains(&at) {
            return;
        }
        self.found.push(Assignment { at, ty: value_type.clone(), value, before: before.map(|(_, value)| value) });
    }

    fn entered(&mut self, _: &Function, _: &Module, _: bool) {
        self.entered += 1;
        self.frames.push(self.entered);
    }

    fn left(&mut self, _: &Function, _: Leaving) {
        self.frames.pop();
    }
}
