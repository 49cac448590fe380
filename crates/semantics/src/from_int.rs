//! Integers to floats.

use program::FloatKind;

use crate::domain::Reading;
use crate::words::{is_negative, magnitude};
use crate::{bits, float};

/// The encoding of the float nearest to an integer of any width.
pub fn converted(reading: Reading, value: &[u64], width: u32, kind: FloatKind) -> u128 {
    rounded(kind, is_negative(reading, width, value), &magnitude(reading, width, value))
}

/// Half and bfloat are reached through single precision, as LLVM does: rounded twice.
fn rounded(kind: FloatKind, is_negative: bool, magnitude: &[u64]) -> u128 {
    if let FloatKind::Half | FloatKind::BFloat = kind {
        return float::convert(FloatKind::Single, kind, rounded(FloatKind::Single, is_negative, magnitude));
    }
    // The upper 128 bits decide, and whether any bit below them is set: no format keeps more than 113.
    let length = magnitude.len() as u64 * 64;
    let used = (0..length).rev().find(|&bit| bits::get(magnitude, bit, 1) == 1).map_or(0, |bit| bit + 1);
    let dropped = used.saturating_sub(128);
    let sticky = (0..dropped).any(|bit| bits::get(magnitude, bit, 1) == 1);
    let significand = bits::get(magnitude, dropped, 128) | u128::from(sticky);
    float::from_integer(kind, is_negative, significand, dropped)
}
