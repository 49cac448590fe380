//! What an instruction may write, through calls too.

use std::collections::{HashMap, HashSet};

use crate::FunctionKey;
use budget::{Budget, Spent};

use super::Potential;
use super::outside;
use super::place::{Base, Bytes, Place};
use super::pointers::Target;
use crate::{Call, CallKind, ConstantOp, InstructionId, Intrinsic, Op, OpEffect, Operand};

/// Rounds after which offsets from parameters are given up: a recursive function may move its pointer in each call.
const EXACT_ROUNDS: usize = 3;

/// Places a function may write that are told apart by their offsets. Functions of large programs that call most others
/// write thousands; of these only the objects are kept, which errs on the safe side.
const MOST_PLACES: usize = 2000;

/// The object that a place is part of.
fn whole(place: Place) -> Place {
    Place { bytes: None, field: None, ..place }
}

impl Potential<'_> {
    /// The places an instruction may define. For a call: what may be written before it comes back, the callee's own
    /// variables left out.
    pub fn may_define(&self, function: FunctionKey, instruction: InstructionId) -> Vec<Place> {
        let mut places = HashSet::new();
        let op = &self.function(function).instruction(instruction).op;
        self.defines_into(function, op, &mut places, &mut HashSet::new());
        let mut places: Vec<Place> = places.into_iter().collect();
        places.sort();
        places
    }

    /// `merged`: functions whose writes are among the places, but for those that depend on what they are given.
    fn defines_into(
        &self,
        function: FunctionKey,
        op: &Op,
        places: &mut HashSet<Place>,
        merged: &mut HashSet<FunctionKey>,
    ) {
        match op.effect() {
            OpEffect::Stores { address, value_type, .. }
            | OpEffect::Modifies { address, value_type, .. }
            | OpEffect::Exchanges { address, value_type, .. } => {
                places.extend(self.places(function, address, Some(value_type.store_size())));
            }
            OpEffect::Calls(call) => self.written_by_call(function, call, places, merged),
            OpEffect::Nothing | OpEffect::Allocates { .. } | OpEffect::Loads { .. } => {}
        }
    }

    /// Whether an instruction may define one of these places.
    pub fn may_define_any(&self, function: FunctionKey, instruction: InstructionId, places: &[Place]) -> bool {
        let defined = self.may_define(function, instruction);
        defined.iter().any(|defined| places.iter().any(|place| self.may_overlap(defined, place)))
    }

    fn written_by_call(
        &self,
        function: FunctionKey,
        call: &Call,
        written: &mut HashSet<Place>,
        merged: &mut HashSet<FunctionKey>,
    ) {
        let argument = |position: usize| call.arguments.get(position);
        match call.kind {
            CallKind::Computed => {}
            CallKind::Memory => {
                let size = argument(2).and_then(constant_size);
                written.extend(argument(0).into_iter().flat_map(|to| self.places(function, to, size)));
            }
            CallKind::Ignored => {
                let module = self.modules[function.module as usize];
                if let Some(Intrinsic::StartList | Intrinsic::CopyList | Intrinsic::EndList) =
                    module.intrinsic(&call.callee)
                {
                    written.extend(argument(0).into_iter().flat_map(|to| self.places(function, to, None)));
                }
            }
            CallKind::Logged | CallKind::Setjmp | CallKind::Open | CallKind::Closed => {
                let callees = self.callees(function, call);
                if let Some(name) = callees.outside {
                    for (position, argument) in call.arguments.iter().enumerate() {
                        if outside::writes_through(name, position) {
                            let targets = self.targets(function, argument);
                            written.extend(targets.iter().map(|target| target.place(None)));
                        }
                    }
                    // Called back with arguments nobody knows.
                    for callee in self.handed_over(function, call) {
                        written.extend(self.facts(callee).writes.iter().map(|place| match place.base {
                            Base::Parameter(..) => Place { base: Base::Unknown, bytes: None, ..*place },
                            Base::Local(..) | Base::Copy(..) | Base::Global(_) | Base::Unknown => *place,
                        }));
                    }
                }
                for callee in callees.functions {
                    let is_merged = !merged.insert(callee);
                    let is_new = |place: &&Place| !is_merged || matches!(place.base, Base::Parameter(..));
                    for place in self.facts(callee).writes.iter().filter(is_new) {
                        self.seen_by_caller(function, call, place, written);
                    }
                }
            }
        }
    }

    /// A place a callee writes, in the caller's terms.
    fn seen_by_caller(&self, caller: FunctionKey, call: &Call, place: &Place, written: &mut HashSet<Place>) {
        let Base::Parameter(_, position) = place.base else {
            written.insert(*place);
            return;
        };
        let targets = call.arguments.get(position as usize).map(|argument| self.targets(caller, argument));
        // A missing argument, or a number where a pointer was expected.
        let targets = targets.filter(|targets| !targets.is_empty());
        match targets {
            None => _ = written.insert(Place { base: Base::Unknown, bytes: None, ..*place }),
            Some(targets) => written.extend(targets.into_iter().map(|target| Place {
                base: target.base,
                bytes: target.offset.zip(place.bytes).and_then(|(offset, bytes)| {
                    Some(Bytes { begin: bytes.begin.checked_add(offset.0)?, end: bytes.end.checked_add(offset.1)? })
                }),
                field: place.field,
            })),
        }
    }

    /// Adds what a function may write by what is known of those that it calls; whether anything was added.
    pub(super) fn look_again(&mut self, function: FunctionKey, round: usize, budget: &Budget) -> Result<bool, Spent> {
        let (mut found, mut merged) = (HashSet::new(), HashSet::new());
        let (mut is_coarse, mut most) = (self.facts(function).is_coarse, MOST_PLACES);
        for instruction in &self.function(function).instructions {
            self.defines_into(function, &instruction.op, &mut found, &mut merged);
            if instruction.op.call().is_some() {
                budget.go_on()?;
            }
            if found.len() > most {
                is_coarse = true;
                found = found.into_iter().map(whole).collect();
                most = MOST_PLACES.max(found.len() * 2);
            }
        }
        let facts = &mut self.functions[function.module as usize][function.function.index()];
        let known = &mut facts.writes;
        if is_coarse && !facts.is_coarse {
            facts.is_coarse = true;
            *known = known.drain().map(whole).collect();
        }
        let mut is_added = false;
        for mut place in found.into_iter().filter(|place| !place.base.is_own_of(function)) {
            if round >= EXACT_ROUNDS && matches!(place.base, Base::Parameter(..)) {
                place.bytes = None;
            }
            is_added |= known.insert(if is_coarse { whole(place) } else { place });
        }
        Ok(is_added)
    }

    /// Functions whose writes are those of a function.
    fn may_call(&self, function: FunctionKey) -> HashSet<FunctionKey> {
        let calls = self.function(function).instructions.iter().filter_map(|instruction| instruction.op.call());
        calls
            .flat_map(|call| [self.callees(function, call).functions, self.handed_over(function, call)].concat())
            .collect()
    }

    fn targets(&self, function: FunctionKey, operand: &Operand) -> Vec<Target> {
        let module = self.modules[function.module as usize];
        self.facts(function).pointers.targets(module, function, &self.names, operand)
    }
}

/// Computes what each function may write, until nothing is added. A function is looked at again when something was added
/// to one that it calls.
pub(super) fn close_over_calls(potential: &mut Potential<'_>, budget: &Budget) -> Result<(), Spent> {
    let functions: Vec<(FunctionKey, HashSet<FunctionKey>)> =
        potential.all().map(|function| (function, potential.may_call(function))).collect();
    // When each was last looked at, and when something was last added to it.
    let (mut looked, mut grown): (HashMap<FunctionKey, u64>, HashMap<FunctionKey, u64>) = Default::default();
    let (mut time, mut round) = (0, 0);
    loop {
        let mut changed = false;
        for (function, callees) in &functions {
            let is_new = |callee: &FunctionKey| grown.get(callee) >= looked.get(function) && grown.contains_key(callee);
            if round != 0 && round != EXACT_ROUNDS && !callees.iter().any(is_new) {
                continue;
            }
            time += 1;
            looked.insert(*function, time);
            if potential.look_again(*function, round, budget)? {
                grown.insert(*function, time);
                changed = true;
            }
        }
        if !changed {
            return Ok(());
        }
        round += 1;
    }
}

fn constant_size(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Constant(constant) => match constant.op {
            ConstantOp::Zero => Some(0),
            ConstantOp::Scalar(size) => Some(size),
            _ => None,
        },
        Operand::Parameter(_) | Operand::Result(_) => None,
    }
}
