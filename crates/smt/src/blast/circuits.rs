//! Circuits for the operations on words. A word is its bits, lowest first.

use super::gates::Gates;
use crate::operation::WIDEST;
use crate::sat::Literal;

pub(super) type Word = Vec<Literal>;

impl Gates {
    /// The sum of two words and a carry.
    pub fn add(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> Word {
        let mut sum = Vec::with_capacity(a.len());
        for (at, (&a_bit, &b_bit)) in a.iter().zip(b).enumerate() {
            sum.push(self.sum(a_bit, b_bit, carry));
            if at + 1 < a.len() {
                carry = self.majority(a_bit, b_bit, carry);
            }
        }
        sum
    }

    pub fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        self.add(a, &opposite(b), Literal::TRUE)
    }

    /// The difference, and whether there is one: the first word is no less than the second.
    fn subtract_if_possible(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Literal) {
        let is_possible = !self.less(a, b);
        (self.subtract(a, b), is_possible)
    }

    pub fn less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        // What is carried out of `a + !b + 1`, which is 2^width + a - b.
        let mut carry = Literal::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            carry = self.majority(a, !b, carry);
        }
        !carry
    }

    pub fn less_signed(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let flipped = |word: &[Literal]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less(&flipped(a), &flipped(b))
    }

    pub fn equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let same: Word = a.iter().zip(b).map(|(&a, &b)| !self.xor(a, b)).collect();
        self.all(&same)
    }

    pub fn choose_word(&mut self, condition: Literal, a: &[Literal], b: &[Literal]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.choose(condition, a, b)).collect()
    }

    pub fn multiply(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        if let Some(factor) = constant(b) {
            return self.multiply_constant(a, factor);
        }
        // One row for each bit of a factor: rather of that with fewer that may be set.
        let unknown = |word: &[Literal]| word.iter().filter(|bit| **bit != Literal::FALSE).count();
        let (a, b) = if unknown(b) <= unknown(a) { (a, b) } else { (b, a) };
        let mut product = vec![Literal::FALSE; a.len()];
        for (at, &bit) in b.iter().enumerate() {
            if bit != Literal::FALSE {
                let row: Word = a[..a.len() - at].iter().map(|&a| self.and(a, bit)).collect();
                let sum = self.add(&product[at..], &row, Literal::FALSE);
                product[at..].copy_from_slice(&sum);
            }
        }
        product
    }

    /// By digits -1, 0 and 1, no two neighbours of which are other than 0: so a run of ones is one sum and one difference.
    fn multiply_constant(&mut self, a: &[Literal], factor: u128) -> Word {
        let mut product = vec![Literal::FALSE; a.len()];
        let mut left = factor;
        let mut at = 0;
        while left != 0 && at < a.len() {
            if left & 1 == 1 {
                let row = &a[..a.len() - at];
                // A run of ones becomes -1 and a carry.
                let carried = if left & 3 == 3 { left.checked_add(1) } else { None };
                let sum = match carried {
                    Some(carried) => {
                        left = carried;
                        self.subtract(&product[at..], row)
                    }
                    None => self.add(&product[at..], row, Literal::FALSE),
                };
                product[at..].copy_from_slice(&sum);
            }
            left >>= 1;
            at += 1;
        }
        product
    }

    /// Quotient and remainder. By zero: all ones, and the dividend.
    pub fn divide(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        match constant(b) {
            Some(divisor) if divisor > 0 => self.divide_by_constant(a, divisor),
            _ => self.divide_by_word(a, b),
        }
    }

    /// As on paper, from the highest bit on.
    fn divide_by_word(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let width = a.len();
        let mut quotient = vec![Literal::FALSE; width];
        // One bit more: what is brought down makes it longer before the divisor is subtracted.
        let mut rest = vec![Literal::FALSE; width + 1];
        let mut divisor = b.to_vec();
        divisor.push(Literal::FALSE);
        for at in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[at]);
            let (difference, is_possible) = self.subtract_if_possible(&rest, &divisor);
            quotient[at] = is_possible;
            rest = self.choose_word(is_possible, &difference, &rest);
        }
        rest.truncate(width);
        (quotient, rest)
    }

    /// Guessed, and multiplied: there is exactly one quotient with one remainder less than the divisor.
    fn divide_by_constant(&mut self, a: &[Literal], divisor: u128) -> (Word, Word) {
        let width = a.len();
        let of_divisor = (u128::BITS - divisor.leading_zeros()) as usize;
        let largest = crate::operation::ones(width as u32) / divisor;
        let of_quotient = (u128::BITS - largest.leading_zeros()) as usize;
        let mut fresh = |count: usize| -> Word { (0..count).map(|_| self.sat.variable()).collect() };
        let (quotient, rest) = (fresh(of_quotient), fresh(of_divisor));
        let bound = word(of_divisor, divisor);
        let is_rest = self.less(&rest, &bound);
        self.sat.clause(&[is_rest]);
        // So many bits that nothing is lost.
        let whole = (of_quotient + of_divisor).max(width);
        let product = self.multiply_constant(&extended(&quotient, whole), divisor);
        let sum = self.add(&product, &extended(&rest, whole), Literal::FALSE);
        for (&sum, &a) in sum.iter().zip(&extended(a, whole)) {
            self.sat.clause(&[!sum, a]);
            self.sat.clause(&[sum, !a]);
        }
        (extended(&quotient, width), extended(&rest, width))
    }

    /// Towards higher bits; zeros come in.
    pub fn shift_left(&mut self, a: &[Literal], by: &[Literal]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, by, Literal::FALSE);
        shifted.reverse();
        shifted
    }

    /// Towards lower bits; what comes in is given.
    pub fn shift_right(&mut self, a: &[Literal], by: &[Literal], filling: Literal) -> Word {
        let mut shifted = a.to_vec();
        let mut distance = 1;
        let mut beyond = Vec::new();
        for &bit in by {
            if distance >= a.len() {
                beyond.push(bit);
                continue;
            }
            shifted = (0..a.len())
                .map(|at| {
                    let from = shifted.get(at + distance).copied().unwrap_or(filling);
                    self.choose(bit, from, shifted[at])
                })
                .collect();
            distance *= 2;
        }
        let is_beyond = self.any(&beyond);
        shifted.iter().map(|&bit| self.choose(is_beyond, filling, bit)).collect()
    }

    /// The entry of a table: a tree of choices by the bits of the index, for each bit of the entries.
    pub fn entry(&mut self, index: &[Literal], entries: &[u128], width: usize) -> Word {
        let deciding = (usize::BITS - entries.len().saturating_sub(1).leading_zeros()) as usize;
        let deciding = deciding.min(index.len());
        let is_beyond = self.any(&index[deciding..]);
        let bit = |gates: &mut Gates, at: usize| {
            let mut level: Word = (0..1usize << deciding)
                .map(|entry| entries.get(entry).is_some_and(|entry| entry >> at & 1 == 1))
                .map(Literal::constant)
                .collect();
            for &choice in &index[..deciding] {
                level = level.chunks(2).map(|pair| gates.choose(choice, pair[1], pair[0])).collect();
            }
            gates.and(!is_beyond, level[0])
        };
        (0..width).map(|at| bit(self, at)).collect()
    }
}

pub(super) fn opposite(word: &[Literal]) -> Word {
    word.iter().map(|bit| !*bit).collect()
}

/// A constant's bits.
pub(super) fn word(width: usize, value: u128) -> Word {
    (0..width).map(|at| Literal::constant(at < WIDEST as usize && value >> at & 1 == 1)).collect()
}

fn extended(word: &[Literal], width: usize) -> Word {
    let mut extended = word.to_vec();
    extended.resize(width, Literal::FALSE);
    extended
}

/// The value of a word of which all bits are constant.
fn constant(word: &[Literal]) -> Option<u128> {
    word.iter().enumerate().try_fold(0, |value, (at, bit)| {
        let bit = bit.is_constant().then_some(u128::from(*bit == Literal::TRUE))?;
        Some(value | bit << at)
    })
}
