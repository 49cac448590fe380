//! Whom a call may reach, by names and types.

use crate::FunctionKey;

use super::place::VariableId;
use super::{Names, Potential};
use crate::{Call, CallKind, Callee, Constant, ConstantOp, Linkage, Module, Operand};

/// Whom a call may reach.
pub(super) struct Callees<'m> {
    pub functions: Vec<FunctionKey>,
    /// Outside code, by name where it is known.
    pub outside: Option<Option<&'m str>>,
}

pub(super) fn names(modules: &[&Module]) -> Names {
    let mut names = Names::default();
    for (module, position) in modules.iter().zip(0..) {
        for global in &module.globals[module.functions.len().min(module.globals.len())..] {
            let next = VariableId(names.variables.len() as u32);
            names.variables.entry(global.name.clone()).or_insert(next);
        }
        let mut taken = address_taken(module);
        for (global, taken) in module.globals.iter().zip(&mut taken) {
            *taken |= global.address_in_initializer;
        }
        for (function, taken) in module.functions.iter().zip(taken) {
            let named = FunctionKey { module: position, function: function.id };
            match function.linkage {
                Linkage::Outside | Linkage::Closed => continue,
                Linkage::Open => names.functions.entry(function.name.clone()).or_default().push(named),
            }
            if taken {
                names.address_taken.entry(function.type_hash).or_default().push(named);
            }
        }
    }
    names
}

impl<'m> Potential<'m> {
    pub(super) fn callees(&self, function: FunctionKey, call: &Call) -> Callees<'m> {
        let module: &'m Module = self.modules[function.module as usize];
        match (&call.callee, call.kind) {
            (_, CallKind::Computed | CallKind::Ignored | CallKind::Memory) => {
                Callees { functions: Vec::new(), outside: None }
            }
            (Callee::Function(id), _) => {
                let callee = module.function(*id);
                if callee.linkage != Linkage::Outside {
                    let functions = vec![FunctionKey { module: function.module, function: *id }];
                    return Callees { functions, outside: None };
                }
                match self.names.functions.get(&callee.name) {
                    Some(functions) => Callees { functions: functions.clone(), outside: None },
                    None => Callees { functions: Vec::new(), outside: Some(Some(&callee.name)) },
                }
            }
            // What an alias stands for is not in the model, and an address may be anybody's of that type.
            (Callee::Symbol(_) | Callee::Pointer(_), _) => {
                let functions = self.names.address_taken.get(&call.type_hash).cloned().unwrap_or_default();
                Callees { functions, outside: Some(None) }
            }
            (Callee::Assembly, _) => Callees { functions: Vec::new(), outside: Some(None) },
        }
    }

    /// Functions of the program that are handed over as arguments, and may be called back.
    pub(super) fn handed_over(&self, function: FunctionKey, call: &Call) -> Vec<FunctionKey> {
        let module = self.modules[function.module as usize];
        let mut handed = Vec::new();
        for argument in &call.arguments {
            if let Operand::Constant(constant) = argument
                && let ConstantOp::Address(position) = constant.op
                && let Some(callee) = module.functions.get(position as usize)
            {
                match self.names.functions.get(&callee.name) {
                    _ if callee.linkage != Linkage::Outside => {
                        handed.push(FunctionKey { module: function.module, function: callee.id });
                    }
                    Some(functions) => handed.extend(functions),
                    None => {}
                }
            }
        }
        handed
    }
}

/// For each global value whether code uses its address other than to call, load or store there.
fn address_taken(module: &Module) -> Vec<bool> {
    let mut taken = vec![false; module.globals.len()];
    for function in &module.functions {
        for instruction in &function.instructions {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    mark(constant, &mut taken);
                }
            });
        }
    }
    taken
}

fn mark(constant: &Constant, taken: &mut [bool]) {
    match &constant.op {
        ConstantOp::Address(position) => {
            if let Some(taken) = taken.get_mut(*position as usize) {
                *taken = true;
            }
        }
        ConstantOp::Aggregate(elements) => elements.iter().for_each(|element| mark(element, taken)),
        ConstantOp::Offset(inner, _) | ConstantOp::Cast(_, inner) => mark(inner, taken),
        ConstantOp::Binary(_, left, right) | ConstantOp::Compare(_, left, right) => {
            mark(left, taken);
            mark(right, taken);
        }
        ConstantOp::Zero | ConstantOp::Scalar(_) | ConstantOp::Bytes(_) => {}
    }
}
