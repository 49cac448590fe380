//! Constants, as trees: addresses are known only when a run is.

use std::sync::Arc;

use crate::operator::{BinaryOp, CastOp, ICmp};
use crate::types::Type;

#[derive(Clone, PartialEq, Debug)]
pub struct Constant {
    pub ty: Type,
    pub op: ConstantOp,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ConstantOp {
    /// All bytes zero; also null pointers. (`undef` and `poison` were replaced by zero before the IR was saved.)
    Zero,
    /// A scalar of up to 64 bits; upper bits zero.
    Scalar(u64),
    /// A wider scalar (i128, x87, quad), or a packed data sequence, as bytes in memory order.
    Bytes(Arc<[u8]>),
    /// The address at this position of the module descriptor's table.
    Address(u32),
    /// Elements of a struct, array or vector.
    Aggregate(Vec<Constant>),
    /// Pointer plus bytes.
    Offset(Box<Constant>, i64),
    Cast(CastOp, Box<Constant>),
    Binary(BinaryOp, Box<Constant>, Box<Constant>),
    Compare(ICmp, Box<Constant>, Box<Constant>),
}
