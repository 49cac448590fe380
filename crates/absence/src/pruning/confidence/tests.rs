use program::{BinaryOp, CastOp, ICmp, Op, Operand, Type};

use super::super::alternatives::largest;
use super::*;

fn binary(op: BinaryOp) -> Op {
    Op::Binary { op, lhs: Operand::Parameter(0), rhs: Operand::Parameter(1) }
}

fn compare(op: ICmp, bits: u32) -> Op {
    Op::ICmp { op, lhs: Operand::Parameter(0), rhs: Operand::Parameter(1), operand_type: Type::Int(bits) }
}

fn signed(bits: u32, value: u64) -> i64 {
    ((value << (64 - bits)) as i64) >> (64 - bits)
}

/// The obvious way to compute, on numbers of few bits; nothing where the machine would trap.
fn evaluate(op: &Op, bits: u32, operands: &[u64]) -> Option<u64> {
    let most = largest(bits);
    Some(match op {
        Op::Binary { op, .. } => {
            let (a, b) = (operands[0], operands[1]);
            let (sa, sb) = (signed(bits, a), signed(bits, b));
            let is_too_large = sa == signed(bits, 1 << (bits - 1)) && sb == -1;
            let word = match op {
                BinaryOp::SDiv | BinaryOp::SRem if is_too_large => return None,
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a * b,
                BinaryOp::UDiv => a.checked_div(b)?,
                BinaryOp::SDiv => sa.checked_div(sb)? as u64,
                BinaryOp::URem => a.checked_rem(b)?,
                BinaryOp::SRem => sa.checked_rem(sb)? as u64,
                BinaryOp::Shl if b < u64::from(bits) => a << b,
                BinaryOp::LShr if b < u64::from(bits) => a >> b,
                BinaryOp::AShr if b < u64::from(bits) => (sa >> b) as u64,
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                _ => return None,
            };
            word & most
        }
        Op::ICmp { op, .. } => {
            let (a, b) = (operands[0], operands[1]);
            let (sa, sb) = (signed(bits, a), signed(bits, b));
            u64::from(match op {
                ICmp::Eq => a == b,
                ICmp::Ne => a != b,
                ICmp::Ugt => a > b,
                ICmp::Uge => a >= b,
                ICmp::Ult => a < b,
                ICmp::Ule => a <= b,
                ICmp::Sgt => sa > sb,
                ICmp::Sge => sa >= sb,
                ICmp::Slt => sa < sb,
                ICmp::Sle => sa <= sb,
            })
        }
        _ => return None,
    })
}

const BINARY: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
];

const COMPARE: [ICmp; 10] =
    [ICmp::Eq, ICmp::Ne, ICmp::Ugt, ICmp::Uge, ICmp::Ult, ICmp::Ule, ICmp::Sgt, ICmp::Sge, ICmp::Slt, ICmp::Sle];

/// Every operation, every value of the operands: what the operand could have been if the result is right.
#[test]
fn operands_backwards_are_all_values_with_the_same_result() {
    const BITS: u32 = 5;
    let ops = BINARY.map(binary).into_iter().chain(COMPARE.map(|op| compare(op, BITS)));
    for op in ops {
        let mut answered = 0;
        for a in 0..32 {
            for b in 0..32 {
                let Some(result) = evaluate(&op, BITS, &[a, b]) else { continue };
                let bits = if matches!(op, Op::ICmp { .. }) { 1 } else { BITS };
                let right = Alternatives::only(bits, result);
                for position in 0..2 {
                    let Some(found) = preimage(&op, position, &[a, b], &right) else { continue };
                    answered += 1;
                    for x in 0..32 {
                        let mut operands = [a, b];
                        operands[position] = x;
                        // Where the machine traps, nothing is the same.
                        let Some(other) = evaluate(&op, BITS, &operands) else { continue };
                        assert_eq!(found.contains(x), other == result, "{op:?} of {a} and {b}: {x} at {position}");
                    }
                }
            }
        }
        assert!(answered > 100, "{op:?} is not known");
    }
}

#[test]
fn casts_backwards() {
    let cast = |op, from| Op::Cast { op, value: Operand::Parameter(0), from: Type::Int(from) };
    let members = |found: Option<Alternatives>| -> Vec<u64> {
        let found = found.expect("it is known");
        (0..=largest(found.bits)).filter(|value| found.contains(*value)).collect()
    };
    let back = |op, from, to, result| members(preimage(&cast(op, from), 0, &[0], &Alternatives::only(to, result)));
    assert_eq!(back(CastOp::ZExt, 3, 8, 5), [5]);
    assert_eq!(back(CastOp::SExt, 3, 8, 0xfd), [5]);
    assert_eq!(back(CastOp::SExt, 3, 8, 3), [3]);
    assert_eq!(back(CastOp::Trunc, 5, 3, 2), [2, 10, 18, 26]);
}

/// Figure 4: `a = 1; b = a % 2; c = a + 2; print b (right); print c (wrong)`.
#[test]
fn of_two_outputs_the_right_one_clears_what_it_shows() {
    let (remainder, sum) = (binary(BinaryOp::SRem), binary(BinaryOp::Add));
    let shown = Pin { allowed: Alternatives::only(32, 1), evidence: Evidence::output(0) };
    let b = Vertex {
        value: Some((32, 1)),
        op: Some(&remainder),
        operands: vec![1, 2],
        pins: vec![shown],
        ..Vertex::default()
    };
    let c = Vertex { value: Some((32, 3)), op: Some(&sum), operands: vec![1, 2], ..Vertex::default() };
    let users = vec![(0, Through::Operand(0)), (1, Through::Operand(0))];
    let a = Vertex { value: Some((32, 1)), users, ..Vertex::default() };
    let found = alternatives(&Network { vertices: vec![b, c, a] });
    assert_eq!(confidence(found[0].as_ref(), &[]), 1.0);
    assert_eq!(confidence(found[1].as_ref(), &[]), 0.0);
    let of_a = confidence(found[2].as_ref(), &[]);
    assert!(0.0 < of_a && of_a < 1.0, "{of_a}");
    let found = found[2].as_ref().expect("something is known of a");
    assert!([1, 3, 5, 7].into_iter().all(|odd| found.contains(odd)) && !found.contains(2));
    // Where other executions had these values, half of them would do.
    assert_eq!(confidence(Some(found), &[1, 2, 3, 4]), 0.5);
}

#[test]
fn ways_that_meet_again_are_no_evidence() {
    // c = (v + 1) - v is 1 whatever v is.
    let (sum, difference) = (binary(BinaryOp::Add), binary(BinaryOp::Sub));
    let pins = vec![Pin { allowed: Alternatives::only(8, 1), evidence: Evidence::output(0) }];
    let c = Vertex { value: Some((8, 1)), op: Some(&difference), operands: vec![8, 7], pins, ..Vertex::default() };
    let more = Vertex {
        value: Some((8, 8)),
        op: Some(&sum),
        operands: vec![7, 1],
        users: vec![(0, Through::Operand(0))],
        ..Vertex::default()
    };
    let v = Vertex {
        value: Some((8, 7)),
        users: vec![(0, Through::Operand(1)), (1, Through::Operand(0))],
        ..Vertex::default()
    };
    let found = alternatives(&Network { vertices: vec![c, more, v] });
    assert_eq!(found[1].as_ref().and_then(Alternatives::single), Some(8));
    assert_eq!(found[2], None);
}

/// The same numbers each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end as u64) as usize
    }
}

/// An expression over a few inputs: position of the operation, and of its operands (inputs come first).
struct Expression {
    op: Op,
    from: [usize; 2],
}

/// The slow twin: tries each value of the step, computes everything that follows from it again, and looks at the outputs.
fn enumerated(inputs: &[u64], made: &[Expression], shown: &[usize], step: usize, bits: u32) -> Vec<u64> {
    let values = |instead: Option<u64>| -> Option<Vec<u64>> {
        let mut values = inputs.to_vec();
        for (position, value) in values.iter_mut().enumerate() {
            *value = instead.filter(|_| position == step).unwrap_or(*value);
        }
        for expression in made {
            let value = evaluate(&expression.op, bits, &expression.from.map(|from| values[from]))?;
            values.push(instead.filter(|_| values.len() == step).unwrap_or(value));
        }
        Some(values)
    };
    let right = values(None).expect("the run did not trap");
    let same = |instead: &u64| values(Some(*instead)).is_some_and(|all| shown.iter().all(|&at| all[at] == right[at]));
    (0..=largest(bits)).filter(same).collect()
}

#[test]
fn no_alternative_is_missed_in_random_expressions() {
    const BITS: u32 = 5;
    let mut chance = Chance(7);
    let (mut exact, mut single) = (0, 0);
    for _ in 0..400 {
        let inputs: Vec<u64> = (0..3).map(|_| chance.below(32) as u64).collect();
        let mut values = inputs.clone();
        let mut made: Vec<Expression> = Vec::new();
        while made.len() < 6 {
            let op = binary(BINARY[chance.below(BINARY.len())]);
            let from = [chance.below(values.len()), chance.below(values.len())];
            if let Some(value) = evaluate(&op, BITS, &from.map(|at| values[at])) {
                values.push(value);
                made.push(Expression { op, from });
            }
        }
        let shown = [values.len() - 1, values.len() - 3];
        // The latest first.
        let place = |step: usize| values.len() - 1 - step;
        let mut network = Network::default();
        for step in (0..values.len()).rev() {
            let mut vertex = Vertex { value: Some((BITS, values[step])), ..Vertex::default() };
            if let Some(expression) = step.checked_sub(inputs.len()).map(|at| &made[at]) {
                vertex.op = Some(&expression.op);
                vertex.operands = expression.from.map(|from| values[from]).to_vec();
            }
            for (user, expression) in made.iter().enumerate() {
                let user = place(user + inputs.len());
                match expression.from.map(|from| from == step) {
                    [true, true] => vertex.users.push((user, Through::Opaque)),
                    [true, false] => vertex.users.push((user, Through::Operand(0))),
                    [false, true] => vertex.users.push((user, Through::Operand(1))),
                    [false, false] => {}
                }
            }
            if let Some(number) = shown.iter().position(|&at| at == step) {
                let allowed = Alternatives::only(BITS, values[step]);
                vertex.pins.push(Pin { allowed, evidence: Evidence::output(number) });
            }
            network.vertices.push(vertex);
        }
        let found = alternatives(&network);
        for step in 0..values.len() {
            let right = enumerated(&inputs, &made, &shown, step, BITS);
            let Some(found) = &found[place(step)] else { continue };
            for value in &right {
                assert!(found.contains(*value), "{value} would do at {step}");
            }
            exact += usize::from(found.count() == right.len() as u128);
            single += usize::from(found.single().is_some());
        }
    }
    // It is no use being right by saying nothing.
    assert!(exact > 1000 && single > 500, "{exact} are exact, {single} have one value");
}
