//! Terms with others in place of some that they are made of: to ask what would hold if something were another number than
//! what its bits can be.

use crate::hash::Map;
use crate::operation::Operation;
use crate::term::{Term, Terms, View};

/// What stands in place of which terms, and what became of those made of them.
#[derive(Default)]
pub struct Replacing {
    made: Map<Term, Term>,
}

impl Replacing {
    /// `by` has the width of the term it replaces.
    pub fn new(by: impl IntoIterator<Item = (Term, Term)>) -> Replacing {
        Replacing { made: by.into_iter().collect() }
    }

    /// The term, made anew where it has a replaced one in it.
    pub fn replaced(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut waiting = vec![term];
        while let Some(&next) = waiting.last() {
            if self.made.contains_key(&next) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            waiting.extend(terms.operands(next).filter(|operand| !self.made.contains_key(operand)));
            if waiting.len() > before {
                continue;
            }
            waiting.pop();
            let is_as_before = terms.operands(next).all(|operand| self.made[&operand] == operand);
            let made = if is_as_before { next } else { self.anew(terms, next) };
            self.made.insert(next, made);
        }
        self.made[&term]
    }

    /// All that it is made of has been replaced.
    fn anew(&self, terms: &mut Terms, term: Term) -> Term {
        let (of, width) = (|operand: Term| self.made[&operand], terms.width(term));
        match terms.view(term) {
            View::Constant(_) | View::Symbol(_) => term,
            View::Binary(operation, a, b) => binary(terms, operation, of(a), of(b)),
            View::Not(a) => terms.not(of(a)),
            View::Concat(high, low) => terms.concat(of(high), of(low)),
            View::Extract(a, low) => terms.extract(of(a), low, width),
            View::ZeroExtend(a) => terms.zero_extend(of(a), width),
            View::SignExtend(a) => terms.sign_extend(of(a), width),
            View::Choose(condition, then, otherwise) => terms.choose(of(condition), of(then), of(otherwise)),
            View::Table(index, table) => terms.entry_of(of(index), table, width),
        }
    }
}

fn binary(terms: &mut Terms, operation: Operation, a: Term, b: Term) -> Term {
    match operation {
        Operation::Add => terms.add(a, b),
        Operation::Subtract => terms.subtract(a, b),
        Operation::Multiply => terms.multiply(a, b),
        Operation::Divide => terms.divide_unsigned(a, b),
        Operation::Remainder => terms.remainder_unsigned(a, b),
        Operation::ShiftLeft => terms.shift_left(a, b),
        Operation::ShiftRight => terms.shift_right_logical(a, b),
        Operation::ShiftRightArithmetic => terms.shift_right_arithmetic(a, b),
        Operation::And => terms.and(a, b),
        Operation::Or => terms.or(a, b),
        Operation::Xor => terms.xor(a, b),
        Operation::Equal => terms.equal(a, b),
        Operation::LessUnsigned => terms.less_unsigned(a, b),
        Operation::LessSigned => terms.less_signed(a, b),
        Operation::Constant
        | Operation::Symbol
        | Operation::Not
        | Operation::Concat
        | Operation::Extract
        | Operation::ZeroExtend
        | Operation::SignExtend
        | Operation::Choose
        | Operation::Table => unreachable!("{operation:?} has no two operands of one width"),
    }
}
