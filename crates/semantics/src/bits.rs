//! Runs of bits inside words. Bits are counted from the least significant of the first word; beyond the last word
//! they read as zero.

/// The lowest `width` bits set.
pub fn mask(width: u64) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The least signed value of a width.
pub fn least(width: u32) -> i128 {
    i128::MIN >> (128 - width)
}

/// The greatest signed value of a width.
pub fn greatest(width: u32) -> i128 {
    i128::MAX >> (128 - width)
}

/// Up to 128 bits.
pub fn get(words: &[u64], at: u64, width: u64) -> u128 {
    let word = |index: u64| u128::from(words.get(index as usize).copied().unwrap_or(0));
    let (first, shift) = (at / 64, at % 64);
    let mut value = (word(first) | word(first + 1) << 64) >> shift;
    if shift > 0 {
        value |= word(first + 2) << (128 - shift);
    }
    value & mask(width)
}

/// Up to 128 bits; the bits around them stay.
pub fn put(words: &mut [u64], at: u64, width: u64, value: u128) {
    let mut done = 0;
    while done < width {
        let (word, shift) = ((at + done) / 64, (at + done) % 64);
        let step = (width - done).min(64 - shift);
        let fits = (mask(step) as u64) << shift;
        let new = ((value >> done) as u64) << shift;
        let word = &mut words[word as usize];
        *word = (*word & !fits) | (new & fits);
        done += step;
    }
}

pub fn copy(from: &[u64], from_at: u64, to: &mut [u64], to_at: u64, width: u64) {
    let mut done = 0;
    while done < width {
        let step = (width - done).min(64);
        put(to, to_at + done, step, get(from, from_at + done, step));
        done += step;
    }
}

/// Any number of bits as words of their own.
pub fn slice(from: &[u64], at: u64, width: u64) -> Vec<u64> {
    let mut words = vec![0; width.div_ceil(64) as usize];
    copy(from, at, &mut words, 0, width);
    words
}
