//! What is asked of those who stand for values.

use program::{BinaryOp, FloatKind, Type};

/// How bits are read as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    Unsigned,
    Signed,
}

/// What a value is a value of. Pointers are integers of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Int(u32),
    Float(FloatKind),
}

impl Scalar {
    pub fn width(self) -> u32 {
        match self {
            Scalar::Int(width) => width,
            Scalar::Float(kind) => float_width(kind),
        }
    }

    /// `None` for what has parts.
    pub fn of(ty: &Type) -> Option<Scalar> {
        match ty {
            Type::Int(bits) => Some(Scalar::Int(*bits)),
            Type::Pointer => Some(Scalar::Int(64)),
            Type::Float(kind) => Some(Scalar::Float(*kind)),
            Type::Void | Type::Vector { .. } | Type::Array { .. } | Type::Struct { .. } => None,
        }
    }
}

pub const fn float_width(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Single => 32,
        FloatKind::Double => 64,
        FloatKind::X87 => 80,
        FloatKind::Quad => 128,
    }
}

/// Values are runs of bits, integers and encodings of floats alike. Each operation is told their width; bits beyond it are
/// zero in what is given and in what is returned. Every operation is total.
pub trait Domain {
    type Value: Clone;
    /// What holds or does not.
    type Truth: Clone;

    fn number(&self, width: u32, value: u64) -> Self::Value;
    fn truth(&self, holds: bool) -> Self::Truth;

    fn both(&self, a: &Self::Truth, b: &Self::Truth) -> Self::Truth;
    fn either(&self, a: &Self::Truth, b: &Self::Truth) -> Self::Truth;
    fn not(&self, a: &Self::Truth) -> Self::Truth;
    /// `then` where it holds, else `otherwise`.
    fn choose(&self, holds: &Self::Truth, then: &Self::Value, otherwise: &Self::Value) -> Self::Value;

    fn add(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    fn subtract(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    fn multiply(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Rounded towards zero. By zero, and where the quotient does not fit, it is any value.
    fn divide(&self, reading: Reading, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Of that division.
    fn remainder(&self, reading: Reading, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// Whether the product does not fit.
    fn product_overflows(&self, reading: Reading, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    /// By an amount below the width: the saved IR has no other. By any other it is any value.
    fn shift_left(&self, width: u32, a: &Self::Value, amount: &Self::Value) -> Self::Value;
    /// Likewise; signed, the sign moves in.
    fn shift_right(&self, reading: Reading, width: u32, a: &Self::Value, amount: &Self::Value) -> Self::Value;
    fn and(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    fn or(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;
    fn exclusive_or(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Value;

    fn equal(&self, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    fn less(&self, reading: Reading, width: u32, a: &Self::Value, b: &Self::Value) -> Self::Truth;

    /// The lowest `to` bits.
    fn cut(&self, from: u32, to: u32, value: &Self::Value) -> Self::Value;
    /// The same number in no fewer bits.
    fn widen(&self, reading: Reading, from: u32, to: u32, value: &Self::Value) -> Self::Value;

    /// The float operations of [`BinaryOp`].
    fn float_binary(&self, op: BinaryOp, kind: FloatKind, a: &Self::Value, b: &Self::Value) -> Self::Value;
    fn float_equal(&self, kind: FloatKind, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    fn float_less(&self, kind: FloatKind, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    fn float_less_or_equal(&self, kind: FloatKind, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    /// Whether one of them is no number.
    fn float_unordered(&self, kind: FloatKind, a: &Self::Value, b: &Self::Value) -> Self::Truth;
    /// Rounded to nearest even.
    fn float_convert(&self, from: FloatKind, to: FloatKind, value: &Self::Value) -> Self::Value;
    fn float_to_integer(&self, reading: Reading, from: FloatKind, to: u32, value: &Self::Value) -> Self::Value;
    fn integer_to_float(&self, reading: Reading, from: u32, to: FloatKind, value: &Self::Value) -> Self::Value;

    /// How many bits are set. What follows is written bit by bit for domains that have nothing better.
    fn count_ones(&self, width: u32, a: &Self::Value) -> Self::Value {
        let one = self.number(width, 1);
        (0..width).fold(self.number(width, 0), |count, at| {
            let more = self.add(width, &count, &one);
            self.choose(&self.bit(width, a, at), &more, &count)
        })
    }

    /// Zeros above the highest bit that is set; the width, where none is.
    fn leading_zeros(&self, width: u32, a: &Self::Value) -> Self::Value {
        (0..width).fold(self.number(width, u64::from(width)), |count, at| {
            let here = self.number(width, u64::from(width - 1 - at));
            self.choose(&self.bit(width, a, at), &here, &count)
        })
    }

    /// Zeros below the lowest bit that is set; the width, where none is.
    fn trailing_zeros(&self, width: u32, a: &Self::Value) -> Self::Value {
        (0..width).rev().fold(self.number(width, u64::from(width)), |count, at| {
            let here = self.number(width, u64::from(at));
            self.choose(&self.bit(width, a, at), &here, &count)
        })
    }

    fn reverse_bits(&self, width: u32, a: &Self::Value) -> Self::Value {
        self.reverse_units(1, width, a)
    }

    fn swap_bytes(&self, width: u32, a: &Self::Value) -> Self::Value {
        self.reverse_units(8, width, a)
    }

    /// Whether a bit is set.
    fn bit(&self, width: u32, a: &Self::Value, at: u32) -> Self::Truth {
        let alone = self.and(width, a, &self.bit_alone(width, at));
        self.not(&self.equal(width, &alone, &self.number(width, 0)))
    }

    /// Only this bit.
    fn bit_alone(&self, width: u32, at: u32) -> Self::Value {
        self.shift_left(width, &self.number(width, 1), &self.number(width, u64::from(at)))
    }

    /// Units of so many bits in the other order.
    fn reverse_units(&self, unit: u32, width: u32, a: &Self::Value) -> Self::Value {
        let bits = (0..width).map(|at| (at, width - unit - at / unit * unit + at % unit));
        bits.fold(self.number(width, 0), |all, (from, to)| {
            let more = self.or(width, &all, &self.bit_alone(width, to));
            self.choose(&self.bit(width, a, from), &more, &all)
        })
    }
}
