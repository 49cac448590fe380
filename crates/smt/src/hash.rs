//! Hashing of small numbers, for tables that are asked in inner loops. Keys are numbers of our own making, so nobody can
//! choose them to collide.

use std::hash::{BuildHasherDefault, Hasher};

pub type Map<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<Mixing>>;
pub type Set<K> = hashbrown::HashSet<K, BuildHasherDefault<Mixing>>;

/// The hash of what was hashed before, and one more word. Tables look at the highest bits and the lowest ones, so the
/// product is folded.
#[inline]
pub(crate) fn mixed(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash.rotate_left(23) ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    (product as u64) ^ (product >> 64) as u64
}

#[derive(Default)]
pub struct Mixing(u64);

impl Hasher for Mixing {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = mixed(self.0, word);
    }

    #[inline]
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
