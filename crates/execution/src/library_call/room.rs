//! How much room there is behind a pointer, as far as the program's text shows.

use program::{Constant, ConstantOp, Function, Module, Op, Operand};

/// Bytes from where a pointer points to the end of the variable it points into; of an array indexed at run time, all its
/// bytes. `None` if the text does not name the variable.
pub(super) fn room(module: &Module, function: &Function, pointer: &Operand) -> Option<u64> {
    match pointer {
        Operand::Parameter(_) => None,
        Operand::Constant(constant) => room_of_constant(module, constant),
        Operand::Result(id) => match &function.instruction(*id).op {
            Op::Alloca { size, count: Operand::Constant(count), .. } => match count.op {
                ConstantOp::Scalar(count) => size.checked_mul(count),
                _ => None,
            },
            Op::ElementPointer { base, offset, indices, .. } => {
                let room = room(module, function, base)?;
                if indices.is_empty() { room.checked_sub(u64::try_from(*offset).ok()?) } else { Some(room) }
            }
            _ => None,
        },
    }
}

fn room_of_constant(module: &Module, constant: &Constant) -> Option<u64> {
    match &constant.op {
        ConstantOp::Address(position) => {
            module.globals.get(*position as usize).map(|global| global.size).filter(|&size| size > 0)
        }
        ConstantOp::Offset(base, offset) => room_of_constant(module, base)?.checked_sub(u64::try_from(*offset).ok()?),
        _ => None,
    }
}
