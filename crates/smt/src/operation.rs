//! What operations compute, on numbers of 1 to 128 bits. Each has the meaning that SMT-LIB gives it, so all are total: a
//! quotient by zero is all ones, a remainder by zero the dividend, a shift by the width or more leaves only filling.
//!
//! Numbers are kept in the low bits of a `u128`; the bits above are zero.

/// How a term is made of others. What is missing here is made of these: signed divisions, negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Operation {
    Constant,
    Symbol,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    ShiftRightArithmetic,
    And,
    Or,
    Xor,
    Not,
    Equal,
    LessUnsigned,
    LessSigned,
    /// The first operand has the high bits.
    Concat,
    /// Bits of the operand from a lowest one on.
    Extract,
    ZeroExtend,
    SignExtend,
    /// A condition of one bit, what is taken if it is 1, what is taken if it is 0.
    Choose,
    /// An entry of a constant table; zero behind its end.
    Table,
}

impl Operation {
    /// How many terms it is applied to.
    pub fn operands(self) -> usize {
        match self {
            Operation::Constant | Operation::Symbol => 0,
            Operation::Not | Operation::Extract | Operation::ZeroExtend | Operation::SignExtend | Operation::Table => 1,
            Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Divide
            | Operation::Remainder
            | Operation::ShiftLeft
            | Operation::ShiftRight
            | Operation::ShiftRightArithmetic
            | Operation::And
            | Operation::Or
            | Operation::Xor
            | Operation::Equal
            | Operation::LessUnsigned
            | Operation::LessSigned
            | Operation::Concat => 2,
            Operation::Choose => 3,
        }
    }
}

pub const WIDEST: u32 = 128;

/// Ones in the low bits.
#[inline]
pub const fn ones(width: u32) -> u128 {
    if width >= WIDEST { u128::MAX } else { (1 << width) - 1 }
}

/// The bit that says that a number is negative, if it is read as signed.
#[inline]
pub fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

/// The number as signed.
#[inline]
pub fn signed(width: u32, value: u128) -> i128 {
    let unused = WIDEST - width;
    ((value << unused) as i128) >> unused
}

/// The number, extended by copies of its sign.
#[inline]
pub fn sign_extended(from: u32, to: u32, value: u128) -> u128 {
    signed(from, value) as u128 & ones(to)
}

/// An amount to shift by, if anything of the number remains.
#[inline]
fn amount(width: u32, by: u128) -> Option<u32> {
    (by < u128::from(width)).then_some(by as u32)
}

/// What an operation on two numbers of one width computes: a number of this width, or one bit if it compares.
#[inline]
pub fn binary(operation: Operation, width: u32, a: u128, b: u128) -> u128 {
    let result = match operation {
        Operation::Add => a.wrapping_add(b),
        Operation::Subtract => a.wrapping_sub(b),
        Operation::Multiply => a.wrapping_mul(b),
        Operation::Divide => a.checked_div(b).unwrap_or(u128::MAX),
        Operation::Remainder => a.checked_rem(b).unwrap_or(a),
        Operation::ShiftLeft => amount(width, b).map_or(0, |by| a << by),
        Operation::ShiftRight => amount(width, b).map_or(0, |by| a >> by),
        Operation::ShiftRightArithmetic => (signed(width, a) >> amount(width, b).unwrap_or(width - 1)) as u128,
        Operation::And => a & b,
        Operation::Or => a | b,
        Operation::Xor => a ^ b,
        Operation::Equal => return u128::from(a == b),
        Operation::LessUnsigned => return u128::from(a < b),
        Operation::LessSigned => return u128::from(signed(width, a) < signed(width, b)),
        Operation::Constant
        | Operation::Symbol
        | Operation::Not
        | Operation::Concat
        | Operation::Extract
        | Operation::ZeroExtend
        | Operation::SignExtend
        | Operation::Choose
        | Operation::Table => unreachable!("{operation:?} has no two operands of one width"),
    };
    result & ones(width)
}
