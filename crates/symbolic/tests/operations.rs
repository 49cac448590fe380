//! Operations on terms are those of `semantics` on numbers, for all of them and all widths from 1 to 64: evaluated under a
//! model, simplified with constants, and as gates.

use faultline_symbolic::TermDomain;
use program::{BinaryOp, CastOp, ICmp};
use proptest::prelude::*;
use semantics::{Double, Scalar, binary, cast, compare, on_integers, with_overflow};
use smt::{Answer, Layers, Limits, Model, Query, Solver, Term, Terms};

const BINARY: [BinaryOp; 13] = [
    BinaryOp::Xor,
    BinaryOp::Add,
    BinaryOp::SDiv,
    BinaryOp::Shl,
    BinaryOp::Sub,
    BinaryOp::UDiv,
    BinaryOp::LShr,
    BinaryOp::Mul,
    BinaryOp::URem,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::SRem,
    BinaryOp::Or,
];

const COMPARISONS: [ICmp; 10] =
    [ICmp::Eq, ICmp::Ne, ICmp::Ugt, ICmp::Uge, ICmp::Ult, ICmp::Ule, ICmp::Sgt, ICmp::Sge, ICmp::Slt, ICmp::Sle];

const OVERFLOWING: [&str; 6] = [
    "sadd.with.overflow",
    "uadd.with.overflow",
    "ssub.with.overflow",
    "usub.with.overflow",
    "smul.with.overflow",
    "umul.with.overflow",
];

const INTRINSICS: [&str; 10] = ["smin", "smax", "umin", "umax", "abs", "ctpop", "ctlz", "cttz", "uadd.sat", "ssub.sat"];

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

/// Two symbols that were something else in the run, and the model that has these values.
struct Asked {
    domain: TermDomain,
    symbols: [Term; 2],
    values: [u128; 2],
    model: Model,
}

impl Asked {
    fn new(width: u32, values: [u128; 2]) -> Asked {
        let domain = TermDomain::new(Terms::new());
        let symbols = [1, 2].map(|seed| domain.with(|terms| terms.symbol(width, seed)));
        let number = |term| domain.with(|terms| terms.symbol_of(term)).expect("a symbol");
        let model = symbols.into_iter().map(number).zip(values).collect();
        Asked { domain, symbols, values, model }
    }

    fn constants(&self, width: u32) -> [Term; 2] {
        self.values.map(|value| self.domain.constant(width, value))
    }

    /// Evaluated, the term is this; and no gate has it otherwise.
    fn is(&self, term: Term, expected: u128) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.domain.with(|terms| terms.evaluate(term, &self.model)), expected);
        let query: Vec<Term> = self.domain.with(|terms| {
            let equal = |terms: &mut Terms, term: Term, value: u128| {
                let value = terms.constant(terms.width(term), value);
                terms.equal(term, value)
            };
            let right = equal(terms, term, expected);
            let [a, b] = self.symbols;
            vec![equal(terms, a, self.values[0]), equal(terms, b, self.values[1]), terms.not(right)]
        });
        let mut solver = Solver::with_layers(Layers::NONE);
        let query = Query { known: &query[..2], wanted: &query[2..] };
        let answer = self.domain.with(|terms| solver.ask(terms, query, &Limits::default(), &|| false));
        prop_assert!(matches!(answer, Answer::No(_)), "gates have something else than {}: {:?}", expected, answer);
        Ok(())
    }
}

/// Numbers near the ends of their range more often than chance would have it.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), 0..8u64, (0..8u64).prop_map(|less| u64::MAX - less), (0..64u32).prop_map(|bit| 1 << bit)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn of_two_numbers(
        op in proptest::sample::select(&BINARY[..]),
        width in 1u32..65,
        a in number(),
        b in number(),
        amount in 0..64u64,
    ) {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
        // The saved IR has no shift by the width or more.
        let b = if is_shift { amount % u64::from(width) } else { b };
        let values = [u128::from(a) & mask(width), u128::from(b) & mask(width)];
        let of = Scalar::Int(width);
        let right = binary(&Double, op, of, &values[0], &values[1]);
        let asked = Asked::new(width, values);
        let [x, y] = asked.symbols;
        let [left, other] = asked.constants(width);
        for (x, y) in [(x, y), (left, y), (x, other), (left, other)] {
            let made = binary(&asked.domain, op, of, &x, &y);
            asked.is(made.traps, right.traps.into())?;
            // What traps has no value.
            if !right.traps {
                asked.is(made.value, right.value)?;
            }
        }
    }

    #[test]
    fn comparing(
        op in proptest::sample::select(&COMPARISONS[..]),
        width in 1u32..65,
        a in number(),
        b in prop_oneof![number().prop_map(Some), Just(None)],
    ) {
        let values = [u128::from(a) & mask(width), u128::from(b.unwrap_or(a)) & mask(width)];
        let right = compare(&Double, op, width, &values[0], &values[1]);
        let asked = Asked::new(width, values);
        let [x, y] = asked.symbols;
        let [left, other] = asked.constants(width);
        for (x, y) in [(x, y), (left, y), (x, other)] {
            asked.is(compare(&asked.domain, op, width, &x, &y), right.into())?;
        }
    }

    #[test]
    fn of_other_widths(from in 1u32..65, to in 1u32..65, a in number()) {
        let values = [u128::from(a) & mask(from), 0];
        let asked = Asked::new(from, values);
        let ops: &[CastOp] = if to < from { &[CastOp::Trunc] } else { &[CastOp::ZExt, CastOp::SExt] };
        for &op in ops {
            let (from, to) = (Scalar::Int(from), Scalar::Int(to));
            let right = cast(&Double, op, from, to, &values[0]);
            asked.is(cast(&asked.domain, op, from, to, &asked.symbols[0]), right)?;
        }
    }

    #[test]
    fn of_intrinsics(
        overflowing in proptest::sample::select(&OVERFLOWING[..]),
        other in proptest::sample::select(&INTRINSICS[..]),
        width in prop_oneof![Just(8u32), Just(16), Just(32), Just(64)],
        a in number(),
        b in number(),
    ) {
        // A product is compared in twice its width: of 64 bits that takes a solver long.
        let width = if overflowing.contains("mul") { width.min(8) } else { width };
        let values = [u128::from(a) & mask(width), u128::from(b) & mask(width)];
        let asked = Asked::new(width, values);
        let [x, y] = asked.symbols;
        let right = with_overflow(&Double, overflowing, width, &values[0], &values[1]).expect("it is known");
        let made = with_overflow(&asked.domain, overflowing, width, &x, &y).expect("it is known");
        asked.is(made.0, right.0)?;
        asked.is(made.1, right.1.into())?;
        let zero = asked.domain.constant(width, 0);
        let right = on_integers(&Double, other, width, [&values[0], &values[1], &0]);
        let made = on_integers(&asked.domain, other, width, [&x, &y, &zero]);
        prop_assert_eq!(right.is_some(), made.is_some());
        if let (Some(right), Some(made)) = (right, made) {
            asked.is(made, right)?;
        }
    }
}
