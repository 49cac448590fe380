//! Arithmetic on values of up to 64 bits, fast; `wide` does the same for any type, plainly, and is the test's oracle.

use program::{CastOp, FCmp};

use crate::code::{DivideOp, FloatOp, ScalarKind};

#[inline(always)]
pub fn mask(value: u64, bits: u8) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

#[inline(always)]
pub fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    ((value << shift) as i64) >> shift
}

/// `None` where the machine raises its divide error.
pub fn divide(a: u64, b: u64, op: DivideOp, bits: u8) -> Option<u64> {
    if b == 0 {
        return None;
    }
    let (sa, sb) = (sign_extend(a, bits), sign_extend(b, bits));
    let overflows = sb == -1 && sa == i64::MIN >> (64 - u32::from(bits));
    let value = match op {
        DivideOp::Unsigned => a / b,
        DivideOp::UnsignedRemainder => a % b,
        DivideOp::Signed | DivideOp::SignedRemainder if overflows => return None,
        DivideOp::Signed => (sa / sb) as u64,
        DivideOp::SignedRemainder => (sa % sb) as u64,
    };
    Some(mask(value, bits))
}

pub fn float<F>(a: F, b: F, op: FloatOp) -> F
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>
        + std::ops::Rem<Output = F>,
{
    match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        FloatOp::Rem => a % b,
    }
}

pub fn compare<F: PartialOrd>(a: F, b: F, op: FCmp) -> bool {
    use std::cmp::Ordering::*;
    let order = a.partial_cmp(&b);
    match op {
        FCmp::False => false,
        FCmp::Oeq => order == Some(Equal),
        FCmp::Ogt => order == Some(Greater),
        FCmp::Oge => matches!(order, Some(Greater | Equal)),
        FCmp::Olt => order == Some(Less),
        FCmp::Ole => matches!(order, Some(Less | Equal)),
        FCmp::One => matches!(order, Some(Less | Greater)),
        FCmp::Ord => order.is_some(),
        FCmp::Uno => order.is_none(),
        FCmp::Ueq => matches!(order, None | Some(Equal)),
        FCmp::Ugt => matches!(order, None | Some(Greater)),
        FCmp::Uge => !matches!(order, Some(Less)),
        FCmp::Ult => matches!(order, None | Some(Less)),
        FCmp::Ule => !matches!(order, Some(Greater)),
        FCmp::Une => order != Some(Equal),
        FCmp::True => true,
    }
}

/// Casts between integers, floats and doubles as SSE code does them; the general twin is `wide::cast`.
pub fn cast(value: u64, op: CastOp, from: ScalarKind, to: ScalarKind) -> u64 {
    use ScalarKind::*;
    let double = |v: u64| match from {
        F64 => f64::from_bits(v),
        _ => f64::from(f32::from_bits(v as u32)),
    };
    match (op, from, to) {
        (CastOp::FpExt, F32, F64) => double(value).to_bits(),
        (CastOp::FpTrunc, F64, F32) => u64::from((f64::from_bits(value) as f32).to_bits()),
        (CastOp::SiToFp, Int(bits), F64) => (sign_extend(value, bits) as f64).to_bits(),
        (CastOp::SiToFp, Int(bits), F32) => u64::from((sign_extend(value, bits) as f32).to_bits()),
        (CastOp::UiToFp, Int(_), F64) => (value as f64).to_bits(),
        (CastOp::UiToFp, Int(_), F32) => u64::from((value as f32).to_bits()),
        (CastOp::FpToSi, F32 | F64, Int(bits)) if bits <= 32 => mask(truncate32(double(value)), bits),
        (CastOp::FpToSi, F32 | F64, Int(bits)) => mask(truncate64(double(value)), bits),
        (CastOp::FpToUi, F32 | F64, Int(bits)) if bits <= 16 => mask(truncate32(double(value)), bits),
        (CastOp::FpToUi, F32 | F64, Int(bits)) if bits <= 32 => mask(truncate64(double(value)), bits),
        (CastOp::FpToUi, F32 | F64, Int(bits)) => {
            let low = truncate64(double(value));
            // In the source's own precision, as the machine subtracts.
            let reduced = match from {
                F64 => f64::from_bits(value) - 9_223_372_036_854_775_808.0,
                _ => f64::from(f32::from_bits(value as u32) - 9_223_372_036_854_775_808.0_f32),
            };
            let high = truncate64(reduced);
            mask(low | (high & ((low as i64 >> 63) as u64)), bits)
        }
        _ => value,
    }
}

/// `cvttsd2si` to 32 bits.
fn truncate32(value: f64) -> u64 {
    let whole = value.trunc();
    if (-2_147_483_648.0..=2_147_483_647.0).contains(&whole) { u64::from(whole as i32 as u32) } else { 1 << 31 }
}

/// `cvttsd2si` to 64 bits.
fn truncate64(value: f64) -> u64 {
    let in_range = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    if in_range { value as i64 as u64 } else { 1 << 63 }
}

#[cfg(test)]
mod tests {
    use program::{BinaryOp, FloatKind, Type};

    use super::*;
    use crate::wide;

    /// Values at the edges and in between.
    fn values() -> Vec<u64> {
        let mut values =
            vec![0, 1, 2, 3, 63, 64, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 31, (1 << 31) - 1];
        let floats =
            [0.5, -0.5, 1.5, -1.0, 2147483647.0, -2147483649.0, 9.3e18, 1.9e19, 1e300, f64::NAN, f64::INFINITY];
        values.extend(floats.iter().map(|f: &f64| f.to_bits()));
        values.extend(floats.iter().map(|f| u64::from((*f as f32).to_bits())));
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..200 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            values.push(state);
        }
        values
    }

    #[test]
    fn divides_as_wide_does() {
        let pairs = [
            (DivideOp::Unsigned, BinaryOp::UDiv),
            (DivideOp::Signed, BinaryOp::SDiv),
            (DivideOp::UnsignedRemainder, BinaryOp::URem),
            (DivideOp::SignedRemainder, BinaryOp::SRem),
        ];
        for bits in [1, 7, 8, 16, 24, 32, 48, 64] {
            for a in values().into_iter().map(|v| mask(v, bits)) {
                for b in values().into_iter().take(60).map(|v| mask(v, bits)) {
                    for (fast, slow) in pairs {
                        let mut out = [0];
                        let slow = wide::binary(slow, &Type::Int(bits.into()), &[a], &[b], &mut out).map(|()| out[0]);
                        assert_eq!(divide(a, b, fast, bits), slow.ok(), "{fast:?} i{bits} {a:#x} {b:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn casts_as_wide_does() {
        let float = |kind| match kind {
            ScalarKind::F32 => Type::Float(FloatKind::Single),
            ScalarKind::F64 => Type::Float(FloatKind::Double),
            ScalarKind::Int(bits) => Type::Int(bits.into()),
        };
        let check = |op, from, to, value: u64| {
            let mut out = [0];
            wide::cast(op, &float(from), &float(to), &[value], &mut out);
            assert_eq!(cast(value, op, from, to), out[0], "{op:?} {from:?} to {to:?} of {value:#x}");
        };
        for value in values() {
            let single = u64::from(value as u32);
            for bits in [8, 16, 32, 64] {
                let int = ScalarKind::Int(bits);
                for op in [CastOp::FpToSi, CastOp::FpToUi] {
                    check(op, ScalarKind::F64, int, value);
                    check(op, ScalarKind::F32, int, single);
                }
                for op in [CastOp::SiToFp, CastOp::UiToFp] {
                    check(op, int, ScalarKind::F64, mask(value, bits));
                    check(op, int, ScalarKind::F32, mask(value, bits));
                }
            }
            check(CastOp::FpTrunc, ScalarKind::F64, ScalarKind::F32, value);
            check(CastOp::FpExt, ScalarKind::F32, ScalarKind::F64, single);
        }
    }

    #[test]
    fn compares_as_wide_does() {
        use FCmp::*;
        for op in [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True] {
            for a in values() {
                for b in values().into_iter().take(60) {
                    let mut out = [0];
                    wide::fcmp(op, &Type::Float(FloatKind::Double), &[a], &[b], &mut out);
                    assert_eq!(
                        u64::from(compare(f64::from_bits(a), f64::from_bits(b), op)),
                        out[0],
                        "{op:?} {a:#x} {b:#x}"
                    );
                }
            }
        }
    }
}
