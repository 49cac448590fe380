//! The operation that made what is stored or branched on: what an edit of that place can do otherwise.

use abi::Operation;

use crate::model::{Function, Op, Operand};
use crate::operator::{BinaryOp, CastOp, FCmp, ICmp};
use crate::types::{FloatKind, Type};

#[derive(Clone, Debug)]
pub struct Making<'f> {
    pub operation: Operation,
    pub first: &'f Operand,
    pub second: &'f Operand,
    /// Of the operands.
    pub ty: &'f Type,
}

impl Making<'_> {
    /// Bits of an operand.
    pub fn width(&self) -> u8 {
        scalar_bits(self.ty).unwrap_or(64)
    }
}

/// Comparisons and arithmetic on up to 64 bits, the result widened or cut once at most. The instrumentation passes the same
/// two operands to the runtime (`operands` in `pass`).
pub fn making<'f>(function: &'f Function, value: &Operand) -> Option<Making<'f>> {
    let Operand::Result(id) = value else { return None };
    let mut instruction = function.instruction(*id);
    if let Op::Cast { op: CastOp::ZExt | CastOp::Trunc, value: Operand::Result(inner), .. } = &instruction.op {
        instruction = function.instruction(*inner);
    }
    let (operation, first, second, ty) = match &instruction.op {
        Op::Binary { op, lhs, rhs } => (arithmetic(*op)?, lhs, rhs, &instruction.ty),
        Op::ICmp { op, lhs, rhs, operand_type } => (comparison(*op), lhs, rhs, operand_type),
        Op::FCmp { op, lhs, rhs, operand_type } => (float_comparison(*op)?, lhs, rhs, operand_type),
        _ => return None,
    };
    scalar_bits(ty).map(|_| Making { operation, first, second, ty })
}

/// Bits of a value that fits into a word.
pub fn scalar_bits(ty: &Type) -> Option<u8> {
    match ty {
        Type::Pointer | Type::Float(FloatKind::Double) => Some(64),
        Type::Float(FloatKind::Single) => Some(32),
        Type::Int(bits @ 1..=64) => Some(*bits as u8),
        _ => None,
    }
}

fn comparison(op: ICmp) -> Operation {
    match op {
        ICmp::Eq => Operation::Equal,
        ICmp::Ne => Operation::NotEqual,
        ICmp::Ugt => Operation::Above,
        ICmp::Uge => Operation::AboveOrEqual,
        ICmp::Ult => Operation::Below,
        ICmp::Ule => Operation::BelowOrEqual,
        ICmp::Sgt => Operation::Greater,
        ICmp::Sge => Operation::GreaterOrEqual,
        ICmp::Slt => Operation::Less,
        ICmp::Sle => Operation::LessOrEqual,
    }
}

fn float_comparison(op: FCmp) -> Option<Operation> {
    Some(match op {
        FCmp::Oeq => Operation::FloatEqual,
        FCmp::Une => Operation::FloatNotEqual,
        FCmp::Ogt => Operation::FloatGreater,
        FCmp::Oge => Operation::FloatGreaterOrEqual,
        FCmp::Olt => Operation::FloatLess,
        FCmp::Ole => Operation::FloatLessOrEqual,
        _ => return None,
    })
}

fn arithmetic(op: BinaryOp) -> Option<Operation> {
    Some(match op {
        BinaryOp::Add => Operation::Plus,
        BinaryOp::Sub => Operation::Minus,
        BinaryOp::Mul => Operation::Times,
        BinaryOp::UDiv => Operation::DivideUnsigned,
        BinaryOp::SDiv => Operation::Divide,
        BinaryOp::URem => Operation::RemainderUnsigned,
        BinaryOp::SRem => Operation::Remainder,
        BinaryOp::Shl => Operation::ShiftLeft,
        BinaryOp::LShr => Operation::ShiftRight,
        BinaryOp::AShr => Operation::ShiftRightSigned,
        BinaryOp::And => Operation::And,
        BinaryOp::Or => Operation::Or,
        BinaryOp::Xor => Operation::Xor,
        BinaryOp::FAdd => Operation::FloatPlus,
        BinaryOp::FSub => Operation::FloatMinus,
        BinaryOp::FMul => Operation::FloatTimes,
        BinaryOp::FDiv => Operation::FloatDivide,
        BinaryOp::FRem => return None,
    })
}
