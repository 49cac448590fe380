//! Input made up the same way every time: words, numbers, noise.

/// A small generator of numbers (xorshift); the same seed gives the same sequence everywhere.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        (self.word() >> 11) % limit
    }
}

const WORDS: [&str; 32] = [
    "the", "of", "and", "fault", "line", "record", "replay", "a", "to", "in", "compiler", "value", "branch", "store",
    "load", "it", "is", "program", "error", "clock", "region", "outcome", "that", "with", "hello", "world", "abcabc",
    "foo", "bar", "baz", "1234", "x86",
];

/// Lines of words and numbers, at least `length` bytes.
pub fn lines(length: usize, seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let mut text = String::with_capacity(length + 100);
    while text.len() < length {
        for position in 0..3 + chance.below(9) {
            if position > 0 {
                text.push(' ');
            }
            match chance.below(12) {
                0 => text.push_str(&chance.below(100_000).to_string()),
                // A skewed choice: some words are frequent, as in real text.
                _ => text.push_str(WORDS[(chance.below(32) * chance.below(32) / 32) as usize]),
            }
        }
        text.push('\n');
    }
    text
}

/// Bytes without any pattern.
pub fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    (0..length).map(|_| chance.word() as u8).collect()
}
