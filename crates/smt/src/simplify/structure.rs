//! Putting together, cutting, extending. Terms that are put together nest to the right: the first operand of a concatenation
//! is no concatenation. High bits that are zero are an extension, not a part.

use crate::operation::{Operation, sign_extended};
use crate::term::{Term, Terms, View};

impl Terms {
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (of_high, of_low) = (self.width(high), self.width(low));
        let width = of_high + of_low;
        if let (Some(high), Some(low)) = (self.as_constant(high), self.as_constant(low)) {
            return self.constant(width, high << of_low | low);
        }
        self.rewriting(width, View::Concat(high, low), |terms| terms.joined(high, low, width))
    }

    fn joined(&mut self, high: Term, low: Term, width: u32) -> Option<Term> {
        if self.as_constant(high) == Some(0) {
            return Some(self.zero_extend(low, width));
        }
        match self.view(high) {
            View::Concat(first, second) => {
                let rest = self.concat(second, low);
                return Some(self.concat(first, rest));
            }
            View::ZeroExtend(x) => {
                let joined = self.concat(x, low);
                return Some(self.zero_extend(joined, width));
            }
            _ => {}
        }
        if let Some(joined) = self.neighbours(high, low) {
            return Some(joined);
        }
        match self.view(low) {
            View::Concat(first, second) => {
                let joined = self.neighbours(high, first)?;
                Some(self.concat(joined, second))
            }
            View::ZeroExtend(x) => {
                let constant = self.as_constant(high)?;
                let zeros = self.width(low) - self.width(x);
                let high = self.constant(self.width(high) + zeros, constant << zeros);
                Some(self.concat(high, x))
            }
            _ => None,
        }
    }

    /// Two parts that are one: constants, or neighbouring bits of one term.
    fn neighbours(&mut self, high: Term, low: Term) -> Option<Term> {
        let (of_high, of_low) = (self.width(high), self.width(low));
        if let (Some(high), Some(low)) = (self.as_constant(high), self.as_constant(low)) {
            return Some(self.constant(of_high + of_low, high << of_low | low));
        }
        let (above, from) = match self.view(high) {
            View::Extract(above, from) => (above, from),
            _ => return None,
        };
        let (below, to) = match self.view(low) {
            View::Extract(below, to) => (below, to),
            _ => (low, 0),
        };
        (above == below && from == to + of_low).then(|| self.extract(above, to, of_high + of_low))
    }

    /// So many bits from a lowest one on.
    pub fn extract(&mut self, term: Term, low: u32, width: u32) -> Term {
        let (mut term, mut low) = (term, low);
        // As long as all of the bits are those of a part, there is nothing to be made, and nothing to be remembered.
        loop {
            let whole = self.width(term);
            debug_assert!(width >= 1 && low + width <= whole, "bits {low} to {} of {whole}", low + width);
            if width == whole {
                return term;
            }
            (term, low) = match self.view(term) {
                View::Constant(value) => return self.constant(width, value >> low),
                View::Extract(x, before) => (x, before + low),
                View::Concat(high, x) if low >= self.width(x) => (high, low - self.width(x)),
                View::Concat(_, x) | View::ZeroExtend(x) | View::SignExtend(x) if low + width <= self.width(x) => {
                    (x, low)
                }
                View::ZeroExtend(x) if low >= self.width(x) => return self.constant(width, 0),
                _ => break,
            }
        }
        self.rewriting(width, View::Extract(term, low), |terms| terms.cut(term, low, width))
    }

    /// Bits that are not all those of one part.
    fn cut(&mut self, term: Term, low: u32, width: u32) -> Option<Term> {
        use Operation::{Add, And, Multiply, Or, Subtract, Xor};
        match self.view(term) {
            View::Concat(high, x) => {
                let at = self.width(x);
                let (high, x) = (self.extract(high, 0, low + width - at), self.extract(x, low, at - low));
                Some(self.concat(high, x))
            }
            View::ZeroExtend(x) => {
                let at = self.width(x);
                let inner = self.extract(x, low, at - low);
                Some(self.zero_extend(inner, width))
            }
            View::SignExtend(x) => {
                let at = self.width(x);
                // Above, there are only copies of the highest bit.
                let low = low.min(at - 1);
                let inner = self.extract(x, low, width.min(at - low));
                Some(self.sign_extend(inner, width))
            }
            View::Not(x) => {
                let x = self.extract(x, low, width);
                Some(self.not(x))
            }
            View::Binary(operation @ (And | Or | Xor), a, b) => {
                let (a, b) = (self.extract(a, low, width), self.extract(b, low, width));
                Some(match operation {
                    And => self.and(a, b),
                    Or => self.or(a, b),
                    _ => self.xor(a, b),
                })
            }
            // Low bits depend on low bits only.
            View::Binary(operation @ (Add | Subtract | Multiply), a, b) if low == 0 => {
                let (a, b) = (self.extract(a, 0, width), self.extract(b, 0, width));
                Some(match operation {
                    Add => self.add(a, b),
                    Subtract => self.subtract(a, b),
                    _ => self.multiply(a, b),
                })
            }
            View::Choose(condition, a, b) => {
                let (a, b) = (self.extract(a, low, width), self.extract(b, low, width));
                Some(self.choose(condition, a, b))
            }
            View::Table(index, table) => Some(self.part_of_entry(index, table, low, width)),
            View::Constant(_) | View::Symbol(_) | View::Extract(..) | View::Binary(..) => None,
        }
    }

    /// To at least as many bits as there are.
    pub fn zero_extend(&mut self, term: Term, to: u32) -> Term {
        let from = self.width(term);
        debug_assert!(from <= to, "{from} bits extended to {to}");
        if from >= to {
            return term;
        }
        if let Some(constant) = self.as_constant(term) {
            return self.constant(to, constant);
        }
        match self.view(term) {
            View::ZeroExtend(x) => self.plain(to, View::ZeroExtend(x)),
            _ => self.plain(to, View::ZeroExtend(term)),
        }
    }

    /// To at least as many bits as there are.
    pub fn sign_extend(&mut self, term: Term, to: u32) -> Term {
        let from = self.width(term);
        debug_assert!(from <= to, "{from} bits extended to {to}");
        if from >= to {
            return term;
        }
        if let Some(constant) = self.as_constant(term) {
            return self.constant(to, sign_extended(from, to, constant));
        }
        if self.bounds(term).sign(from) == Some(false) {
            return self.zero_extend(term, to);
        }
        match self.view(term) {
            View::SignExtend(x) => self.plain(to, View::SignExtend(x)),
            _ => self.plain(to, View::SignExtend(term)),
        }
    }
}
