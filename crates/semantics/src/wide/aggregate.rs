//! Fields of structs and elements of arrays.

use program::Type;

use super::width;
use crate::bits;

pub fn extract_value(aggregate_type: &Type, path: &[u32], aggregate: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (ty, offset) = member(aggregate_type, path);
    bits::copy(aggregate, offset * 8, out, 0, width(ty));
}

pub fn insert_value(aggregate_type: &Type, path: &[u32], aggregate: &[u64], value: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (ty, offset) = member(aggregate_type, path);
    bits::copy(aggregate, 0, out, 0, width(aggregate_type));
    bits::copy(value, 0, out, offset * 8, width(ty));
}

/// The type at the end of a path, and its offset in bytes.
pub(super) fn member<'t>(aggregate_type: &'t Type, path: &[u32]) -> (&'t Type, u64) {
    path.iter().fold((aggregate_type, 0), |(ty, offset), &index| match ty {
        Type::Struct { fields, .. } => {
            let (field, at) = &fields[index as usize];
            (field, offset + at)
        }
        Type::Array { element, stride, .. } => (element, offset + u64::from(index) * stride),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer | Type::Vector { .. } => {
            unreachable!("a path into {ty} is no IR")
        }
    })
}
