//! And, or, exclusive or, not, shifts. An operation on words that were put together of parts is done part by part where
//! that decides a part, so that a word loaded from bytes and cut apart again comes back as the bytes.

use crate::operation::{Operation, ones};
use crate::term::{Term, Terms, View};

/// A mask of more runs of equal bits is left as it is.
const MOST_RUNS: u32 = 4;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(constant) = self.as_constant(a) {
            return self.constant(width, !constant);
        }
        self.rewriting(width, View::Not(a), |terms| match terms.view(a) {
            View::Not(x) => Some(x),
            // What is known of all bits of an extension stays visible.
            View::SignExtend(x) => {
                let x = terms.not(x);
                Some(terms.sign_extend(x, width))
            }
            _ => None,
        })
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.binary(Operation::And, a, b, |terms| {
            let width = terms.width(a);
            if a == b {
                return Some(a);
            }
            if let Some(mask) = terms.as_constant(b) {
                if mask == 0 {
                    return Some(b);
                }
                if mask == ones(width) || terms.bounds(a).possible & !mask == 0 {
                    return Some(a);
                }
            }
            for (a, b) in [(a, b), (b, a)] {
                match terms.view(a) {
                    View::Not(x) if x == b => return Some(terms.constant(width, 0)),
                    View::Binary(Operation::And, x, y) if x == b || y == b => return Some(a),
                    View::Binary(Operation::Or, x, y) if x == b || y == b => return Some(b),
                    View::Binary(Operation::And, x, y) if terms.are_opposite(x, b) || terms.are_opposite(y, b) => {
                        return Some(terms.constant(width, 0));
                    }
                    _ => {}
                }
            }
            if let (Some(mask), View::Binary(Operation::And, x, y)) = (terms.as_constant(b), terms.view(a))
                && let Some(inner) = terms.as_constant(y)
            {
                let mask = terms.constant(width, mask & inner);
                return Some(terms.and(x, mask));
            }
            terms.by_parts(Operation::And, a, b)
        })
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.binary(Operation::Or, a, b, |terms| {
            let width = terms.width(a);
            if a == b {
                return Some(a);
            }
            if let Some(mask) = terms.as_constant(b) {
                if mask == 0 {
                    return Some(a);
                }
                if mask == ones(width) {
                    return Some(b);
                }
            }
            for (a, b) in [(a, b), (b, a)] {
                match terms.view(a) {
                    View::Not(x) if x == b => return Some(terms.constant(width, ones(width))),
                    View::Binary(Operation::Or, x, y) if x == b || y == b => return Some(a),
                    View::Binary(Operation::And, x, y) if x == b || y == b => return Some(b),
                    View::Binary(Operation::Or, x, y) if terms.are_opposite(x, b) || terms.are_opposite(y, b) => {
                        return Some(terms.constant(width, ones(width)));
                    }
                    _ => {}
                }
            }
            terms.by_parts(Operation::Or, a, b)
        })
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.binary(Operation::Xor, a, b, |terms| {
            let width = terms.width(a);
            if a == b {
                return Some(terms.constant(width, 0));
            }
            if let Some(flipped) = terms.as_constant(b) {
                if flipped == 0 {
                    return Some(a);
                }
                if flipped == ones(width) {
                    return Some(terms.not(a));
                }
                if let View::Binary(Operation::Xor, x, y) = terms.view(a)
                    && let Some(inner) = terms.as_constant(y)
                {
                    let flipped = terms.constant(width, flipped ^ inner);
                    return Some(terms.xor(x, flipped));
                }
            }
            for (a, b) in [(a, b), (b, a)] {
                match terms.view(a) {
                    View::Not(x) => {
                        let inner = terms.xor(x, b);
                        return Some(terms.not(inner));
                    }
                    View::Binary(Operation::Xor, x, y) if x == b => return Some(y),
                    View::Binary(Operation::Xor, x, y) if y == b => return Some(x),
                    _ => {}
                }
            }
            terms.by_parts(Operation::Xor, a, b)
        })
    }

    /// All of them hold; true if there are none.
    pub fn all(&mut self, constraints: &[Term]) -> Term {
        let mut all = self.truth(true);
        for &constraint in constraints {
            all = self.and(all, constraint);
        }
        all
    }

    fn are_opposite(&self, a: Term, b: Term) -> bool {
        self.view(a) == View::Not(b) || self.view(b) == View::Not(a)
    }

    /// Does the operation part by part, if this decides a part.
    fn by_parts(&mut self, operation: Operation, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let cut = match self.as_constant(b) {
            Some(mask) => {
                // A flipped part is no simpler than a flipped whole, unless the whole is made of parts already.
                let runs = (mask ^ mask >> 1).count_ones() + 1;
                let own = self.low_part(a);
                match operation {
                    Operation::Xor => own?,
                    _ if runs <= MOST_RUNS || own.is_some() => {
                        let of_mask = if mask & 1 == 1 { mask.trailing_ones() } else { mask.trailing_zeros() };
                        own.map_or(of_mask, |own| own.min(of_mask))
                    }
                    _ => return None,
                }
            }
            None => {
                let cuts = [self.low_part(a), self.low_part(b)];
                let cut = cuts.into_iter().flatten().min()?;
                let decides = |terms: &Terms, term: Term| match terms.view(term) {
                    // Of what is flipped by zeros, nothing is decided but that it stays: a checksum would fall to pieces.
                    View::ZeroExtend(_) if operation == Operation::Xor => false,
                    View::ZeroExtend(x) => terms.width(x) == cut,
                    View::Concat(high, low) => {
                        terms.as_constant(high).is_some() && terms.width(low) == cut || terms.as_constant(low).is_some()
                    }
                    _ => false,
                };
                if !decides(self, a) && !decides(self, b) && cuts[0] != cuts[1] {
                    return None;
                }
                cut
            }
        };
        if cut == 0 || cut >= width {
            return None;
        }
        let mut part = |low: u32, width: u32| {
            let b = self.extract(b, low, width);
            // What a mask alone decides is not looked for in a deep term.
            match (operation, self.as_constant(b)) {
                (Operation::And, Some(0)) => return b,
                (Operation::Or, Some(mask)) if mask == ones(width) => return b,
                _ => {}
            }
            let a = self.extract(a, low, width);
            match operation {
                Operation::And => self.and(a, b),
                Operation::Or => self.or(a, b),
                _ => self.xor(a, b),
            }
        };
        let (low, high) = (part(0, cut), part(cut, width - cut));
        Some(self.concat(high, low))
    }

    /// How many bits the lowest part has of a term that was put together of parts.
    fn low_part(&self, term: Term) -> Option<u32> {
        match self.view(term) {
            View::Concat(_, low) => Some(self.width(low)),
            View::ZeroExtend(x) => Some(self.width(x)),
            _ => None,
        }
    }

    /// Zero if the amount is the width or more.
    pub fn shift_left(&mut self, a: Term, by: Term) -> Term {
        self.binary(Operation::ShiftLeft, a, by, |terms| {
            let width = terms.width(a);
            match terms.amount(by, width) {
                Amount::Unknown => (terms.as_constant(a) == Some(0)).then_some(a),
                Amount::All => Some(terms.constant(width, 0)),
                Amount::Known(0) => Some(a),
                Amount::Known(by) => {
                    let (high, low) = (terms.extract(a, 0, width - by), terms.constant(by, 0));
                    Some(terms.concat(high, low))
                }
            }
        })
    }

    /// Zero if the amount is the width or more.
    pub fn shift_right_logical(&mut self, a: Term, by: Term) -> Term {
        self.binary(Operation::ShiftRight, a, by, |terms| {
            let width = terms.width(a);
            match terms.amount(by, width) {
                Amount::Unknown => (terms.as_constant(a) == Some(0)).then_some(a),
                Amount::All => Some(terms.constant(width, 0)),
                Amount::Known(0) => Some(a),
                Amount::Known(by) => {
                    let high = terms.extract(a, by, width - by);
                    Some(terms.zero_extend(high, width))
                }
            }
        })
    }

    /// Copies of the sign if the amount is the width or more.
    pub fn shift_right_arithmetic(&mut self, a: Term, by: Term) -> Term {
        self.binary(Operation::ShiftRightArithmetic, a, by, |terms| {
            let width = terms.width(a);
            if terms.bounds(a).sign(width) == Some(false) {
                return Some(terms.shift_right_logical(a, by));
            }
            let by = match terms.amount(by, width) {
                Amount::Unknown => return (terms.as_constant(a) == Some(ones(width))).then_some(a),
                Amount::All => width - 1,
                Amount::Known(by) => by,
            };
            let high = terms.extract(a, by, width - by);
            Some(terms.sign_extend(high, width))
        })
    }

    fn amount(&self, by: Term, width: u32) -> Amount {
        match self.as_constant(by) {
            Some(by) if by < u128::from(width) => Amount::Known(by as u32),
            Some(_) => Amount::All,
            None if self.bounds(by).least >= u128::from(width) => Amount::All,
            None => Amount::Unknown,
        }
    }
}

/// How far a shift goes.
enum Amount {
    /// Less than the width.
    Known(u32),
    All,
    Unknown,
}
