//! Operands that matter: the edges of each type, NaNs of all kinds, and plain random bits.

use program::{FloatKind, Type};

use crate::bits;
use crate::wide::{lanes, width, words};

/// Sebastiano Vigna's splitmix64: enough chance for tests, the same on each run.
pub struct Chance(pub u64);

impl Chance {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d049bb133111eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.word() % limit
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }

    /// A value of a scalar or vector type.
    pub fn value(&mut self, ty: &Type) -> Vec<u64> {
        let mut value = vec![0; words(ty)];
        if let Type::Struct { fields, .. } = ty {
            for (field, offset) in fields.iter() {
                bits::copy(&self.value(field), 0, &mut value, offset * 8, width(field));
            }
            return value;
        }
        let (element, count) = lanes(ty);
        let step = width(element);
        for lane in 0..count {
            let scalar = match element {
                Type::Float(kind) => self.float(*kind),
                _ if step > 128 => {
                    bits::put(&mut value, lane * step + 128, step - 128, self.integer(step - 128));
                    self.integer(128)
                }
                _ => self.integer(step),
            };
            bits::put(&mut value, lane * step, step.min(128), scalar);
        }
        value
    }

    pub fn integer(&mut self, width: u64) -> u128 {
        let near = |edge: u128, chance: &mut Chance| edge.wrapping_add(chance.below(5) as u128).wrapping_sub(2);
        let value = match self.below(6) {
            0 => near(0, self),
            1 => near(1 << (width - 1), self),
            2 => {
                let bit = self.below(width);
                near(1 << bit, self)
            }
            3 => (self.below(200) as u128).wrapping_sub(100),
            4 => {
                let shift = self.below(128);
                self.wide() >> shift
            }
            _ => self.wide(),
        };
        value & bits::mask(width)
    }

    pub fn float(&mut self, kind: FloatKind) -> u128 {
        let sign = if self.below(2) == 0 { 0 } else { 1u128 << (width(&Type::Float(kind)) - 1) };
        let (exponent_bits, fraction_bits) = match kind {
            FloatKind::Half => (5, 10),
            FloatKind::BFloat => (8, 7),
            FloatKind::Single => (8, 23),
            FloatKind::Double => (11, 52),
            FloatKind::X87 => (15, 63),
            FloatKind::Quad => (15, 112),
        };
        let bias = (1u128 << (exponent_bits - 1)) - 1;
        let top = (1u128 << exponent_bits) - 1;
        let any = self.wide() & bits::mask(fraction_bits);
        let (exponent, fraction) = match self.below(10) {
            0 => (0, 0),
            1 => (0, any),
            2 => (top, 0),
            3 => (top, any | 1),
            4 => (top, 1 << self.below(fraction_bits)),
            // Whole numbers, and around the limits of integers.
            5 => (bias + u128::from(self.below(12)), any & !bits::mask(fraction_bits.saturating_sub(12))),
            6 => (bias + u128::from(self.below(70)), any),
            7 => {
                let power = [7, 8, 15, 16, 31, 32, 63, 64, 127, 128][self.below(10) as usize];
                let all = bits::mask(fraction_bits);
                if self.below(2) == 0 { (bias + power - 1, all) } else { (bias + power, 0) }
            }
            // Halves, for ties.
            8 => (bias + u128::from(self.below(4)), any & !bits::mask(fraction_bits - 3)),
            _ => (self.wide() & top, any),
        };
        let exponent = exponent.min(top);
        if kind == FloatKind::X87 {
            // The integer bit is nearly always as it should be.
            let is_odd = self.below(40) == 0;
            let integer_bit = u128::from((exponent != 0) != is_odd) << 63;
            return sign | exponent << 64 | integer_bit | fraction;
        }
        sign | exponent << fraction_bits | fraction
    }
}
