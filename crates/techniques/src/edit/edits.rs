//! Which edits are tried of a condition or an assignment.

use std::collections::HashSet;

use abi::{Edit, InstructionId, Operation, Rewrite};
use program::{ConstantOp, Function, Making, Op, Operand, Type, making, scalar_bits};

use subject::Fineness;

const WHOLE: [Operation; 6] = [
    Operation::Less,
    Operation::LessOrEqual,
    Operation::Greater,
    Operation::GreaterOrEqual,
    Operation::Equal,
    Operation::NotEqual,
];
const UNSIGNED: [Operation; 6] = [
    Operation::Below,
    Operation::BelowOrEqual,
    Operation::Above,
    Operation::AboveOrEqual,
    Operation::Equal,
    Operation::NotEqual,
];
const FLOAT: [Operation; 6] = [
    Operation::FloatLess,
    Operation::FloatLessOrEqual,
    Operation::FloatGreater,
    Operation::FloatGreaterOrEqual,
    Operation::FloatEqual,
    Operation::FloatNotEqual,
];
const ARITHMETIC: [Operation; 4] = [Operation::Plus, Operation::Minus, Operation::Times, Operation::Divide];
const DIVISIONS: [Operation; 3] = [Operation::Divide, Operation::Remainder, Operation::Times];
const UNSIGNED_DIVISIONS: [Operation; 3] = [Operation::DivideUnsigned, Operation::RemainderUnsigned, Operation::Times];
const BITWISE: [Operation; 3] = [Operation::And, Operation::Or, Operation::Xor];
const SHIFTS: [Operation; 2] = [Operation::ShiftLeft, Operation::ShiftRight];
const FLOAT_ARITHMETIC: [Operation; 4] =
    [Operation::FloatPlus, Operation::FloatMinus, Operation::FloatTimes, Operation::FloatDivide];

/// The likelier ones first. `assigned`: where an assignment can be left out, since the variable has a value already.
pub fn edits(function: &Function, assigned: &HashSet<InstructionId>, id: InstructionId) -> Vec<(Edit, Fineness)> {
    match &function.instruction(id).op {
        Op::Branch { condition, .. } => conditions(function, condition, 1),
        Op::Store { value, value_type, .. } => {
            let Some(bits) = scalar_bits(value_type) else { return Vec::new() };
            let made = making(function, value);
            if made.as_ref().is_some_and(|made| is_comparison(made.operation)) {
                return conditions(function, value, bits);
            }
            let mut all = Vec::new();
            if let Some(made) = &made {
                all.extend(arithmetic(made, bits));
            }
            let neither = |rewrite, number| plain(rewrite, bits, number);
            match value_type {
                Type::Int(_) => {
                    // A number that is written there may be the wrong one; yes and no are decided elsewhere.
                    let is_number = constant(value).is_some_and(|number| number > 1);
                    let fineness = if is_number { Fineness::Fine } else { Fineness::Crude };
                    all.extend([1, u64::MAX].map(|number| (neither(Rewrite::Add, number), fineness)));
                    // What one more or less makes of a number need not be tried again.
                    let is_new = |number: &u64| constant(value).is_none_or(|known| known.abs_diff(*number) > 1);
                    let others = constant(value).into_iter().flat_map(mistaken_for);
                    all.extend(others.map(|number| (neither(Rewrite::Constant, number), Fineness::Fine)));
                    let numbers = [0, 1].into_iter().filter(is_new);
                    all.extend(numbers.map(|number| (neither(Rewrite::Constant, number), Fineness::Crude)));
                }
                Type::Float(_) => all.push((neither(Rewrite::Constant, 0), Fineness::Crude)),
                _ => {}
            }
            if assigned.contains(&id) {
                all.push((neither(Rewrite::Keep, 0), Fineness::Crude));
            }
            all
        }
        _ => Vec::new(),
    }
}

fn plain(rewrite: Rewrite, bits: u8, number: u64) -> Edit {
    Edit { rewrite, operation: Operation::Equal, width: 64, bits, number }
}

/// Of what is true or false.
fn conditions(function: &Function, condition: &Operand, bits: u8) -> Vec<(Edit, Fineness)> {
    let mut all = Vec::new();
    match making(function, condition).filter(|made| is_comparison(made.operation)) {
        Some(made) => all.extend(comparisons(&made, bits).into_iter().map(|edit| (edit, Fineness::Fine))),
        None => all.push((plain(Rewrite::Not, bits, 0), Fineness::Fine)),
    }
    all.extend([0, 1].map(|number| (plain(Rewrite::Constant, bits, number), Fineness::Decided)));
    all
}

/// A number that is written as such.
fn constant(value: &Operand) -> Option<u64> {
    let Operand::Constant(constant) = value else { return None };
    match constant.op {
        ConstantOp::Zero => Some(0),
        ConstantOp::Scalar(number) => Some(number),
        _ => None,
    }
}

fn comparisons(made: &Making<'_>, bits: u8) -> Vec<Edit> {
    let family = match made.operation {
        written if FLOAT.contains(&written) => FLOAT,
        Operation::Below | Operation::BelowOrEqual | Operation::Above | Operation::AboveOrEqual => UNSIGNED,
        _ => WHOLE,
    };
    let width = made.width();
    let compute = |operation, number| Edit { rewrite: Rewrite::Compute, operation, width, bits, number };
    let mut others: Vec<Operation> = family.into_iter().filter(|other| *other != made.operation).collect();
    if matches!(made.ty, Type::Pointer) {
        others.retain(|other| matches!(other, Operation::Equal | Operation::NotEqual));
    }
    // With and without the equal ones is the commonest mistake.
    others.sort_by_key(|other| !is_neighbour(made.operation, *other));
    let mut all: Vec<Edit> = others.into_iter().map(|other| compute(other, 0)).collect();
    if matches!(made.ty, Type::Int(_)) {
        // One of the two is another comparison in disguise.
        let shifts: &[u64] = match made.operation {
            Operation::Less | Operation::GreaterOrEqual | Operation::Below | Operation::AboveOrEqual => &[u64::MAX],
            Operation::LessOrEqual | Operation::Greater | Operation::BelowOrEqual | Operation::Above => &[1],
            _ => &[1, u64::MAX],
        };
        all.extend(shifts.iter().map(|&shift| compute(made.operation, shift)));
        all.extend(other_second(made).map(|shift| compute(made.operation, shift)));
    }
    all
}

/// What to add to the second operand, if that is a number that is written there, to make it another one.
fn other_second(made: &Making<'_>) -> impl Iterator<Item = u64> {
    let written = constant(made.second);
    written.into_iter().flat_map(|written| mistaken_for(written).map(move |other| other.wrapping_sub(written)))
}

/// What is as large as this is hardly a number that somebody counted with.
const LARGE: u64 = 1 << 32;

/// Numbers that this one is written for by mistake: twice or half as much, a digit more or less.
fn mistaken_for(written: u64) -> impl Iterator<Item = u64> {
    let others = [written.checked_mul(2), Some(written / 2), written.checked_mul(10), Some(written / 10)];
    // One more or less is tried anyway.
    others.into_iter().flatten().filter(move |other| written < LARGE && *other > 0 && other.abs_diff(written) > 1)
}

fn arithmetic(made: &Making<'_>, bits: u8) -> Vec<(Edit, Fineness)> {
    let families: [&[Operation]; 6] =
        [&ARITHMETIC, &DIVISIONS, &UNSIGNED_DIVISIONS, &BITWISE, &SHIFTS, &FLOAT_ARITHMETIC];
    let width = made.width();
    let edit = |rewrite, operation, number| Edit { rewrite, operation, width, bits, number };
    let mut operations: Vec<Operation> = Vec::new();
    for &other in families.into_iter().filter(|family| family.contains(&made.operation)).flatten() {
        if other != made.operation && !operations.contains(&other) {
            operations.push(other);
        }
    }
    let mut all: Vec<Edit> = operations.into_iter().map(|other| edit(Rewrite::Compute, other, 0)).collect();
    if matches!(made.ty, Type::Int(_)) {
        all.extend([1, u64::MAX].map(|shift| edit(Rewrite::Compute, made.operation, shift)));
        all.extend(other_second(made).map(|shift| edit(Rewrite::Compute, made.operation, shift)));
    }
    all.extend([Rewrite::First, Rewrite::Second].map(|rewrite| edit(rewrite, made.operation, 0)));
    if matches!(
        made.operation,
        Operation::Minus | Operation::Divide | Operation::Remainder | Operation::FloatMinus | Operation::FloatDivide
    ) {
        all.push(edit(Rewrite::Reversed, made.operation, 0));
    }
    all.into_iter().map(|edit| (edit, Fineness::Fine)).collect()
}

pub fn is_comparison(operation: Operation) -> bool {
    [WHOLE, UNSIGNED, FLOAT].iter().any(|family| family.contains(&operation))
}

/// Whether two comparisons differ only in the equal ones.
fn is_neighbour(a: Operation, b: Operation) -> bool {
    [WHOLE, UNSIGNED, FLOAT].iter().any(|family| {
        let at = |operation| family[..4].iter().position(|other| *other == operation);
        matches!((at(a), at(b)), (Some(a), Some(b)) if a / 2 == b / 2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_in_the_equal_ones() {
        assert!(is_neighbour(Operation::Less, Operation::LessOrEqual));
        assert!(is_neighbour(Operation::FloatGreaterOrEqual, Operation::FloatGreater));
        assert!(!is_neighbour(Operation::Less, Operation::Greater));
        assert!(!is_neighbour(Operation::Less, Operation::BelowOrEqual));
        assert!(!is_neighbour(Operation::Equal, Operation::NotEqual));
    }

    #[test]
    fn numbers_are_mistaken_for_others() {
        assert_eq!(mistaken_for(12).collect::<Vec<_>>(), [24, 6, 120, 1]);
        assert_eq!(mistaken_for(720).collect::<Vec<_>>(), [1440, 360, 7200, 72]);
        assert_eq!(mistaken_for(2).collect::<Vec<_>>(), [4, 20]);
        assert_eq!((mistaken_for(0).count(), mistaken_for(-5_i64 as u64).count()), (0, 0));
    }
}
