//! The slow path of the interpreter: evaluates one instruction on values of any type, through `wide`.

use program::{Instruction, Intrinsic, Module, Op, Type};

use semantics::wide::{self, Trap};

/// `operands` in the order the instruction names them (for a call, its arguments); `index` is a dynamic element's.
pub fn evaluate(
    module: &Module,
    instruction: &Instruction,
    operands: &[&[u64]],
    index: u64,
    out: &mut [u64],
) -> Result<(), Trap> {
    let ty = &instruction.ty;
    match (&instruction.op, operands) {
        (Op::Binary { op, .. }, [lhs, rhs]) => wide::binary(*op, ty, lhs, rhs, out)?,
        (Op::FNeg { .. }, [value]) => wide::fneg(ty, value, out),
        (Op::ICmp { op, operand_type, .. }, [lhs, rhs]) => wide::icmp(*op, operand_type, lhs, rhs, out),
        (Op::FCmp { op, operand_type, .. }, [lhs, rhs]) => wide::fcmp(*op, operand_type, lhs, rhs, out),
        (Op::Cast { op, from, .. }, [value]) => wide::cast(*op, from, ty, value, out),
        (Op::Select { condition_type, .. }, [condition, then, otherwise]) => {
            wide::select(condition_type, condition, ty, then, otherwise, out);
        }
        (Op::ExtractValue { aggregate_type, path, .. }, [aggregate]) => {
            wide::extract_value(aggregate_type, path, aggregate, out);
        }
        (Op::InsertValue { path, .. }, [aggregate, value]) => wide::insert_value(ty, path, aggregate, value, out),
        (Op::ExtractElement { vector_type, .. }, [vector]) => wide::extract_element(vector_type, vector, index, out),
        (Op::InsertElement { .. }, [vector, element]) => wide::insert_element(ty, vector, element, index, out),
        (Op::Shuffle { operand_type, mask, .. }, [left, right]) => wide::shuffle(operand_type, left, right, mask, out),
        (Op::Call(call), arguments) => {
            let arguments: Vec<(&Type, &[u64])> = call.argument_types.iter().zip(arguments.iter().copied()).collect();
            let is_computed = match module.intrinsic(&call.callee) {
                Some(Intrinsic::Computed(name)) => wide::computed(name, ty, &arguments, out),
                _ => false,
            };
            debug_assert!(is_computed, "an intrinsic is called computed but is not: {:?}", call.callee);
        }
        _ => debug_assert!(false, "compiled with another number of operands"),
    }
    Ok(())
}
