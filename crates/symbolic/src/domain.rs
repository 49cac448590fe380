//! Terms as a domain of `semantics`: what the replay computes with numbers is computed with terms, by the same code.

use std::cell::RefCell;

use program::{BinaryOp, CastOp, FloatKind};
use semantics::{Domain, Reading, Scalar};
use smt::hash::Map;
use smt::{Term, Terms};

use crate::float::{self, Decimal, Format};

/// Terms of one run. Some operations of floats have no terms: their results are told as lost before anybody asks for them.
pub struct TermDomain {
    terms: RefCell<Terms>,
    /// Floats that were read from digits.
    decimals: RefCell<Map<Term, Decimal>>,
}

impl TermDomain {
    pub fn new(terms: Terms) -> TermDomain {
        TermDomain { terms: RefCell::new(terms), decimals: RefCell::default() }
    }

    pub fn into_terms(self) -> Terms {
        self.terms.into_inner()
    }

    /// Something that is no operation of a program's.
    pub fn with<R>(&self, make: impl FnOnce(&mut Terms) -> R) -> R {
        make(&mut self.terms.borrow_mut())
    }

    /// Operations that became constants since memory for terms was spent.
    pub fn given_up(&self) -> u64 {
        self.terms.borrow().concretised()
    }

    /// Memory for terms is spent.
    pub fn is_full(&self) -> bool {
        self.terms.borrow().is_full()
    }

    pub fn width(&self, term: Term) -> u32 {
        self.terms.borrow().width(term)
    }

    /// What it was in the run.
    pub fn value(&self, term: Term) -> u128 {
        self.terms.borrow().value(term)
    }

    pub fn is_constant(&self, term: Term) -> bool {
        self.terms.borrow().as_constant(term).is_some()
    }

    pub fn constant(&self, width: u32, value: u128) -> Term {
        self.with(|terms| terms.constant(width, value))
    }

    /// These bits of it, `width` of them from `low` on.
    pub fn part(&self, term: Term, low: u32, width: u32) -> Term {
        self.with(|terms| terms.extract(term, low, width))
    }

    pub fn beside(&self, high: Term, low: Term) -> Term {
        self.with(|terms| terms.concat(high, low))
    }
}

impl Domain for TermDomain {
    type Value = Term;
    type Truth = Term;

    fn number(&self, width: u32, value: u64) -> Term {
        let kept = if width < 64 { value & ((1 << width) - 1) } else { value };
        self.constant(width, kept.into())
    }

    fn truth(&self, holds: bool) -> Term {
        self.constant(1, holds.into())
    }

    fn both(&self, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.and(*a, *b))
    }

    fn either(&self, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.or(*a, *b))
    }

    fn not(&self, a: &Term) -> Term {
        self.with(|terms| terms.not(*a))
    }

    fn choose(&self, holds: &Term, then: &Term, otherwise: &Term) -> Term {
        self.with(|terms| terms.choose(*holds, *then, *otherwise))
    }

    fn add(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.add(*a, *b))
    }

    fn subtract(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.subtract(*a, *b))
    }

    fn multiply(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.multiply(*a, *b))
    }

    fn divide(&self, reading: Reading, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| match reading {
            Reading::Unsigned => terms.divide_unsigned(*a, *b),
            Reading::Signed => terms.divide_signed(*a, *b),
        })
    }

    fn remainder(&self, reading: Reading, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| match reading {
            Reading::Unsigned => terms.remainder_unsigned(*a, *b),
            Reading::Signed => terms.remainder_signed(*a, *b),
        })
    }

    fn product_overflows(&self, reading: Reading, width: u32, a: &Term, b: &Term) -> Term {
        // In twice the width nothing overflows. Programs ask this of 64 bits at most.
        let broad = (2 * width).min(128);
        let (a, b) = (self.widen(reading, width, broad, a), self.widen(reading, width, broad, b));
        let product = self.multiply(broad, &a, &b);
        let kept = self.cut(broad, width, &product);
        let again = self.widen(reading, width, broad, &kept);
        self.not(&self.equal(broad, &again, &product))
    }

    fn shift_left(&self, _: u32, a: &Term, amount: &Term) -> Term {
        self.with(|terms| terms.shift_left(*a, *amount))
    }

    fn shift_right(&self, reading: Reading, _: u32, a: &Term, amount: &Term) -> Term {
        self.with(|terms| match reading {
            Reading::Unsigned => terms.shift_right_logical(*a, *amount),
            Reading::Signed => terms.shift_right_arithmetic(*a, *amount),
        })
    }

    fn and(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.and(*a, *b))
    }

    fn or(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.or(*a, *b))
    }

    fn exclusive_or(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.xor(*a, *b))
    }

    fn equal(&self, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| terms.equal(*a, *b))
    }

    fn less(&self, reading: Reading, _: u32, a: &Term, b: &Term) -> Term {
        self.with(|terms| match reading {
            Reading::Unsigned => terms.less_unsigned(*a, *b),
            Reading::Signed => terms.less_signed(*a, *b),
        })
    }

    fn cut(&self, _: u32, to: u32, value: &Term) -> Term {
        self.with(|terms| terms.extract(*value, 0, to))
    }

    fn widen(&self, reading: Reading, _: u32, to: u32, value: &Term) -> Term {
        self.with(|terms| match reading {
            Reading::Unsigned => terms.zero_extend(*value, to),
            Reading::Signed => terms.sign_extend(*value, to),
        })
    }

    fn float_binary(&self, op: BinaryOp, kind: FloatKind, a: &Term, b: &Term) -> Term {
        let made = Format::of(kind).and_then(|of| self.with(|terms| float::binary(terms, of, op, *a, *b)));
        made.unwrap_or_else(|| self.no_float(kind))
    }

    fn float_equal(&self, kind: FloatKind, a: &Term, b: &Term) -> Term {
        let found = self.decimal_and_constant(kind, a, b).or_else(|| self.decimal_and_constant(kind, b, a));
        match found {
            Some((decimal, constant)) => self.with(|terms| decimal.equal(terms, constant)),
            None => self.compared(kind, |terms, of| float::equal(terms, of, *a, *b)),
        }
    }

    fn float_less(&self, kind: FloatKind, a: &Term, b: &Term) -> Term {
        if let Some((decimal, constant)) = self.decimal_and_constant(kind, a, b) {
            return self.with(|terms| decimal.less(terms, constant));
        }
        if let Some((decimal, constant)) = self.decimal_and_constant(kind, b, a) {
            return self.not(&self.with(|terms| decimal.less_or_equal(terms, constant)));
        }
        self.compared(kind, |terms, of| float::less(terms, of, *a, *b))
    }

    fn float_less_or_equal(&self, kind: FloatKind, a: &Term, b: &Term) -> Term {
        if let Some((decimal, constant)) = self.decimal_and_constant(kind, a, b) {
            return self.with(|terms| decimal.less_or_equal(terms, constant));
        }
        if let Some((decimal, constant)) = self.decimal_and_constant(kind, b, a) {
            return self.not(&self.with(|terms| decimal.less(terms, constant)));
        }
        self.compared(kind, |terms, of| float::less_or_equal(terms, of, *a, *b))
    }

    fn float_unordered(&self, kind: FloatKind, a: &Term, b: &Term) -> Term {
        self.compared(kind, |terms, of| float::is_unordered(terms, of, *a, *b))
    }

    fn float_convert(&self, from: FloatKind, to: FloatKind, value: &Term) -> Term {
        match (Format::of(from), Format::of(to)) {
            (Some(from_format), Some(to_format)) => {
                let converted = self.with(|terms| float::between(terms, from_format, to_format, *value));
                let decimal = self.decimals.borrow().get(value).copied();
                if let Some(decimal) = decimal {
                    let is_narrowed = decimal.is_narrowed || to == FloatKind::Single;
                    self.note_decimal(converted, Decimal { is_narrowed, ..decimal });
                }
                converted
            }
            _ => self.no_float(to),
        }
    }

    fn float_to_integer(&self, reading: Reading, from: FloatKind, to: u32, value: &Term) -> Term {
        let made = Format::of(from).and_then(|of| self.with(|terms| float::to_integer(terms, reading, of, to, *value)));
        made.unwrap_or_else(|| self.number(to, 0))
    }

    fn integer_to_float(&self, reading: Reading, _: u32, to: FloatKind, value: &Term) -> Term {
        let made = Format::of(to).and_then(|of| self.with(|terms| float::from_integer(terms, reading, of, *value)));
        made.unwrap_or_else(|| self.no_float(to))
    }
}

impl TermDomain {
    /// Of operations that [`follows_floats`](TermDomain::follows_floats) says no of: nobody asks for them.
    fn no_float(&self, kind: FloatKind) -> Term {
        self.number(semantics::Scalar::Float(kind).width(), 0)
    }

    /// A float was read from digits.
    pub fn note_decimal(&self, float: Term, decimal: Decimal) {
        self.decimals.borrow_mut().insert(float, decimal);
    }

    /// Where a float that was read from digits is compared with a number that is the same in every run.
    fn decimal_and_constant(&self, kind: FloatKind, float: &Term, constant: &Term) -> Option<(Decimal, f64)> {
        let decimal = *self.decimals.borrow().get(float)?;
        let constant = self.terms.borrow().as_constant(*constant)?;
        let constant = match kind {
            FloatKind::Single => f32::from_bits(constant as u32).into(),
            FloatKind::Double => f64::from_bits(constant as u64),
            FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => return None,
        };
        (!constant.is_nan()).then_some((decimal, constant))
    }

    fn compared(&self, kind: FloatKind, make: impl FnOnce(&mut Terms, Format) -> Term) -> Term {
        match Format::of(kind) {
            Some(of) => self.with(|terms| make(terms, of)),
            None => self.truth(false),
        }
    }

    /// Whether there are terms for a binary operation of such floats.
    pub fn follows_floats(op: BinaryOp, kind: FloatKind) -> bool {
        Format::of(kind).is_some() && matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv)
    }

    /// Whether there are terms for a conversion.
    pub fn follows_cast(op: CastOp, from: Scalar, to: Scalar) -> bool {
        let has_terms = |scalar| match scalar {
            Scalar::Float(kind) => Format::of(kind).is_some(),
            Scalar::Int(width) => width <= 64,
        };
        match op {
            CastOp::FpTrunc | CastOp::FpExt | CastOp::SiToFp | CastOp::UiToFp | CastOp::FpToSi => {
                has_terms(from) && has_terms(to)
            }
            CastOp::FpToUi => has_terms(from) && to.width() <= 32,
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => true,
        }
    }
}
