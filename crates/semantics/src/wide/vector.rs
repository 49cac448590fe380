//! Moving elements of vectors, and choosing between values.

use program::Type;

use super::{lanes, width};
use crate::bits;

/// Where `condition` is a vector, lane by lane.
pub fn select(condition_type: &Type, condition: &[u64], ty: &Type, then: &[u64], otherwise: &[u64], out: &mut [u64]) {
    out.fill(0);
    let (_, count) = lanes(condition_type);
    let step = width(ty) / count;
    for lane in 0..count {
        let chosen = if bits::get(condition, lane, 1) == 1 { then } else { otherwise };
        bits::copy(chosen, lane * step, out, lane * step, step);
    }
}

pub fn extract_element(vector_type: &Type, vector: &[u64], index: u64, out: &mut [u64]) {
    out.fill(0);
    let (element, count) = lanes(vector_type);
    let step = width(element);
    bits::copy(vector, within(index, count) * step, out, 0, step);
}

pub fn insert_element(vector_type: &Type, vector: &[u64], element: &[u64], index: u64, out: &mut [u64]) {
    out.fill(0);
    let (element_type, count) = lanes(vector_type);
    let step = width(element_type);
    bits::copy(vector, 0, out, 0, width(vector_type));
    bits::copy(element, 0, out, within(index, count) * step, step);
}

/// `mask` counts through `left` and on through `right`; `None` gives zero.
pub fn shuffle(operand_type: &Type, left: &[u64], right: &[u64], mask: &[Option<u32>], out: &mut [u64]) {
    out.fill(0);
    let (element, count) = lanes(operand_type);
    let step = width(element);
    for (lane, source) in (0..).zip(mask) {
        let Some(source) = source.map(u64::from) else { continue };
        let (vector, index) = if source < count { (left, source) } else { (right, source - count) };
        bits::copy(vector, index * step, out, lane * step, step);
    }
}

/// What LLVM makes of an index beyond the vector, so that it stays in the vector's stack slot.
fn within(index: u64, count: u64) -> u64 {
    if count.is_power_of_two() { index & (count - 1) } else { index.min(count - 1) }
}
