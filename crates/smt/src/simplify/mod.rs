//! How terms are made: each operation is simplified as it is made, by what is known of its operands. No rule looks at values
//! under the seed, so a term means the same under every assignment.
//!
//! Rules make terms by the same operations, so one rule leads to the next. [`Terms::rewriting`] bounds this: neither deep
//! terms nor wide ones make an operation expensive; what is over is left as it is.

mod bounded;
mod arithmetic;
mod bitwise;
mod choice;
mod comparison;
mod structure;
mod replaced;

pub use replaced::Replacing;

use crate::operation::{self, Operation};
use crate::term::{self, Term, Terms, View};

/// So many terms may be made for one operation.
const EFFORT: u32 = 200;
/// So deep may rules call each other; a call takes some hundred bytes of stack.
const DEPTH: u32 = 130;

impl Terms {
    /// Lets rules work on a term; where they have worked enough, the term is made as it is.
    fn rewriting(&mut self, width: u32, view: View, rules: impl FnOnce(&mut Terms) -> Option<Term>) -> Term {
        let shape = term::shape(width, view);
        if let Some(known) = self.effort.recent(&shape) {
            return known;
        }
        if self.effort.depth == 0 {
            self.effort.left = EFFORT;
        }
        if self.effort.left == 0 || self.effort.depth == DEPTH {
            return self.plain(width, view);
        }
        self.effort.left -= 1;
        self.effort.depth += 1;
        let found = rules(self);
        self.effort.depth -= 1;
        let found = found.unwrap_or_else(|| self.plain(width, view));
        // With more effort it may be simpler; in an arena that is full it is not what it should be.
        if self.effort.left > 0 && !self.is_full() {
            self.effort.remember(shape, found);
        }
        found
    }

    /// A term as it is. How great it can be is found out from what it is made of, which knows it of itself: so what is known
    /// does not end where [`Terms::bounds`] looks no deeper.
    fn plain(&mut self, width: u32, view: View) -> Term {
        let before = self.count();
        let term = self.made_of(width, view);
        if self.count() > before {
            self.lately.make_room();
            let greatest = self.note_bounds(term);
            self.set_greatest(term, greatest);
        }
        term
    }

    /// An operation on two operands of one width.
    fn binary(
        &mut self,
        operation: Operation,
        a: Term,
        b: Term,
        rules: impl FnOnce(&mut Terms) -> Option<Term>,
    ) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands of {operation:?}");
        let of_result = match operation {
            Operation::Equal | Operation::LessUnsigned | Operation::LessSigned => 1,
            _ => width,
        };
        if let (Some(a), Some(b)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(of_result, operation::binary(operation, width, a, b));
        }
        self.rewriting(of_result, View::Binary(operation, a, b), rules)
    }

    /// Operands in a fixed order: a constant last, else the older first.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let is_later = |term: Term| (self.as_constant(term).is_some(), term);
        if is_later(a) <= is_later(b) { (a, b) } else { (b, a) }
    }
}
