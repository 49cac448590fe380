//! Which variables pointers from elsewhere may reach.
//!
//! A variable *is passed* if some call is given a pointer into it, and *escapes* if a pointer into it is stored where it is
//! not followed, returned, turned into a number, or kept by a function it is passed to. A pointer of unknown origin can point
//! only to what escapes; a parameter only to what escapes or is passed.

use std::collections::HashSet;

use crate::FunctionKey;
use budget::{Budget, Spent};

use super::Potential;
use super::outside;
use super::place::Base;
use crate::{CastOp, Op, Operand};

#[derive(Default)]
pub(super) struct Escape {
    escaped: HashSet<Base>,
    passed: HashSet<Base>,
    /// Parameters that are stored, returned in parts, or passed on to be kept.
    kept: HashSet<(FunctionKey, u32)>,
}

impl Escape {
    /// Whether what `pointer` stands for may be this variable.
    pub fn may_point(&self, pointer: &Base, variable: &Base) -> bool {
        let passed = matches!(pointer, Base::Parameter(..)) && self.passed.contains(variable);
        passed || self.escaped.contains(variable)
    }

    fn size(&self) -> usize {
        self.escaped.len() + self.passed.len() + self.kept.len()
    }
}

pub(super) fn escape(potential: &Potential<'_>, budget: &Budget) -> Result<Escape, Spent> {
    let mut escape = Escape::default();
    for module in &potential.modules {
        for global in module.globals.iter().filter(|global| global.address_in_initializer) {
            escape.escaped.extend(potential.variable(&global.name).map(Base::Global));
        }
    }
    // Sets only grow, so this ends.
    loop {
        let before = escape.size();
        for function in potential.all() {
            budget.go_on()?;
            for instruction in &potential.function(function).instructions {
                visit(potential, function, &instruction.op, &mut escape);
            }
        }
        if escape.size() == before {
            return Ok(escape);
        }
    }
}

fn visit(potential: &Potential<'_>, function: FunctionKey, op: &Op, escape: &mut Escape) {
    let module = potential.modules[function.module as usize];
    let pointers = &potential.facts(function).pointers;
    let bases = |operand: &Operand| -> Vec<Base> {
        pointers.targets(module, function, &potential.names, operand).iter().map(|target| target.base).collect()
    };
    let mut lose = |operand: &Operand| {
        for base in bases(operand) {
            match base {
                Base::Parameter(owner, position) => _ = escape.kept.insert((owner, position)),
                Base::Local(..) | Base::Copy(..) | Base::Global(_) => _ = escape.escaped.insert(base),
                Base::Unknown => {}
            }
        }
    };
    match op {
        Op::Store { value, address, .. } => match address {
            Operand::Result(variable) if pointers.follows(*variable) => {}
            _ => lose(value),
        },
        Op::ReadModifyWrite { value, .. } => lose(value),
        Op::CompareExchange { replacement, .. } => lose(replacement),
        Op::Return { value } => value.iter().for_each(lose),
        Op::Cast { op: CastOp::Bitcast, .. } => {}
        Op::Call(call) | Op::Invoke { call, .. } => {
            let callees = potential.callees(function, call);
            let keeps_all = callees.outside.is_some_and(outside::keeps_arguments);
            for (position, argument) in (0..).zip(&call.arguments) {
                let kept = callees.functions.iter().any(|&callee| {
                    match potential.function(callee).parameters.get(position as usize) {
                        Some(parameter) => !parameter.by_value && escape.kept.contains(&(callee, position)),
                        // Read by way of `va_arg`, from memory.
                        None => true,
                    }
                });
                for base in bases(argument).into_iter().filter(Base::is_variable) {
                    escape.passed.insert(base);
                    if kept || keeps_all {
                        escape.escaped.insert(base);
                    }
                }
                if kept || keeps_all {
                    for base in bases(argument) {
                        if let Base::Parameter(owner, position) = base {
                            escape.kept.insert((owner, position));
                        }
                    }
                }
            }
        }
        // Followed, or without pointers in them.
        Op::Alloca { .. }
        | Op::Load { .. }
        | Op::ElementPointer { .. }
        | Op::Phi { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::ICmp { .. }
        | Op::FCmp { .. }
        | Op::Fence
        | Op::LandingPad
        | Op::Jump { .. }
        | Op::Branch { .. }
        | Op::Switch { .. }
        | Op::Unreachable => {}
        Op::Cast { .. }
        | Op::Binary { .. }
        | Op::FNeg { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::ExtractElement { .. }
        | Op::InsertElement { .. }
        | Op::Shuffle { .. }
        | Op::Resume { .. } => op.for_each_operand(lose),
    }
}
