//! Terms as gates. Each term becomes bits once, and stays; so terms that later questions share with earlier ones cost
//! nothing.

mod gates;
mod circuits;

use self::circuits::{Word, opposite, word};
use self::gates::Gates;
use crate::clock;
use crate::hash::Map;
use crate::operation::Operation;
use crate::sat::{Literal, Patience, Reached, Sat};
use crate::term::{Term, Terms, View};

pub(crate) struct Blasted {
    gates: Gates,
    made: Map<Term, Made>,
    /// Bits of all terms.
    bits: Vec<Literal>,
    /// Quotients and remainders, which are made together.
    divided: Map<(Term, Term), (Word, Word)>,
}

/// A term's bits.
#[derive(Clone, Copy)]
struct Made {
    begin: u32,
    /// How many variables were new.
    variables: u32,
}

/// Limits are looked at each time so many terms have been made.
const BETWEEN_LOOKS: u32 = 64;

impl Blasted {
    pub fn new() -> Blasted {
        Blasted { gates: Gates::new(), made: Map::default(), bits: Vec::new(), divided: Map::default() }
    }

    pub fn sat(&mut self) -> &mut Sat {
        &mut self.gates.sat
    }

    pub fn variables(&self) -> usize {
        self.gates.sat.variables()
    }

    /// Roughly what is allocated.
    pub fn bytes(&self) -> usize {
        self.gates.sat.bytes() + 4 * self.bits.len() + 32 * self.made.len()
    }

    /// How many variables the term itself took, apart from those it is made of. None: it has not been made.
    pub fn cost(&self, term: Term) -> Option<usize> {
        self.made.get(&term).map(|made| made.variables as usize)
    }

    /// The bits of a term, lowest first, made if they are not yet there.
    pub fn bits(&mut self, terms: &Terms, term: Term, patience: Patience<'_>) -> Result<&[Literal], Reached> {
        let mut waiting = vec![term];
        let mut until_look = BETWEEN_LOOKS;
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
            until_look -= 1;
            if until_look == 0 {
                until_look = BETWEEN_LOOKS;
                self.look(patience)?;
            }
            let variables = self.variables();
            let bits = self.circuit(terms, next);
            let made = Made { begin: self.bits.len() as u32, variables: (self.variables() - variables) as u32 };
            self.bits.extend(bits);
            self.made.insert(next, made);
        }
        self.look(patience)?;
        Ok(self.known(terms, term).unwrap_or_default())
    }

    /// The bits of a term that were made before.
    pub fn known(&self, terms: &Terms, term: Term) -> Option<&[Literal]> {
        let begin = self.made.get(&term)?.begin as usize;
        self.bits.get(begin..begin + terms.width(term) as usize)
    }

    fn look(&self, patience: Patience<'_>) -> Result<(), Reached> {
        if self.bytes() > patience.bytes {
            return Err(Reached::Memory);
        }
        if patience.until.is_some_and(|until| clock::used() >= until) {
            return Err(Reached::Time);
        }
        if (patience.stop)() { Err(Reached::Asked) } else { Ok(()) }
    }

    /// The circuit of one term, over operands that have been made.
    fn circuit(&mut self, terms: &Terms, term: Term) -> Word {
        let width = terms.width(term) as usize;
        let of =
            |blasted: &Blasted, operand: Term| -> Word { blasted.known(terms, operand).unwrap_or_default().to_vec() };
        match terms.view(term) {
            View::Constant(value) => word(width, value),
            View::Symbol(_) => (0..width).map(|_| self.gates.sat.variable()).collect(),
            View::Binary(operation, a, b) => {
                let (of_a, of_b) = (of(self, a), of(self, b));
                self.binary(operation, (a, b), &of_a, &of_b)
            }
            View::Not(a) => opposite(&of(self, a)),
            View::Concat(high, low) => {
                let mut bits = of(self, low);
                bits.extend(of(self, high));
                bits
            }
            View::Extract(a, low) => of(self, a)[low as usize..][..width].to_vec(),
            View::ZeroExtend(a) => {
                let mut bits = of(self, a);
                bits.resize(width, Literal::FALSE);
                bits
            }
            View::SignExtend(a) => {
                let mut bits = of(self, a);
                let sign = bits.last().copied().unwrap_or(Literal::FALSE);
                bits.resize(width, sign);
                bits
            }
            View::Choose(condition, a, b) => {
                let (condition, a, b) = (of(self, condition), of(self, a), of(self, b));
                self.gates.choose_word(condition[0], &a, &b)
            }
            View::Table(index, table) => {
                let index = of(self, index);
                self.gates.entry(&index, terms.entries(table), width)
            }
        }
    }

    fn binary(&mut self, operation: Operation, of: (Term, Term), a: &[Literal], b: &[Literal]) -> Word {
        let gates = &mut self.gates;
        let bitwise = |gates: &mut Gates, gate: fn(&mut Gates, Literal, Literal) -> Literal| -> Word {
            a.iter().zip(b).map(|(&a, &b)| gate(gates, a, b)).collect()
        };
        match operation {
            Operation::Add => gates.add(a, b, Literal::FALSE),
            Operation::Subtract => gates.subtract(a, b),
            Operation::Multiply => gates.multiply(a, b),
            Operation::Divide => self.division(of, a, b).0.clone(),
            Operation::Remainder => self.division(of, a, b).1.clone(),
            Operation::ShiftLeft => gates.shift_left(a, b),
            Operation::ShiftRight => gates.shift_right(a, b, Literal::FALSE),
            Operation::ShiftRightArithmetic => {
                let sign = a.last().copied().unwrap_or(Literal::FALSE);
                gates.shift_right(a, b, sign)
            }
            Operation::And => bitwise(gates, Gates::and),
            Operation::Or => bitwise(gates, Gates::or),
            Operation::Xor => bitwise(gates, Gates::xor),
            Operation::Equal => vec![gates.equal(a, b)],
            Operation::LessUnsigned => vec![gates.less(a, b)],
            Operation::LessSigned => vec![gates.less_signed(a, b)],
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

    fn division(&mut self, of: (Term, Term), a: &[Literal], b: &[Literal]) -> &(Word, Word) {
        let gates = &mut self.gates;
        self.divided.entry(of).or_insert_with(|| gates.divide(a, b))
    }
}
