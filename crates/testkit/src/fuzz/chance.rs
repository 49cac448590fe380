//! Chance that can be had again: numbers, and changes of bytes and of text.

/// A xorshift generator, for one input.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64, number: u64) -> Chance {
        // Neighbouring numbers must not begin alike (splitmix64).
        let mut state = seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Chance((state ^ (state >> 31)) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Less than `end`; zero if that is.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.word() >> 11) as usize % end }
    }

    /// Once in so many times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of these, which must be some.
    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A number that programs stumble over.
    pub fn number(&mut self) -> u64 {
        const EDGES: [u64; 12] = [
            0,
            1,
            0x7f,
            0xff,
            0x7fff,
            0xffff,
            0x7fff_ffff,
            0xffff_ffff,
            0x1_0000_0000,
            i64::MAX as u64,
            1 << 63,
            u64::MAX,
        ];
        match self.below(4) {
            0 => self.word(),
            1 => self.word() % 1024,
            2 => 1_u64 << self.below(64),
            _ => *self.of(&EDGES),
        }
    }

    /// Changes some bytes: mostly one or two places, now and then many.
    pub fn change(&mut self, bytes: &mut Vec<u8>) {
        let places = if self.one_in(8) { 1 + self.below(16) } else { 1 + self.below(2) };
        for _ in 0..places {
            self.change_once(bytes);
        }
    }

    fn change_once(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        match self.below(9) {
            0 | 1 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            2 if at < bytes.len() => bytes[at] = self.word() as u8,
            3 | 4 => {
                // A number in place of another.
                let width = *self.of(&[1, 2, 4, 8]);
                let number = self.number().to_le_bytes();
                for (place, byte) in bytes.iter_mut().skip(at).zip(&number[..width]) {
                    *place = *byte;
                }
            }
            5 => bytes.truncate(at),
            6 => {
                let end = (at + self.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            7 => {
                let end = (at + self.below(64)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, again);
            }
            _ => {
                let some: Vec<u8> = (0..self.below(16)).map(|_| self.word() as u8).collect();
                bytes.splice(at..at, some);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_input() {
        let input = |number| {
            let mut bytes = vec![7; 100];
            Chance::new(1, number).change(&mut bytes);
            bytes
        };
        assert_eq!(input(5), input(5));
        let different: std::collections::HashSet<_> = (0..1000).map(input).collect();
        assert!(different.len() > 800, "{}", different.len());
    }
}
