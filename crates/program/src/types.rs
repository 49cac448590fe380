//! Types of values, with their layout in memory.

use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    /// 80-bit x87; ten bytes in memory.
    X87,
    /// IEEE quadruple precision (`__float128`).
    Quad,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Int(u32),
    Float(FloatKind),
    Pointer,
    Vector {
        element: Arc<Type>,
        count: u64,
        store_size: u64,
    },
    Array {
        element: Arc<Type>,
        count: u64,
        stride: u64,
    },
    /// Fields with their offsets in bytes.
    Struct {
        fields: Arc<[(Type, u64)]>,
        size: u64,
    },
}

impl Type {
    /// Bytes a store of this type writes, and so bytes it takes in a log.
    pub fn store_size(&self) -> u64 {
        match self {
            Type::Void => 0,
            Type::Int(bits) => u64::from(bits.div_ceil(8)),
            Type::Float(FloatKind::Half | FloatKind::BFloat) => 2,
            Type::Float(FloatKind::Single) => 4,
            Type::Float(FloatKind::Double) | Type::Pointer => 8,
            Type::Float(FloatKind::X87) => 10,
            Type::Float(FloatKind::Quad) => 16,
            Type::Vector { store_size, .. } => *store_size,
            Type::Array { count, stride, .. } => count * stride,
            Type::Struct { size, .. } => *size,
        }
    }

    /// Whether a value fits a 64-bit register of the replay: integers up to 64 bits, pointers, floats, doubles.
    pub fn is_scalar64(&self) -> bool {
        match self {
            Type::Int(bits) => *bits <= 64,
            Type::Float(FloatKind::Single | FloatKind::Double | FloatKind::Half | FloatKind::BFloat)
            | Type::Pointer => true,
            _ => false,
        }
    }
}
