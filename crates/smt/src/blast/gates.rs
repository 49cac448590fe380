//! Gates, as clauses of the SAT solver. A gate is made once for the same inputs, and not at all where constants, equal or
//! opposite inputs decide it.

use crate::hash::Map;
use crate::sat::{Literal, Sat};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Choose,
    Sum,
    Majority,
}

pub(crate) struct Gates {
    pub sat: Sat,
    made: Map<(Kind, u32, u32, u32), Literal>,
}

impl Gates {
    pub fn new() -> Gates {
        Gates { sat: Sat::new(), made: Map::default() }
    }

    /// Of a gate made before, or a new variable, which the gate's clauses must yet define.
    fn output(&mut self, kind: Kind, [a, b, c]: [Literal; 3]) -> Result<Literal, Literal> {
        let key = (kind, a.word(), b.word(), c.word());
        if let Some(&made) = self.made.get(&key) {
            return Err(made);
        }
        let output = self.sat.variable();
        self.made.insert(key, output);
        Ok(output)
    }

    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        if a == Literal::FALSE || b == Literal::FALSE || a == !b {
            return Literal::FALSE;
        }
        if a == Literal::TRUE || a == b {
            return b;
        }
        if b == Literal::TRUE {
            return a;
        }
        let (a, b) = (a.min(b), a.max(b));
        match self.output(Kind::And, [a, b, Literal::TRUE]) {
            Err(made) => made,
            Ok(output) => {
                self.sat.clause(&[!output, a]);
                self.sat.clause(&[!output, b]);
                self.sat.clause(&[output, !a, !b]);
                output
            }
        }
    }

    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// All of them.
    pub fn all(&mut self, inputs: &[Literal]) -> Literal {
        let mut inputs: Vec<Literal> = inputs.iter().copied().filter(|input| *input != Literal::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let contradicts = |pair: &[Literal]| pair[0] == !pair[1];
        if inputs.contains(&Literal::FALSE) || inputs.windows(2).any(contradicts) {
            return Literal::FALSE;
        }
        match inputs[..] {
            [] => Literal::TRUE,
            [one] => one,
            [a, b] => self.and(a, b),
            _ => {
                let output = self.sat.variable();
                for &input in &inputs {
                    self.sat.clause(&[!output, input]);
                }
                for input in &mut inputs {
                    *input = !*input;
                }
                inputs.push(output);
                self.sat.clause(&inputs);
                output
            }
        }
    }

    /// Any of them.
    pub fn any(&mut self, inputs: &[Literal]) -> Literal {
        let opposite: Vec<Literal> = inputs.iter().map(|input| !*input).collect();
        !self.all(&opposite)
    }

    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (of_a, of_b) = (a.variable(), b.variable());
        let flipped = |output: Literal| output.flipped_as(a).flipped_as(b);
        if of_a == of_b {
            return flipped(Literal::FALSE);
        }
        if of_a.is_constant() || of_b.is_constant() {
            return flipped(!if of_a.is_constant() { of_b } else { of_a });
        }
        let (of_a, of_b) = (of_a.min(of_b), of_a.max(of_b));
        flipped(match self.output(Kind::Xor, [of_a, of_b, Literal::TRUE]) {
            Err(made) => made,
            Ok(output) => {
                self.sat.clause(&[!output, of_a, of_b]);
                self.sat.clause(&[!output, !of_a, !of_b]);
                self.sat.clause(&[output, !of_a, of_b]);
                self.sat.clause(&[output, of_a, !of_b]);
                output
            }
        })
    }

    pub fn choose(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        let (condition, then, otherwise) =
            if condition.is_negated() { (!condition, otherwise, then) } else { (condition, then, otherwise) };
        if then == otherwise || condition == Literal::TRUE {
            return then;
        }
        if then == !otherwise {
            return !self.xor(condition, then);
        }
        if then == Literal::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Literal::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Literal::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Literal::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        let sign = otherwise;
        let (a, b) = (then.flipped_as(sign), otherwise.flipped_as(sign));
        match self.output(Kind::Choose, [condition, a, b]) {
            Err(made) => made,
            Ok(output) => {
                self.sat.clause(&[!condition, !a, output]);
                self.sat.clause(&[!condition, a, !output]);
                self.sat.clause(&[condition, !b, output]);
                self.sat.clause(&[condition, b, !output]);
                // These follow, but say it without the condition.
                self.sat.clause(&[!a, !b, output]);
                self.sat.clause(&[a, b, !output]);
                output
            }
        }
        .flipped_as(sign)
    }

    /// The lower bit of the sum of three bits.
    pub fn sum(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut inputs = [a.variable(), b.variable(), c.variable()];
        inputs.sort_unstable();
        let [first, second, third] = inputs;
        if first.is_constant() || first == second || second == third {
            let both = self.xor(a, b);
            return self.xor(both, c);
        }
        match self.output(Kind::Sum, inputs) {
            Err(made) => made,
            Ok(output) => {
                for signs in 0..8u32 {
                    let signed = |at: u32, literal: Literal| if signs >> at & 1 == 1 { !literal } else { literal };
                    // With inputs as negated here, the sum is known.
                    let sum = if signs.count_ones() & 1 == 1 { output } else { !output };
                    self.sat.clause(&[signed(0, first), signed(1, second), signed(2, third), sum]);
                }
                output
            }
        }
        .flipped_as(a)
        .flipped_as(b)
        .flipped_as(c)
    }

    /// The higher bit of the sum of three bits.
    pub fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        for (a, b, c) in [(a, b, c), (b, c, a), (c, a, b)] {
            if a == Literal::TRUE {
                return self.or(b, c);
            }
            if a == Literal::FALSE {
                return self.and(b, c);
            }
            if a == b {
                return a;
            }
            if a == !b {
                return c;
            }
        }
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        // The majority of opposites is the opposite.
        let sign = inputs[0];
        let [a, b, c] = inputs.map(|input| input.flipped_as(sign));
        match self.output(Kind::Majority, [a, b, c]) {
            Err(made) => made,
            Ok(output) => {
                for (a, b) in [(a, b), (b, c), (a, c)] {
                    self.sat.clause(&[!a, !b, output]);
                    self.sat.clause(&[a, b, !output]);
                }
                output
            }
        }
        .flipped_as(sign)
    }
}
