//! Other values that an assignment could have stored.

use execution::assignments::Assignment;
use program::{FloatKind, Type};

use crate::trying::hints::{Hints, Pair};

/// Why a value is tried; the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// What was there before, as if the assignment were missing.
    Before,
    /// A neighbour, zero, one.
    Plain,
    /// The same assignment stored it at another time.
    Seen,
    /// The expected output suggests it.
    Fitting,
}

/// Values of the same assignment that are tried, at most.
pub const MOST_SEEN: usize = 4;

/// Each once, without the one that was stored.
pub fn alternatives(assignment: &Assignment, seen: &[u64], hints: &Hints) -> Vec<(u64, Reason)> {
    let mut all: Vec<(u64, Reason)> = assignment.before.map(|value| (value, Reason::Before)).into_iter().collect();
    let plain = |values: &[u64]| values.iter().map(|value| (*value, Reason::Plain)).collect::<Vec<_>>();
    let value = assignment.value;
    match assignment.ty {
        Type::Int(bits @ 1..=64) => {
            // What is one or zero is a truth value more often than not.
            let (up, down) = (value.wrapping_add(1), value.wrapping_sub(1));
            all.extend(plain(&if value == 1 { [0, up, down, 1] } else { [up, down, 0, 1] }));
            all.extend(seen.iter().map(|value| (*value, Reason::Seen)));
            all.extend(fitting(bits, value, hints).into_iter().map(|value| (value, Reason::Fitting)));
            let mask = u64::MAX >> (64 - bits);
            all.iter_mut().for_each(|(value, _)| *value &= mask);
        }
        Type::Float(FloatKind::Double) => {
            let number = f64::from_bits(value);
            all.extend(plain(&[0.0, 1.0, number + 1.0, number - 1.0].map(f64::to_bits)));
            all.extend(seen.iter().map(|value| (*value, Reason::Seen)));
            all.extend(fitting_real(number, hints).into_iter().map(|value| (value.to_bits(), Reason::Fitting)));
        }
        Type::Float(FloatKind::Single) => {
            let number = f32::from_bits(value as u32);
            let bits = |number: f32| u64::from(number.to_bits());
            all.extend(plain(&[0.0, 1.0, number + 1.0, number - 1.0].map(bits)));
            all.extend(seen.iter().map(|value| (*value, Reason::Seen)));
            let fitting = fitting_real(number.into(), hints).into_iter();
            all.extend(fitting.map(|value| (bits(value as f32), Reason::Fitting)));
        }
        Type::Pointer => {
            all.extend(plain(&[0]));
            all.extend(seen.iter().map(|value| (*value, Reason::Seen)));
        }
        _ => all.clear(),
    }
    let mut known = vec![value];
    all.retain(|(value, _)| {
        let is_new = !known.contains(value);
        known.push(*value);
        is_new
    });
    all
}

/// What should be printed; and what the value would be if it were off by as much as what is printed.
fn fitting(bits: u32, value: u64, hints: &Hints) -> Vec<u64> {
    let mut all = Vec::new();
    if bits == 8 {
        all.extend(hints.byte.map(u64::from));
    }
    for pair in &hints.numbers {
        let (is, should) = match *pair {
            Pair::Whole { is, should } => (is, should),
            Pair::Real { is, should } => (is.round() as i64, should.round() as i64),
        };
        let off = should.wrapping_sub(is) as u64;
        all.extend([should as u64, value.wrapping_add(off), value.wrapping_sub(off)]);
    }
    all.extend(hints.missing.iter().map(|number| *number as u64));
    all
}

fn fitting_real(value: f64, hints: &Hints) -> Vec<f64> {
    let mut all = Vec::new();
    for pair in &hints.numbers {
        let (is, should) = match *pair {
            Pair::Whole { is, should } => (is as f64, should as f64),
            Pair::Real { is, should } => (is, should),
        };
        all.extend([should, value + (should - is), value - (should - is)]);
        if is != 0.0 {
            all.push(value * (should / is));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use abi::{FunctionId, InstructionId};
    use program::FunctionKey;
    use replay::Step;

    use super::*;

    fn assignment(ty: Type, value: u64, before: Option<u64>) -> Assignment {
        let function = FunctionKey { module: 0, function: FunctionId(0) };
        Assignment { at: Step { clock: 1, depth: 1, site: function.at(InstructionId(0)) }, ty, value, before }
    }

    #[test]
    fn whole_numbers_stay_in_their_width() {
        let hints = Hints { numbers: vec![Pair::Whole { is: 5, should: 3 }], ..Hints::default() };
        let values = |assignment| alternatives(&assignment, &[7, 255], &hints);
        let found = values(assignment(Type::Int(8), 255, Some(9)));
        let reasons: Vec<_> = found.iter().map(|(_, reason)| *reason).collect();
        assert!(reasons.is_sorted(), "{reasons:?}");
        let mut numbers: Vec<u64> = found.iter().map(|(value, _)| *value).collect();
        assert_eq!(numbers.first(), Some(&9));
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 3, 7, 9, 253, 254]);
        assert_eq!(values(assignment(Type::Int(1), 0, None)), [(1, Reason::Plain)]);
    }

    #[test]
    fn real_numbers_and_pointers_have_others_of_their_kind() {
        let hints = Hints { numbers: vec![Pair::Real { is: 2.0, should: 3.0 }], ..Hints::default() };
        let found = alternatives(&assignment(Type::Float(FloatKind::Double), 8.0f64.to_bits(), None), &[], &hints);
        let numbers: Vec<f64> = found.iter().map(|(value, _)| f64::from_bits(*value)).collect();
        assert_eq!(numbers, [0.0, 1.0, 9.0, 7.0, 3.0, 12.0]);
        let found = alternatives(&assignment(Type::Pointer, 0, Some(0x1000)), &[0x2000], &hints);
        assert_eq!(found, [(0x1000, Reason::Before), (0x2000, Reason::Seen)]);
    }
}
