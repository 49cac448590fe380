//! Random terms and their plain twins: a list of steps, each an operation on earlier ones, as it was asked for.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::model::Model;
use crate::symbols::Symbol;
use crate::term::{Term, Terms};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    DivideUnsigned,
    DivideSigned,
    RemainderUnsigned,
    RemainderSigned,
    ShiftLeft,
    ShiftRightLogical,
    ShiftRightArithmetic,
    And,
    Or,
    Xor,
    Equal,
    LessUnsigned,
    LessSigned,
}

pub const OPS: [Op; 16] = [
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::DivideUnsigned,
    Op::DivideSigned,
    Op::RemainderUnsigned,
    Op::RemainderSigned,
    Op::ShiftLeft,
    Op::ShiftRightLogical,
    Op::ShiftRightArithmetic,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Equal,
    Op::LessUnsigned,
    Op::LessSigned,
];

/// A step; operands are places of earlier ones.
#[derive(Clone, Debug)]
pub enum Step {
    Constant(u128),
    Symbol(usize),
    Binary(Op, usize, usize),
    Not(usize),
    Negate(usize),
    Concat(usize, usize),
    Extract(usize, u32),
    ZeroExtend(usize),
    SignExtend(usize),
    Choose(usize, usize, usize),
    Table(usize, Vec<u128>),
}

/// Steps and their widths.
#[derive(Clone, Default, Debug)]
pub struct Plain {
    pub steps: Vec<(Step, u32)>,
    pub symbols: Vec<u32>,
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn as_signed(width: u32, value: u128) -> i128 {
    if value >> (width - 1) == 1 { (value | !mask(width)) as i128 } else { value as i128 }
}

impl Plain {
    fn push(&mut self, step: Step, width: u32) -> usize {
        assert!((1..=128).contains(&width));
        self.steps.push((step, width));
        self.steps.len() - 1
    }

    fn width(&self, at: usize) -> u32 {
        self.steps[at].1
    }

    /// A step brought to a width.
    fn fitted(&mut self, at: usize, width: u32, chance: u64) -> usize {
        let own = self.width(at);
        if own > width {
            let low = if chance & 1 == 0 { 0 } else { (chance >> 1) as u32 % (own - width + 1) };
            self.push(Step::Extract(at, low), width)
        } else if own < width {
            let step = if chance & 1 == 0 { Step::ZeroExtend(at) } else { Step::SignExtend(at) };
            self.push(step, width)
        } else {
            at
        }
    }

    /// Of each step, by values of symbols.
    pub fn values(&self, symbols: &[u128]) -> Vec<u128> {
        let mut values: Vec<u128> = Vec::new();
        for (step, width) in &self.steps {
            let width = *width;
            let value = match step {
                Step::Constant(value) => *value,
                Step::Symbol(symbol) => symbols[*symbol],
                Step::Binary(op, a, b) => compute(*op, self.width(*a), values[*a], values[*b]),
                Step::Not(a) => !values[*a],
                Step::Negate(a) => values[*a].wrapping_neg(),
                Step::Concat(a, b) => values[*a] << self.width(*b) | values[*b],
                Step::Extract(a, low) => values[*a] >> low,
                Step::ZeroExtend(a) => values[*a],
                Step::SignExtend(a) => as_signed(self.width(*a), values[*a]) as u128,
                Step::Choose(c, a, b) => values[if values[*c] == 1 { *a } else { *b }],
                Step::Table(a, entries) => {
                    if values[*a] < entries.len() as u128 {
                        entries[values[*a] as usize]
                    } else {
                        0
                    }
                }
            };
            values.push(value & mask(width));
        }
        values
    }

    /// The same steps as terms; the symbols must be new, in order.
    pub fn terms(&self, terms: &mut Terms, symbols: &[Term]) -> Vec<Term> {
        let mut made: Vec<Term> = Vec::new();
        for (step, width) in &self.steps {
            let term = match step {
                Step::Constant(value) => terms.constant(*width, *value),
                Step::Symbol(symbol) => symbols[*symbol],
                Step::Binary(op, a, b) => apply(terms, *op, made[*a], made[*b]),
                Step::Not(a) => terms.not(made[*a]),
                Step::Negate(a) => terms.negate(made[*a]),
                Step::Concat(a, b) => terms.concat(made[*a], made[*b]),
                Step::Extract(a, low) => terms.extract(made[*a], *low, *width),
                Step::ZeroExtend(a) => terms.zero_extend(made[*a], *width),
                Step::SignExtend(a) => terms.sign_extend(made[*a], *width),
                Step::Choose(c, a, b) => terms.choose(made[*c], made[*a], made[*b]),
                Step::Table(a, entries) => terms.table(made[*a], entries, *width),
            };
            made.push(term);
        }
        made
    }
}

pub fn apply(terms: &mut Terms, op: Op, a: Term, b: Term) -> Term {
    match op {
        Op::Add => terms.add(a, b),
        Op::Subtract => terms.subtract(a, b),
        Op::Multiply => terms.multiply(a, b),
        Op::DivideUnsigned => terms.divide_unsigned(a, b),
        Op::DivideSigned => terms.divide_signed(a, b),
        Op::RemainderUnsigned => terms.remainder_unsigned(a, b),
        Op::RemainderSigned => terms.remainder_signed(a, b),
        Op::ShiftLeft => terms.shift_left(a, b),
        Op::ShiftRightLogical => terms.shift_right_logical(a, b),
        Op::ShiftRightArithmetic => terms.shift_right_arithmetic(a, b),
        Op::And => terms.and(a, b),
        Op::Or => terms.or(a, b),
        Op::Xor => terms.xor(a, b),
        Op::Equal => terms.equal(a, b),
        Op::LessUnsigned => terms.less_unsigned(a, b),
        Op::LessSigned => terms.less_signed(a, b),
    }
}

/// As SMT-LIB has it; signed operations by the machine's own.
pub fn compute(op: Op, width: u32, a: u128, b: u128) -> u128 {
    let (sa, sb) = (as_signed(width, a), as_signed(width, b));
    let value = match op {
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::Multiply => a.wrapping_mul(b),
        Op::DivideUnsigned if b == 0 => u128::MAX,
        Op::DivideUnsigned => a / b,
        Op::DivideSigned if b == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::DivideSigned => sa.wrapping_div(sb) as u128,
        Op::RemainderUnsigned if b == 0 => a,
        Op::RemainderUnsigned => a % b,
        Op::RemainderSigned if b == 0 => a,
        Op::RemainderSigned => sa.wrapping_rem(sb) as u128,
        Op::ShiftLeft if b >= width.into() => 0,
        Op::ShiftLeft => a << b,
        Op::ShiftRightLogical if b >= width.into() => 0,
        Op::ShiftRightLogical => a >> b,
        Op::ShiftRightArithmetic => (sa >> b.min(127)) as u128,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Equal => u128::from(a == b),
        Op::LessUnsigned => u128::from(a < b),
        Op::LessSigned => u128::from(sa < sb),
    };
    value & mask(width)
}

/// Numbers as they occur at edges.
pub fn number() -> impl Strategy<Value = u128> {
    prop_oneof![
        3 => 0u128..16,
        2 => (0u32..128).prop_map(|bit| 1 << bit),
        2 => (0u32..128).prop_map(|bit| (1u128 << bit).wrapping_sub(1)),
        2 => (0u128..200).prop_map(|less| less.wrapping_neg()),
        2 => 0u128..256,
        1 => any::<u128>(),
        1 => (0u32..120, 1u32..9).prop_map(|(low, width)| mask(width) << low),
    ]
}

#[derive(Clone, Debug)]
struct Draw {
    kind: u32,
    operands: [Index; 3],
    width: u32,
    chance: u64,
    constant: u128,
    entries: Vec<u128>,
}

/// Mostly later steps: terms grow deep.
fn recent(index: &Index, count: usize) -> usize {
    if index.index(3) == 0 { index.index(count) } else { count - 1 - index.index(count.min(6)) }
}

fn draw(widths: impl Strategy<Value = u32>) -> impl Strategy<Value = Draw> {
    let operands = [any::<Index>(), any::<Index>(), any::<Index>()];
    let entries = proptest::collection::vec(number(), 1..20);
    (0u32..30, operands, widths, any::<u64>(), number(), entries).prop_map(
        |(kind, operands, width, chance, constant, entries)| Draw { kind, operands, width, chance, constant, entries },
    )
}

/// Steps over some symbols. Divisions of unknowns are left out of wide ones if asked to be easy.
pub fn plain(
    symbols: impl Strategy<Value = Vec<u32>>,
    widths: impl Strategy<Value = u32> + Clone,
    count: usize,
) -> impl Strategy<Value = Plain> {
    (symbols, proptest::collection::vec(draw(widths), 1..count)).prop_map(|(symbols, draws)| {
        let mut plain = Plain { steps: Vec::new(), symbols: symbols.clone() };
        for (at, width) in symbols.iter().enumerate() {
            plain.push(Step::Symbol(at), *width);
        }
        for draw in draws {
            add(&mut plain, &draw);
        }
        plain
    })
}

fn add(plain: &mut Plain, draw: &Draw) {
    let [a, b, c] = [0, 1, 2].map(|which| recent(&draw.operands[which], plain.steps.len()));
    let width = plain.width(a);
    match draw.kind {
        0..16 => {
            let b = if draw.chance & 6 == 0 {
                plain.push(Step::Constant(draw.constant & mask(width)), width)
            } else {
                plain.fitted(b, width, draw.chance >> 3)
            };
            let op = OPS[draw.kind as usize];
            let (a, b) = if draw.chance & 1 == 0 { (a, b) } else { (b, a) };
            let of_result = if matches!(op, Op::Equal | Op::LessUnsigned | Op::LessSigned) { 1 } else { width };
            plain.push(Step::Binary(op, a, b), of_result);
        }
        16 => {
            plain.push(Step::Not(a), width);
        }
        17 => {
            plain.push(Step::Negate(a), width);
        }
        18..21 => {
            let to = width + plain.width(b);
            if to <= 128 {
                plain.push(Step::Concat(a, b), to);
            }
        }
        21..25 => {
            plain.fitted(a, draw.width, draw.chance);
        }
        25..28 => {
            let c = plain.fitted(c, 1, draw.chance >> 8);
            let b = if draw.chance & 3 == 0 {
                plain.push(Step::Constant(draw.constant & mask(width)), width)
            } else {
                plain.fitted(b, width, draw.chance >> 2)
            };
            let (a, b) = if draw.chance & 128 == 0 { (a, b) } else { (b, a) };
            plain.push(Step::Choose(c, a, b), width);
        }
        28 => {
            let entries = draw.entries.iter().map(|entry| entry & mask(draw.width)).collect();
            plain.push(Step::Table(a, entries), draw.width);
        }
        _ => {
            // A word loaded from bytes.
            let mut word = plain.fitted(a, 8, draw.chance);
            for (byte, more) in [b, c].into_iter().enumerate() {
                let more = plain.fitted(more, 8, draw.chance >> (8 * byte));
                let to = plain.width(word) + 8;
                word = plain.push(Step::Concat(more, word), to);
            }
        }
    }
}

/// Widths as they occur, and any.
pub fn width() -> impl Strategy<Value = u32> + Clone {
    prop_oneof![Just(1u32), Just(8), Just(16), Just(32), Just(64), Just(128), 1u32..65, 1u32..129]
}

/// Makes symbols with seeds, and the models of further assignments.
pub fn symbols(terms: &mut Terms, plain: &Plain, seed: &[u128]) -> Vec<Term> {
    plain.symbols.iter().zip(seed).map(|(width, seed)| terms.symbol(*width, *seed)).collect()
}

pub fn model(values: &[u128]) -> Model {
    values.iter().enumerate().map(|(at, value)| (Symbol(at as u32), *value)).collect()
}

/// Values for the symbols of a list of steps.
pub fn assignment(plain: &Plain, numbers: &[u128]) -> Vec<u128> {
    plain.symbols.iter().zip(numbers).map(|(width, number)| number & mask(*width)).collect()
}
