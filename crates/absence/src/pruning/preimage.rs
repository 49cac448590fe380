//! What an operand could have been, if the result could have been one of these: each kind of instruction, backwards.
//!
//! The other operands are what they were. One-to-one operations keep the number of alternatives; many-to-one operations
//! (remainders, masks, shifts, comparisons) let more in. Where the answer is not a simple set, there is no answer, which
//! means any value.

use program::{BinaryOp, CastOp, ICmp, Op, Type};

use super::alternatives::{Alternatives, Progression, largest};

/// Bits of a value that alternatives are known for.
pub fn bits_of(ty: &Type) -> Option<u32> {
    match ty {
        Type::Int(bits) if *bits <= 64 => Some(*bits),
        Type::Pointer => Some(64),
        Type::Float(_) if ty.is_scalar64() => Some(8 * ty.store_size() as u32),
        _ => None,
    }
}

/// The alternatives of the operand at a position (in the order of [`Op::for_each_operand`]), given those of the result.
/// `operands` are the values that were there. `None`: any.
pub fn preimage(op: &Op, position: usize, operands: &[u64], result: &Alternatives) -> Option<Alternatives> {
    if result.is_any() {
        return None;
    }
    match op {
        Op::Freeze { .. } | Op::Phi { .. } => Some(result.clone()),
        Op::Binary { op, .. } => {
            let other = operands.get(1 - position.min(1)).copied()? & largest(result.bits);
            match position {
                0 => of_left(*op, other, result),
                _ => of_right(*op, other, result),
            }
        }
        Op::ICmp { op, operand_type, .. } => {
            let bits = bits_of(operand_type)?;
            let other = operands.get(1 - position.min(1)).copied()? & largest(bits);
            let op = if position == 0 { *op } else { turned(*op) };
            match result.single()? {
                0 => Some(satisfying(negated(op), bits, other)),
                _ => Some(satisfying(op, bits, other)),
            }
        }
        Op::Cast { op, from, .. } => cast(*op, bits_of(from)?, result),
        Op::Select { .. } => {
            let [condition, then, otherwise] = operands.get(..3)? else { return None };
            let is_then = *condition & 1 == 1;
            match position {
                0 => {
                    let chosen = [(*otherwise, 0), (*then, 1)].into_iter();
                    let kept = chosen.filter(|(value, _)| result.contains(*value & largest(result.bits)));
                    Some(Alternatives::of(1, kept.map(|(_, choice)| Progression::single(choice)).collect()))
                }
                1 if is_then => Some(result.clone()),
                2 if !is_then => Some(result.clone()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `x op c`.
fn of_left(op: BinaryOp, c: u64, result: &Alternatives) -> Option<Alternatives> {
    let bits = result.bits;
    let most = largest(bits);
    match op {
        BinaryOp::Add => Some(result.lowered(c)),
        BinaryOp::Sub => Some(result.lowered(c.wrapping_neg())),
        BinaryOp::Mul => each(result, |r| product(bits, c, r)),
        BinaryOp::Xor => each(result, |r| vec![Progression::single(r ^ c)]),
        BinaryOp::UDiv if c > 0 => {
            let part = |part: &Progression| {
                let first = part.first.checked_mul(c).filter(|first| *first <= most)?;
                let last = part.last.saturating_mul(c).saturating_add(c - 1).min(most);
                Some(Progression::interval(first, last))
            };
            let is_dense = |part: &Progression| part.step == 1;
            result
                .parts()
                .iter()
                .all(is_dense)
                .then(|| result.parts().iter().filter_map(part).collect::<Vec<_>>())
                .map(|parts| Alternatives::of(bits, parts))
        }
        BinaryOp::SDiv => each(result, |r| quotient(bits, signed(bits, c), signed(bits, r))).filter(|_| c > 0),
        BinaryOp::URem if c > 0 => {
            each(result, |r| if r < c { vec![Progression::up_to(r, c, most)] } else { Vec::new() })
        }
        BinaryOp::SRem if c > 0 => each(result, |r| remainder(bits, signed(bits, c), signed(bits, r))),
        BinaryOp::Shl if c < u64::from(bits) => each(result, |r| {
            let is_there = r & largest(c as u32) == 0 || c == 0;
            if !is_there {
                return Vec::new();
            }
            if c == 0 {
                vec![Progression::single(r)]
            } else {
                vec![Progression::up_to(r >> c, 1 << (u64::from(bits) - c), most)]
            }
        }),
        BinaryOp::LShr if c < u64::from(bits) => each(result, |r| {
            let is_there = r <= most >> c;
            if is_there { vec![Progression::interval(r << c, (r << c) | low(c))] } else { Vec::new() }
        }),
        BinaryOp::AShr if c < u64::from(bits) => each(result, |r| {
            let first = (r << c) & most;
            let is_there = (signed(bits, first) >> c) as u64 & most == r;
            if is_there { vec![Progression::interval(first, first | low(c))] } else { Vec::new() }
        }),
        BinaryOp::And => masked(c, result),
        BinaryOp::Or => {
            // What is set stays set: the rest is as with a mask.
            let kept =
                each(result, |r| if r & c == c { vec![Progression::single(r & !c & most)] } else { Vec::new() })?;
            masked(!c & most, &kept)
        }
        _ => None,
    }
}

/// `c op x`.
fn of_right(op: BinaryOp, c: u64, result: &Alternatives) -> Option<Alternatives> {
    match op {
        BinaryOp::Sub => Some(result.subtracted(c)),
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::Xor | BinaryOp::And | BinaryOp::Or => of_left(op, c, result),
        _ => None,
    }
}

/// Ones in so many of the lowest bits.
fn low(count: u64) -> u64 {
    largest(count as u32)
}

fn signed(bits: u32, value: u64) -> i64 {
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}

/// The union of what each value of a set leads to, if it has few.
fn each(result: &Alternatives, lead: impl Fn(u64) -> Vec<Progression>) -> Option<Alternatives> {
    if !result.parts().iter().all(|part| part.is_single()) {
        return None;
    }
    Some(Alternatives::of(result.bits, result.parts().iter().flat_map(|part| lead(part.first)).collect()))
}

/// `x * c = r`.
fn product(bits: u32, c: u64, r: u64) -> Vec<Progression> {
    let most = largest(bits);
    if c == 0 {
        return if r == 0 { vec![Progression::interval(0, most)] } else { Vec::new() };
    }
    let zeros = c.trailing_zeros();
    if r & largest(zeros) != 0 && zeros > 0 {
        return Vec::new();
    }
    // Newton's iteration: each round doubles the number of right bits.
    let odd = c >> zeros;
    let inverse = (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
    let kept = largest(bits - zeros);
    let first = (r >> zeros).wrapping_mul(inverse) & kept;
    if zeros == 0 { vec![Progression::single(first)] } else { vec![Progression::up_to(first, kept + 1, most)] }
}

/// Numbers between two, as unsigned ones.
fn between(bits: u32, least: i128, most: i128) -> Vec<Progression> {
    let (min, max) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let (least, most) = (least.max(min), most.min(max));
    let word = |value: i128| value as u64 & largest(bits);
    let mut parts = Vec::new();
    if least <= most.min(-1) {
        parts.push(Progression::interval(word(least), word(most.min(-1))));
    }
    if least.max(0) <= most {
        parts.push(Progression::interval(word(least.max(0)), word(most)));
    }
    parts
}

/// `x / c = r` for signed numbers, which rounds towards zero.
fn quotient(bits: u32, c: i64, r: i64) -> Vec<Progression> {
    let (c, r) = (i128::from(c), i128::from(r));
    let rest = c.abs() - 1;
    let product = c * r;
    match r {
        0 => between(bits, -rest, rest),
        _ if product > 0 => between(bits, product, product + rest),
        _ => between(bits, product - rest, product),
    }
}

/// `x % c = r` for signed numbers, which has the sign of `x`.
fn remainder(bits: u32, c: i64, r: i64) -> Vec<Progression> {
    let step = c.unsigned_abs();
    let (top, most) = (largest(bits), largest(bits - 1));
    if r.unsigned_abs() >= step {
        return Vec::new();
    }
    let mut parts = Vec::new();
    if r >= 0 {
        parts.push(Progression::up_to(r as u64, step, most));
    }
    // Below zero: r - c, r - 2c, … down to the least number, or from r itself if that is below.
    let highest = if r < 0 { i128::from(r) } else { i128::from(r) - i128::from(step) };
    let least = -(1i128 << (bits - 1));
    if r <= 0 && highest >= least {
        let turns = (highest - least) / i128::from(step);
        let lowest = highest - turns * i128::from(step);
        let word = |value: i128| value as u64 & top;
        parts.push(Progression::up_to(word(lowest), step, word(highest)));
    }
    parts
}

/// `x & mask = r`.
fn masked(mask: u64, result: &Alternatives) -> Option<Alternatives> {
    let bits = result.bits;
    let most = largest(bits);
    if mask == most {
        return Some(result.clone());
    }
    each(result, |_| Vec::new())?;
    let values: Vec<u64> = result.parts().iter().map(|part| part.first).filter(|r| r & !mask == 0).collect();
    let free = !mask & most;
    if free.wrapping_add(1).is_power_of_two() && free != most {
        // The low bits are free.
        return Some(Alternatives::of(bits, values.iter().map(|&r| Progression::interval(r, r | free)).collect()));
    }
    if mask.wrapping_add(1).is_power_of_two() {
        // The high bits are free.
        return Some(Alternatives::of(bits, values.iter().map(|&r| Progression::up_to(r, mask + 1, most)).collect()));
    }
    None
}

/// The comparison with its operands exchanged.
fn turned(op: ICmp) -> ICmp {
    match op {
        ICmp::Eq => ICmp::Eq,
        ICmp::Ne => ICmp::Ne,
        ICmp::Ugt => ICmp::Ult,
        ICmp::Uge => ICmp::Ule,
        ICmp::Ult => ICmp::Ugt,
        ICmp::Ule => ICmp::Uge,
        ICmp::Sgt => ICmp::Slt,
        ICmp::Sge => ICmp::Sle,
        ICmp::Slt => ICmp::Sgt,
        ICmp::Sle => ICmp::Sge,
    }
}

/// The comparison that holds where this one does not.
fn negated(op: ICmp) -> ICmp {
    match op {
        ICmp::Eq => ICmp::Ne,
        ICmp::Ne => ICmp::Eq,
        ICmp::Ugt => ICmp::Ule,
        ICmp::Uge => ICmp::Ult,
        ICmp::Ult => ICmp::Uge,
        ICmp::Ule => ICmp::Ugt,
        ICmp::Sgt => ICmp::Sle,
        ICmp::Sge => ICmp::Slt,
        ICmp::Slt => ICmp::Sge,
        ICmp::Sle => ICmp::Sgt,
    }
}

/// The values that compare so with `c`.
fn satisfying(op: ICmp, bits: u32, c: u64) -> Alternatives {
    let most = largest(bits);
    let s = i128::from(signed(bits, c));
    let below = |end: Option<u64>| end.map(|end| Progression::interval(0, end)).into_iter();
    let above = |begin: Option<u64>| {
        begin.filter(|begin| *begin <= most).map(|begin| Progression::interval(begin, most)).into_iter()
    };
    let parts = match op {
        ICmp::Eq => vec![Progression::single(c)],
        ICmp::Ne => below(c.checked_sub(1)).chain(above(c.checked_add(1))).collect(),
        ICmp::Ult => below(c.checked_sub(1)).collect(),
        ICmp::Ule => below(Some(c)).collect(),
        ICmp::Ugt => above(c.checked_add(1)).collect(),
        ICmp::Uge => above(Some(c)).collect(),
        ICmp::Slt => between(bits, i128::MIN, s - 1),
        ICmp::Sle => between(bits, i128::MIN, s),
        ICmp::Sgt => between(bits, s + 1, i128::MAX),
        ICmp::Sge => between(bits, s, i128::MAX),
    };
    Alternatives::of(bits, parts)
}

fn cast(op: CastOp, from: u32, result: &Alternatives) -> Option<Alternatives> {
    let to = result.bits;
    match op {
        CastOp::ZExt => Some(Alternatives::of(from, result.within(0, largest(from)))),
        CastOp::SExt => {
            let positive = result.within(0, largest(from - 1));
            let lowest = largest(to) - largest(from - 1);
            let negative = result.within(lowest, largest(to)).into_iter().map(|part| Progression {
                first: part.first & largest(from),
                last: part.last & largest(from),
                ..part
            });
            Some(Alternatives::of(from, positive.into_iter().chain(negative).collect()))
        }
        CastOp::Trunc => {
            let whole = each(result, |r| vec![Progression::single(r)])?;
            let parts = whole.parts().iter().map(|part| Progression::up_to(part.first, largest(to) + 1, largest(from)));
            Some(Alternatives::of(from, parts.collect()))
        }
        CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr => (from == to).then(|| result.clone()),
        CastOp::FpTrunc | CastOp::FpExt | CastOp::FpToUi | CastOp::FpToSi | CastOp::UiToFp | CastOp::SiToFp => None,
    }
}
