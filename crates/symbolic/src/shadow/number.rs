//! Numbers that code outside makes of characters: terms of their digits, as twins of such functions would compute them.
//!
//! A decimal fraction of so few digits that neither they nor the power of ten are rounded is one division, which rounds as
//! the library does.

use program::FloatKind;
use replay::Observed;
use semantics::{Domain, Reading};
use smt::Term;

use super::Shadow;
use super::characters::{Characters, Class};
use crate::float::Decimal;

/// An integer as it stands there.
pub(super) struct Integer {
    pub is_negative: bool,
    /// Of 64 bits; none if there are more digits than fit there for sure.
    pub magnitude: Option<Term>,
}

/// Whether characters make a number.
pub(super) enum Parsed<T> {
    /// It may be that nothing follows.
    Number(T),
    /// There is something else.
    NoNumber,
    /// It is of a form that is not followed.
    Other,
}

/// Digits that fit into 64 bits for sure.
const MOST_DIGITS: usize = 18;

impl Shadow<'_> {
    /// Decimal, with white space before it; `from` is behind it afterwards.
    pub(super) fn integer(&mut self, step: &Observed<'_>, from: &mut Characters) -> Parsed<Integer> {
        if !self.skip_space(step, from) {
            return Parsed::NoNumber;
        }
        let is_negative = self.sign(step, from);
        let (digits, magnitude) = self.digits(step, from, None);
        match digits {
            0 => Parsed::NoNumber,
            _ => Parsed::Number(Integer { is_negative, magnitude: magnitude.filter(|_| digits <= MOST_DIGITS) }),
        }
    }

    fn sign(&mut self, step: &Observed<'_>, from: &mut Characters) -> bool {
        let Some(first) = self.next(step, from) else { return false };
        for sign in [b'-', b'+'] {
            if self.is_of(step, first, Class::Exactly(sign)) {
                from.advance();
                return sign == b'-';
            }
        }
        false
    }

    /// How many, and what they stand for behind those before them.
    fn digits(&mut self, step: &Observed<'_>, from: &mut Characters, before: Option<Term>) -> (usize, Option<Term>) {
        let (mut count, mut all) = (0, before);
        while let Some(character) = self.next(step, from) {
            if !self.is_of(step, character, Class::Digit) {
                break;
            }
            from.advance();
            count += 1;
            if count > MOST_DIGITS {
                continue;
            }
            let term = self.character_term(character);
            all = Some(self.domain.with(|terms| {
                let zero = terms.constant(8, b'0'.into());
                let digit = terms.subtract(term, zero);
                let digit = terms.zero_extend(digit, 64);
                let ten = terms.constant(64, 10);
                match all {
                    Some(all) => {
                        let all = terms.multiply(all, ten);
                        terms.add(all, digit)
                    }
                    None => digit,
                }
            }));
        }
        (count, all)
    }

    /// An integer of so many bits: the term, if it fits. Whether it does is a condition.
    pub(super) fn fitting(
        &mut self,
        step: &Observed<'_>,
        integer: &Integer,
        reading: Reading,
        width: u32,
    ) -> Option<Term> {
        let magnitude = integer.magnitude?;
        let most = match (reading, integer.is_negative) {
            (Reading::Unsigned, _) => u64::MAX >> (64 - width),
            (Reading::Signed, false) => u64::MAX >> (65 - width),
            (Reading::Signed, true) => 1 << (width - 1),
        };
        let fits = self.domain.with(|terms| {
            let most = terms.constant(64, most.into());
            let is_more = terms.less_unsigned(most, magnitude);
            terms.not(is_more)
        });
        let does_fit = self.domain.value(fits) == 1;
        let not = self.domain.with(|terms| terms.not(fits));
        match does_fit {
            true => self.either(step, crate::path::Kind::Extent, fits, not),
            false => self.either(step, crate::path::Kind::Extent, not, fits),
        }
        does_fit.then(|| {
            self.domain.with(|terms| {
                let value = match integer.is_negative {
                    true => {
                        let zero = terms.constant(64, 0);
                        terms.subtract(zero, magnitude)
                    }
                    false => magnitude,
                };
                terms.extract(value, 0, width)
            })
        })
    }

    /// A decimal number with a point, but without an exponent, as `strtod` reads it.
    pub(super) fn decimal(
        &mut self,
        step: &Observed<'_>,
        from: &mut Characters,
        kind: FloatKind,
    ) -> Parsed<Option<Term>> {
        let Some((exact, powers)) = Decimal::exact(kind) else { return Parsed::Other };
        if !self.skip_space(step, from) {
            return Parsed::NoNumber;
        }
        let is_negative = self.sign(step, from);
        let (whole, magnitude) = self.digits(step, from, None);
        let (mut behind, mut magnitude) = (0, magnitude);
        if let Some(point) = self.next(step, from)
            && self.is_of(step, point, Class::Exactly(b'.'))
        {
            from.advance();
            (behind, magnitude) = self.digits(step, from, magnitude);
        }
        if whole + behind == 0 {
            return match self.next(step, from).is_some_and(|next| next.value.is_ascii_alphabetic()) {
                true => Parsed::Other,
                false => Parsed::NoNumber,
            };
        }
        if let Some(next) = self.next(step, from) {
            for letter in *b"eExX" {
                if self.is_of(step, next, Class::Exactly(letter)) {
                    return Parsed::Other;
                }
            }
        }
        if whole + behind > exact || behind > powers {
            return Parsed::Number(None);
        }
        Parsed::Number(magnitude.map(|magnitude| {
            let power = self.domain.number(64, 10_u64.pow(behind as u32));
            let (a, b) = (
                self.domain.integer_to_float(Reading::Unsigned, 64, kind, &magnitude),
                self.domain.integer_to_float(Reading::Unsigned, 64, kind, &power),
            );
            let value = match behind {
                0 => a,
                _ => self.domain.float_binary(program::BinaryOp::FDiv, kind, &a, &b),
            };
            let value = if is_negative { semantics::negate(&self.domain, kind, &value) } else { value };
            let behind = behind as u32;
            let decimal = Decimal { magnitude, behind, is_negative, read_in: kind, is_narrowed: false };
            self.domain.note_decimal(value, decimal);
            value
        }))
    }
}
