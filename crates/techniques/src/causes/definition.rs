//! Whether a variable decides *where* a statement reads, rather than what is computed from it.
//!
//! The rule *Definition* needs both runs to use the same variables. Where an address is made from what differs, they read
//! different ones, and only an experiment tells what the statement would have made.

use std::collections::HashSet;

use abi::InstructionId;
use execution::Functions;
use program::{ConstantOp, Function, Op, Operand};
use replay::Step;

/// A variable that is named by the program, without a pointer or an index that could lead elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Leaf {
    Local(InstructionId),
    /// By its position among the module's globals.
    Global(u32),
    /// Whatever it is.
    Other,
}

/// Whether what `from` stored may be part of an address that `to` reads or writes at. Where that cannot be told, it may.
pub fn feeds_address(functions: &Functions<'_>, from: Step, to: Step) -> bool {
    let function = functions.function(to.site.function);
    let mut reading = Reading { function, in_addresses: Vec::new(), seen: HashSet::new() };
    match &function.instruction(to.site.instruction).op {
        Op::Store { value, address, .. } => {
            reading.value(value);
            reading.address(address);
        }
        Op::Branch { condition: value, .. } | Op::Switch { value, .. } => reading.value(value),
        _ => return true,
    }
    if reading.in_addresses.is_empty() {
        return false;
    }
    let stored = match &functions.instruction(from.site).op {
        Op::Store { address, .. } => direct(functions.function(from.site.function), address),
        _ => Leaf::Other,
    };
    let is_same_frame = (from.site.function, from.depth) == (to.site.function, to.depth);
    match stored {
        Leaf::Local(_) if is_same_frame => reading.in_addresses.contains(&stored),
        Leaf::Global(_) if from.site.function.module == to.site.function.module => {
            reading.in_addresses.iter().any(|leaf| *leaf == stored || *leaf == Leaf::Other)
        }
        // Written through a pointer, or by another function.
        _ => true,
    }
}

/// Whether a store's place is not plain from the program's text.
pub fn stores_indirectly(functions: &Functions<'_>, at: Step) -> bool {
    let function = functions.function(at.site.function);
    match &function.instruction(at.site.instruction).op {
        Op::Store { address, .. } => direct(function, address) == Leaf::Other,
        _ => false,
    }
}

/// The variables that a statement's addresses are made from.
struct Reading<'f> {
    function: &'f Function,
    in_addresses: Vec<Leaf>,
    seen: HashSet<(InstructionId, bool)>,
}

impl Reading<'_> {
    fn value(&mut self, operand: &Operand) {
        self.follow(operand, false);
    }

    /// An address that something is read from or written to.
    fn address(&mut self, operand: &Operand) {
        if direct(self.function, operand) == Leaf::Other {
            self.follow(operand, true);
        }
    }

    fn follow(&mut self, operand: &Operand, in_address: bool) {
        let id = match operand {
            Operand::Result(id) => *id,
            // The caller may have read it from anywhere.
            Operand::Parameter(_) => return self.in_addresses.push(Leaf::Other),
            Operand::Constant(_) => return,
        };
        if !self.seen.insert((id, in_address)) {
            return;
        }
        match &self.function.instruction(id).op {
            Op::Load { address, .. } => {
                if in_address {
                    self.in_addresses.push(direct(self.function, address));
                }
                self.address(address);
            }
            Op::Call(_) | Op::Invoke { .. } if in_address => self.in_addresses.push(Leaf::Other),
            Op::Call(_) | Op::Invoke { .. } | Op::Alloca { .. } => {}
            op => {
                let mut operands = Vec::new();
                op.for_each_operand(|operand| operands.push(operand.clone()));
                operands.iter().for_each(|operand| self.follow(operand, in_address));
            }
        }
    }
}

/// The variable an address is that of, if that is plain; with constant offsets for fields and elements.
fn direct(function: &Function, address: &Operand) -> Leaf {
    match address {
        Operand::Parameter(_) => Leaf::Other,
        Operand::Constant(constant) => {
            let mut op = &constant.op;
            while let ConstantOp::Offset(base, _) = op {
                op = &base.op;
            }
            if let ConstantOp::Address(position) = op { Leaf::Global(*position) } else { Leaf::Other }
        }
        Operand::Result(id) => match &function.instruction(*id).op {
            Op::Alloca { .. } => Leaf::Local(*id),
            Op::ElementPointer { base, indices, .. }
                if indices.iter().all(|element| matches!(element.index, Operand::Constant(_))) =>
            {
                direct(function, base)
            }
            _ => Leaf::Other,
        },
    }
}
