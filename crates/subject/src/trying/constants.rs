//! Constants that the program itself puts into a variable, or compares it with: what else the variable may hold.

use std::collections::{BTreeSet, HashMap};

use abi::InstructionId;
use execution::Run;
use program::{ConstantOp, Function, FunctionKey, Op, Operand, Type};
use replay::ReplayError;

/// A variable, or a part of a structure, as far as the program's text tells them apart.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Variable {
    Global { module: u32, address: u32 },
    Member { structure: Type, offset: i64 },
    Local { function: FunctionKey, variable: InstructionId },
}

/// What is compared with more than this is no choice between a few.
const MOST: usize = 12;

#[derive(Default)]
pub struct Constants {
    by_variable: HashMap<Variable, BTreeSet<u64>>,
}

impl Constants {
    pub fn of(run: &Run<'_>) -> Result<Constants, ReplayError> {
        let mut found = Constants::default();
        let image = run.functions.image();
        for module in 0..image.module_count() {
            for function in &image.module(module)?.functions {
                found.add(FunctionKey { module: module as u32, function: function.id }, function);
            }
        }
        Ok(found)
    }

    fn add(&mut self, key: FunctionKey, function: &Function) {
        let mut note = |variable: Option<Variable>, value: Option<u64>| {
            if let (Some(variable), Some(value)) = (variable, value) {
                self.by_variable.entry(variable).or_default().insert(value);
            }
        };
        for instruction in &function.instructions {
            match &instruction.op {
                Op::Store { value, address, .. } => note(variable(key, function, address), scalar(value)),
                Op::ICmp { lhs, rhs, .. } => {
                    note(loaded(key, function, lhs), scalar(rhs));
                    note(loaded(key, function, rhs), scalar(lhs));
                }
                Op::Switch { value, cases, .. } => {
                    for (case, _) in cases {
                        note(loaded(key, function, value), Some(*case));
                    }
                }
                _ => {}
            }
        }
    }

    /// Of the variable that a load reads; nothing if there are many.
    pub fn of_load(&self, run: &Run<'_>, key: FunctionKey, load: InstructionId) -> Vec<u64> {
        let found = loaded(key, run.functions.function(key), &Operand::Result(load));
        let values = found.and_then(|variable| self.by_variable.get(&variable)).filter(|values| values.len() <= MOST);
        values.into_iter().flatten().copied().collect()
    }
}

/// The variable that a value was read from.
fn loaded(key: FunctionKey, function: &Function, value: &Operand) -> Option<Variable> {
    let Operand::Result(id) = value else { return None };
    match &function.instruction(*id).op {
        Op::Load { address, .. } => variable(key, function, address),
        Op::Cast { value, .. } => loaded(key, function, value),
        _ => None,
    }
}

/// The variable at an address.
fn variable(key: FunctionKey, function: &Function, address: &Operand) -> Option<Variable> {
    match address {
        Operand::Constant(constant) => match &constant.op {
            ConstantOp::Address(address) => Some(Variable::Global { module: key.module, address: *address }),
            _ => None,
        },
        Operand::Result(id) => match &function.instruction(*id).op {
            Op::Alloca { .. } => Some(Variable::Local { function: key, variable: *id }),
            Op::ElementPointer { stepped: stepped @ Type::Struct { .. }, offset, indices, .. }
                if indices.is_empty() =>
            {
                Some(Variable::Member { structure: stepped.clone(), offset: *offset })
            }
            _ => None,
        },
        Operand::Parameter(_) => None,
    }
}

fn scalar(value: &Operand) -> Option<u64> {
    let Operand::Constant(constant) = value else { return None };
    match (&constant.ty, &constant.op) {
        (Type::Int(_), ConstantOp::Scalar(value)) => Some(*value),
        (Type::Int(_), ConstantOp::Zero) => Some(0),
        _ => None,
    }
}
